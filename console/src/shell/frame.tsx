import {
  IconBook2,
  IconChevronDown,
  IconDots,
  IconHome,
  IconMessage,
  IconMoon,
  IconSearch,
  IconSun,
  IconTool,
} from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import { Unreachable } from "../api/errors";
import { opApi } from "../api/generated/methods";
import { useRpc } from "../api/query";
import { IconButton } from "../ui/button";
import { t } from "../words/words";
import { useCurrent, useWholes } from "./current-agent";
import { CrumbSlot } from "./crumbs";
import { KeysDialog } from "./keys-dialog";
import { useKeys } from "./keys";
import { groupsOf, type Place, simulatorOf } from "./navigation";
import { Palette } from "./palette";
import { switchTheme, useTheme } from "./theme";

export function Frame({ children }: { children: ReactNode }): ReactNode {
  const [open, setOpen] = useState<"" | "palette" | "keys">("");
  const [, navigate] = useLocation();
  const whole = useCurrent();
  const isKnown = useWholes() !== undefined;
  const groups = groupsOf(whole);
  const theme = useTheme();
  useKeys([
    { keys: "Ctrl K", what: t("Go to or do"), run: () => setOpen("palette") },
    { keys: "?", what: t("Keys of this view"), run: () => setOpen("keys") },
    { keys: "Shift D", what: t("Light or dark"), run: switchTheme },
    { keys: "G G", what: t("Start"), run: () => navigate("/") },
    ...groups.flatMap(({ places }) =>
      places.flatMap(({ keys, label, href }) => (keys ? [{ keys, what: label, run: () => navigate(href) }] : [])),
    ),
  ]);
  return (
    <div className="shell">
      <nav className="side" aria-label={t("Main")}>
        <Link href="/" className="brand">
          <Logo />
          OpenPlaybook
        </Link>
        <button type="button" className="which" onClick={() => setOpen("palette")}>
          <span className="face" aria-hidden="true">
            {whole?.title.slice(0, 1).toUpperCase() || "?"}
          </span>
          <span className="grow">
            <b className="clip">{whole?.title || (isKnown && t("No agent yet"))}</b>
            <small className="clip">
              {whole
                ? whole.isApp
                  ? t("CX Agent Studio app")
                  : t("Dialogflow agent")
                : isKnown && t("Import or make one")}
            </small>
          </span>
          <IconChevronDown size={16} aria-hidden="true" />
        </button>
        {groups.map(({ title, places }) => (
          <section key={title}>
            <h2>{title}</h2>
            <div className="nav">
              {places.map((place) => (
                <PlaceLink key={place.label} place={place} />
              ))}
            </div>
          </section>
        ))}
        <Version />
      </nav>
      <header className="top">
        <CrumbSlot />
        <button type="button" className="find" onClick={() => setOpen("palette")}>
          <IconSearch size={16} aria-hidden="true" />
          {t("Go to or do…")}
          <kbd>Ctrl K</kbd>
        </button>
        <IconButton
          label={t("Light or dark")}
          icon={theme === "dark" ? <IconSun size={16} /> : <IconMoon size={16} />}
          onClick={switchTheme}
        />
      </header>
      <main tabIndex={-1}>{children}</main>
      <nav className="phone" aria-label={t("Main, below")}>
        <PhoneLink href="/" icon={<IconHome size={20} />} label={t("Start")} />
        {whole && (
          <>
            <PhoneLink
              href={`/${whole.name}/${whole.isApp ? "agents" : "playbooks"}`}
              icon={<IconBook2 size={20} />}
              label={t("Build")}
            />
            <PhoneLink href={simulatorOf(whole.name)} icon={<IconMessage size={20} />} label={t("Talk")} />
            <PhoneLink href={`/${whole.name}/tools`} icon={<IconTool size={20} />} label={t("Tools")} />
          </>
        )}
        <button type="button" onClick={() => setOpen("palette")}>
          <IconDots size={20} aria-hidden="true" />
          {t("More")}
        </button>
      </nav>
      {open === "palette" && <Palette whole={whole} onClose={() => setOpen("")} onKeys={() => setOpen("keys")} />}
      {open === "keys" && <KeysDialog onClose={() => setOpen("")} />}
    </div>
  );
}

function PlaceLink({ place }: { place: Place }): ReactNode {
  const [path] = useLocation();
  const isExample = path.includes("/examples/");
  const isBelow = !!place.below && path.includes(place.below) && (!isExample || place.below === "/examples/");
  const here = path === place.href || isBelow;
  return (
    <Link href={place.href} aria-current={here ? "page" : undefined}>
      <place.icon size={16} stroke={1.6} aria-hidden="true" />
      {place.label}
    </Link>
  );
}

function PhoneLink({ href, icon, label }: { href: string; icon: ReactNode; label: string }): ReactNode {
  const [path] = useLocation();
  return (
    <Link href={href} aria-current={path === href ? "page" : undefined}>
      {icon}
      {label}
    </Link>
  );
}

function Version(): ReactNode {
  const { data, error } = useRpc(opApi.getServerInfo, {});
  const version = data?.version;
  return (
    <p className="side-foot row">
      <span className={error instanceof Unreachable ? "dot bad" : "dot"} aria-hidden="true" />
      <span className="clip">
        {error instanceof Unreachable
          ? t("The server does not answer")
          : version
            ? t("Version {version}", { version })
            : ""}
      </span>
    </p>
  );
}

export function Logo({ size = 20 }: { size?: number }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M5 21V3h8.500a5 5 0 0 1 0 10H5m8 0v8m0-4H5" />
    </svg>
  );
}
