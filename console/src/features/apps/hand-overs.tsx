import type { ReactNode } from "react";
import { useLocation } from "wouter";
import type { ces } from "../../api/generated/types";
import { t } from "../../words/words";
import { type Placed, placed } from "./tree";

const WIDTH = 168;
const HEIGHT = 44;
const ACROSS = 190;
const DOWN = 92;

/** Who hands over to whom, as a tree from the agent that begins. The table below says the same. */
export function HandOvers({ agents, root }: { agents: ces.Agent[]; root: string }): ReactNode {
  const [, navigate] = useLocation();
  const { nodes, edges, across, down } = placed(agents, root);
  if (nodes.length < 2) return null;
  const x = (node: Placed): number => 8 + node.column * ACROSS;
  const y = (node: Placed): number => 8 + node.row * DOWN;
  return (
    <div className="scroll-x">
      <svg
        className="hand-overs"
        width={across * ACROSS}
        height={(down - 1) * DOWN + HEIGHT + 16}
        role="group"
        aria-label={t("Agents and their hand-overs")}
      >
        {edges.map(([from, to], index) => (
          <path
            key={index}
            d={`M${x(from) + WIDTH / 2} ${y(from) + HEIGHT} C ${x(from) + WIDTH / 2} ${y(from) + HEIGHT + 30}, ${x(to) + WIDTH / 2} ${y(to) - 30}, ${x(to) + WIDTH / 2} ${y(to)}`}
          />
        ))}
        {nodes.map((node) => (
          <g
            key={node.agent.name}
            role="link"
            tabIndex={0}
            aria-label={node.agent.displayName}
            transform={`translate(${x(node)} ${y(node)})`}
            onClick={() => navigate(`/${node.agent.name}`)}
            onKeyDown={(event) => {
              if (event.key === "Enter") navigate(`/${node.agent.name}`);
            }}
          >
            <rect width={WIDTH} height={HEIGHT} rx="8" className={node.row === 0 ? "first" : ""} />
            <text x={WIDTH / 2} y={HEIGHT / 2 + 5} textAnchor="middle">
              {shortened(node.agent.displayName ?? "")}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

const LONGEST = 20;

function shortened(name: string): string {
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}
