import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Whole } from "../../shell/current-agent";
import { simulatorOf } from "../../shell/navigation";
import { LinkButton } from "../../ui/button";
import { t } from "../../words/words";

/** Agents and apps, with a way to talk to each. */
export function WholesTable({ wholes }: { wholes: Whole[] }): ReactNode {
  return (
    <div className="scroll-x">
      <table>
        <thead>
          <tr>
            <th>{t("Name")}</th>
            <th>{t("What it does")}</th>
            <th>
              <span className="sr">{t("Actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {wholes.map((whole) => (
            <tr key={whole.name}>
              <td>
                <Link href={`/${whole.name}`}>
                  <b>{whole.title}</b>
                </Link>
                <div className="small faint">{whole.isApp ? t("CX Agent Studio app") : t("Dialogflow agent")}</div>
              </td>
              <td className="muted">{whole.about || "–"}</td>
              <td align="right">
                <LinkButton href={simulatorOf(whole.name)} small>
                  {t("Talk")}
                </LinkButton>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
