import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { cache } from "./api/query";
import { App } from "./shell/app";
import { askAhead } from "./shell/first-requests";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/shell.css";
import { startLanguage } from "./words/words";

askAhead(location.pathname);
const root = document.getElementById("root");
if (root) {
  await startLanguage();
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={cache}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}
