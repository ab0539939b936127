import { Component, type ReactNode } from "react";
import { Button } from "../ui/button";
import { ErrorNote } from "../ui/states";
import { t } from "../words/words";

/** What Chromium, Firefox and Safari say of an import that fails. */
const UNLOADED = /dynamically imported module|importing a module script|preload CSS/i;

/** A view that fails leaves the frame, and says what happened. */
export class Recovery extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    if (!this.state.error) return this.props.children;
    return (
      <div className="page stack">
        {UNLOADED.test(this.state.error.message) ? (
          <ErrorNote
            error={
              new Error(t("A part of the console could not be loaded. The server does not answer, or was updated."))
            }
          />
        ) : (
          <ErrorNote error={this.state.error} what={t("This view failed.")} />
        )}
        <div>
          <Button onClick={() => location.reload()}>{t("Load again")}</Button>
        </div>
      </div>
    );
  }
}
