import { type ReactNode, Suspense, useEffect, useState } from "react";
import { Router, useLocation } from "wouter";
import { loginNeeded, wasIn } from "../api/call";
import { forget } from "../api/query";
import { viewAt } from "../routes";
import { LinkButton } from "../ui/button";
import { Empty, Loading } from "../ui/states";
import { Toasts } from "../ui/toast";
import { t, useLanguage } from "../words/words";
import { Frame } from "./frame";
import { Login, LoginAgain } from "./login";
import { Recovery } from "./recovery";

export function App(): ReactNode {
  const language = useLanguage();
  const [locked, setLocked] = useState(false);
  useEffect(() => {
    const lock = (): void => setLocked(true);
    loginNeeded.addEventListener("login", lock);
    return () => loginNeeded.removeEventListener("login", lock);
  }, []);
  if (locked && !wasIn()) return <Login key={language} onDone={() => location.reload()} />;
  return (
    <Router base="/console" key={language}>
      <Frame>
        <View />
      </Frame>
      <Toasts />
      {locked && (
        <LoginAgain
          onDone={() => {
            setLocked(false);
            forget();
          }}
          onClose={() => setLocked(false)}
        />
      )}
    </Router>
  );
}

function View(): ReactNode {
  const [path] = useLocation();
  const found = viewAt(path);
  if (!found)
    return (
      <Empty title={t("There is nothing at this address")}>
        <p>{t("Addresses here are resource names. This one is none that the console knows.")}</p>
        <LinkButton href="/">{t("Go to the start")}</LinkButton>
      </Empty>
    );
  const Shown = found.view;
  return (
    <Recovery key={path}>
      <Suspense fallback={<Loading />}>
        <Shown name={found.name} key={found.name} />
      </Suspense>
    </Recovery>
  );
}
