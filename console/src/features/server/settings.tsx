import type { ReactNode } from "react";
import { opApi } from "../../api/generated/methods";
import { useRpc } from "../../api/query";
import { useCrumbs } from "../../shell/crumbs";
import { SelectField } from "../../ui/field";
import { Button } from "../../ui/button";
import { Loaded } from "../../ui/states";
import { type Language, LANGUAGES, setLanguage, t, useLanguage } from "../../words/words";
import { switchTheme, useTheme } from "../../shell/theme";

/** The console's own settings, and those of the server, which are read only here. */
export function Settings(): ReactNode {
  useCrumbs({ label: t("Settings") });
  const doctor = useRpc(opApi.doctor, {});
  const language = useLanguage();
  const theme = useTheme();
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t("Settings")}</h1>
      </header>
      <section className="card pad stack">
        <h2>{t("This console")}</h2>
        <div className="pair">
          <SelectField
            label={t("Language")}
            value={language}
            options={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
            onChange={(next) => void setLanguage(next as Language)}
          />
          <div className="field">
            <div className="label">{t("Colours")}</div>
            <Button onClick={switchTheme}>
              {theme === "dark" ? t("Dark: make it light") : t("Light: make it dark")}
            </Button>
          </div>
        </div>
        <SignOut />
      </section>
      <section className="gap-top">
        <h2>{t("This server")}</h2>
        <p className="muted small">
          {t(
            "Set by options, variables or openplaybook.toml when the server starts; values that hold a secret are not shown.",
          )}
        </p>
        <Loaded query={doctor}>
          {(data) => (
            <table>
              <thead>
                <tr>
                  <th>{t("Setting")}</th>
                  <th>{t("Value")}</th>
                </tr>
              </thead>
              <tbody>
                {Object.entries(data.server?.settings ?? {}).map(([name, value]) => (
                  <tr key={name}>
                    <td className="mono">{name}</td>
                    <td className="mono muted">{value || "–"}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Loaded>
      </section>
    </div>
  );
}

function SignOut(): ReactNode {
  const caller = useRpc(opApi.getServerInfo, {}).data?.caller;
  if (!caller?.name) return null;
  return (
    <div className="row">
      <span className="grow muted">
        {t("You are {name}, with the role {role}.", { name: caller.name, role: caller.role ?? "" })}
      </span>
      <Button
        onClick={async () => {
          await fetch("/console/session", { method: "DELETE", headers: { "X-OpenPlaybook-Console": "1" } });
          location.assign("/console/");
        }}
      >
        {t("Sign out")}
      </Button>
    </div>
  );
}
