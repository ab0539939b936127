import type { ces } from "../../api/generated/types";

export interface Placed {
  agent: ces.Agent;
  /** In columns, which may be halves: a parent is in the middle of its children. */
  column: number;
  row: number;
}

export interface Picture {
  nodes: Placed[];
  edges: [Placed, Placed][];
  across: number;
  down: number;
}

/** A tidy tree: each agent once, where it is first reached; other hand-overs to it are edges alone. */
export function placed(agents: readonly ces.Agent[], root: string): Picture {
  const byName = new Map(agents.map((agent) => [agent.name ?? "", agent]));
  const nodes = new Map<string, Placed>();
  const links: [string, string][] = [];
  let next = 0;
  let deepest = 0;
  function visit(name: string, row: number): Placed | undefined {
    const agent = byName.get(name);
    if (!agent) return undefined;
    const known = nodes.get(name);
    if (known) return known;
    const node: Placed = { agent, column: 0, row };
    nodes.set(name, node);
    deepest = Math.max(deepest, row);
    const children: Placed[] = [];
    for (const child of agent.childAgents ?? []) {
      const isNew = !nodes.has(child);
      const found = visit(child, row + 1);
      if (!found) continue;
      links.push([name, child]);
      if (isNew) children.push(found);
    }
    const first = children[0];
    const last = children.at(-1);
    node.column = first && last ? (first.column + last.column) / 2 : next++;
    return node;
  }
  visit(root, 0);
  for (const agent of agents) visit(agent.name ?? "", 0);
  const edges = links.map(([from, to]): [Placed, Placed] => [nodes.get(from)!, nodes.get(to)!]);
  return { nodes: [...nodes.values()], edges, across: Math.max(1, next), down: deepest + 1 };
}
