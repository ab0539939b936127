import { type ReactNode, useEffect } from "react";
import { LOGINS } from "../../shell/login";
import { Empty } from "../../ui/states";
import { t } from "../../words/words";

/** Where the tab of a login ends that another tab waits for. */
export function SignedIn(): ReactNode {
  useEffect(() => {
    const logins = new BroadcastChannel(LOGINS);
    logins.postMessage("in");
    return () => logins.close();
  }, []);
  return (
    <Empty title={t("You are signed in.")}>
      <p>{t("Close this tab, and go on in the one where you were.")}</p>
    </Empty>
  );
}
