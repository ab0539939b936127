// Before the first paint, so that a dark console never flashes white.
(function () {
  var kept = null;
  try {
    kept = localStorage.getItem("openplaybook.theme");
  } catch (error) {
    // Storage is switched off: the system's preference decides.
  }
  var dark = kept ? kept === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
