/** Styles of the messenger's own tree; pages change them by the custom properties. */
export const STYLE = `
:host { --messenger-accent: #146655; --messenger-on-accent: #fff; --messenger-surface: #fff; --messenger-text: #1e1c19;
  --messenger-line: #e2dfd7; --messenger-soft: #f0eee8; position: fixed; right: 20px; bottom: 20px; z-index: 1000;
  display: block; font: 14px/1.5 system-ui, sans-serif; color: var(--messenger-text); }
:host([inline]) { position: static; }
:host([inline]) .bubble, :host([inline]) .close { display: none; }
:host([inline]) .panel { width: 100%; height: 100%; min-height: 420px; box-shadow: none; margin: 0; }
[hidden] { display: none !important; }
* { box-sizing: border-box; }
.panel { display: flex; flex-direction: column; width: min(380px, calc(100vw - 40px)); height: min(560px, calc(100vh - 110px));
  margin-bottom: 12px; border: 1px solid var(--messenger-line); border-radius: 14px; background: var(--messenger-surface);
  box-shadow: 0 8px 30px rgb(0 0 0 / 14%); overflow: hidden; }
header { display: flex; align-items: center; padding: 10px 14px; border-bottom: 1px solid var(--messenger-line); }
header b { flex: 1; }
.log { flex: 1; overflow: auto; padding: 14px; display: flex; flex-direction: column; gap: 8px; }
p { margin: 0; max-width: 85%; white-space: pre-wrap; overflow-wrap: anywhere; }
.user { align-self: flex-end; padding: 7px 12px; border-radius: 14px 14px 4px 14px; background: var(--messenger-soft); }
.waiting { opacity: .6; }
.error { color: #b0241c; }
form { display: flex; gap: 8px; padding: 10px; border-top: 1px solid var(--messenger-line); }
input { flex: 1; min-width: 0; font: inherit; color: inherit; padding: 7px 10px; border: 1px solid #8a8478; border-radius: 8px;
  background: var(--messenger-surface); }
button { font: inherit; cursor: pointer; border: 0; background: none; color: inherit; }
button:focus-visible, input:focus-visible, a:focus-visible { outline: 2px solid var(--messenger-accent); outline-offset: 2px; }
.send, .bubble { background: var(--messenger-accent); color: var(--messenger-on-accent); border-radius: 8px; width: 38px; height: 36px; }
.send::before { content: "\\2191"; }
.bubble { display: block; margin-left: auto; width: 52px; height: 52px; border-radius: 50%; font-size: 20px; }
.bubble::before { content: "\\2026"; }
.close { width: 28px; height: 28px; }
.close::before { content: "\\00d7"; font-size: 18px; }
.rich { display: grid; gap: 8px; }
.rich-card { display: grid; gap: 8px; padding: 12px; border: 1px solid var(--messenger-line); border-radius: 12px; }
.rich-titles b, .rich-titles small, .rich-accordion small { display: block; }
.rich-info { color: inherit; text-decoration: none; }
.rich-button, .rich-list { display: block; width: 100%; padding: 7px 12px; border: 1px solid var(--messenger-line); border-radius: 8px;
  color: var(--messenger-accent); text-align: left; text-decoration: none; }
.rich-chips { display: flex; flex-wrap: wrap; gap: 6px; }
.rich-chip { padding: 3px 12px; border: 1px solid #8a8478; border-radius: 20px; color: var(--messenger-accent); text-decoration: none; }
img, iframe { max-width: 100%; border: 0; border-radius: 8px; }
iframe { width: 100%; height: 180px; background: #fff; }
hr { width: 100%; border: 0; border-top: 1px solid var(--messenger-line); }
`;
