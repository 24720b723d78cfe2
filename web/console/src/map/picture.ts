import type { NumberState } from '../health/operations';
import type { Scope } from '../health/scope';
import { questionPath } from '../parts/links';
import { texts } from '../texts';
import type { Flow, Flows } from './operations';
import { words } from './texts';

/** A gateway, what numbers lead to, or a state. */
export interface Node {
  readonly id: string;
  readonly label: string;
  readonly count: number;
  /** How many of the numbers do not ring. */
  readonly lost: number;
  /** The address of what it stands for; undefined if it stands for several. */
  readonly to: string | undefined;
  /** In pixels from the top of the picture: where there is room for the node, and its bar. */
  readonly slot: { readonly top: number; readonly height: number };
  readonly bar: { readonly top: number; readonly height: number };
}

/** Numbers that go from one node to another. */
export interface Ribbon {
  readonly from: string;
  readonly to: string;
  readonly rings: boolean;
  /** Where it is: its left and right end, in pixels from the top. */
  readonly left: number;
  readonly right: number;
  readonly height: number;
}

/** What is drawn. */
export interface Picture {
  readonly columns: readonly { readonly name: string; readonly nodes: readonly Node[] }[];
  /** Those between the first two columns, and those between the last two. */
  readonly ribbons: readonly [readonly Ribbon[], readonly Ribbon[]];
  readonly height: number;
}

/** Where clicks lead. */
export interface Paths {
  /** The map of the numbers that are in this scope, too; the page of the resource if it already is of these. */
  readonly narrow: (scope: Scope) => string;
  /** The numbers that are in a state. */
  readonly inState: (state: NumberState) => string;
}

/** How much room there is: texts that are narrow have more lines. */
export type Width = keyof typeof SLOTS;

/** A node before it has a place. */
type Unplaced = Omit<Node, 'slot' | 'bar'>;

// Pixels: the height of all numbers together, the room that a node has for its texts, and the thinnest bar.
const ALL = 280;
const SLOTS = { wide: 40, narrow: 104 };
const THINNEST = 2;

/** What a flow belongs to, and where it leads. */
interface Linked {
  readonly label: string;
  /** Undefined if it stands for several. */
  readonly to: string | undefined;
}

/** The gateways, ends and states of flows, with where they lead. */
export function linksOf(
  { flows, by, gateways, ends }: Flows,
  paths: Paths,
): Readonly<Record<'gateway' | 'end' | 'state', (flow: Flow) => Linked>> {
  const otherGateways = gateways - new Set(flows.flatMap(({ gateway }) => gateway?.ref ?? [])).size;
  const otherEnds = ends - new Set(flows.filter(({ host }) => host !== null).map(endOf)).size;
  return {
    gateway: ({ gateway }) => ({
      label: gateway?.name ?? words.others.gateway(otherGateways),
      to: gateway ? paths.narrow({ kind: 'Gateway', ref: gateway.ref }) : undefined,
    }),
    end: (flow) => ({ label: labelOf(flow) ?? words.others[by](otherEnds), to: pathOfEnd(flow, paths) }),
    state: ({ state }) => ({ label: texts.health.states[state], to: paths.inState(state) }),
  };
}

/** Draws flows as columns of nodes, with ribbons between them that are as high as there are numbers. */
export function pictureOf(found: Flows, paths: Paths, width: Width): Picture {
  const { flows, by } = found;
  const { gateway, end, state } = linksOf(found, paths);
  const columns = [
    { name: words.columns.gateway, nodes: nodesOf(flows, gatewayOf, gateway) },
    { name: words.columns[by], nodes: nodesOf(flows, endOf, end) },
    { name: words.columns.state, nodes: nodesOf(flows, stateOf, state) },
  ] as const;
  const scale = ALL / Math.max(countOf(flows), 1);
  const slotOf = ({ count }: Unplaced): number => Math.max(SLOTS[width], count * scale);
  const height = Math.max(...columns.map(({ nodes }) => nodes.reduce((sum, node) => sum + slotOf(node), 0)));
  const placed = columns.map(({ name, nodes }) => ({ name, nodes: place(nodes, slotOf, scale, height) }));
  const [first, second, third] = placed.map(({ nodes }) => new Map(nodes.map((node) => [node.id, node])));
  if (!first || !second || !third) throw new Error('there are three columns');
  return {
    columns: placed,
    ribbons: [
      ribbonsOf(flows, scale, { idOf: gatewayOf, nodes: first }, { idOf: endOf, nodes: second }),
      ribbonsOf(flows, scale, { idOf: endOf, nodes: second }, { idOf: stateOf, nodes: third }),
    ],
    height,
  };
}

const gatewayOf = ({ gateway }: Flow): string => `gateway ${gateway?.ref ?? ''}`;
const endOf = ({ host, addressOfRecord }: Flow): string => `end ${addressOfRecord ?? host ?? ''}`;
const stateOf = ({ state }: Flow): string => state;

/** What the numbers of a flow lead to: the name of an agent or peer, an address of record, or a domain. */
function labelOf({ host, addressOfRecord, target }: Flow): string | undefined {
  return target?.name ?? addressOfRecord?.replace(/^sips?:/, '') ?? host ?? undefined;
}

function pathOfEnd({ host, addressOfRecord, domain, target }: Flow, paths: Paths): string | undefined {
  if (target) return paths.narrow({ kind: target.__typename, ref: target.ref });
  if (addressOfRecord !== null) return questionPath(addressOfRecord);
  if (domain) return paths.narrow({ kind: 'Domain', ref: domain.ref });
  // A host that is no domain: peers register anywhere.
  return host === null ? undefined : questionPath(host);
}

/** The nodes of a column, first those of the most numbers; those that are summed up come last. */
function nodesOf(
  flows: readonly Flow[],
  idOf: (flow: Flow) => string,
  linkOf: (flow: Flow) => Linked,
): readonly Unplaced[] {
  const groups = groupsOf(flows, idOf);
  const nodes = [...groups].flatMap(([id, all]) =>
    all.slice(0, 1).map((first) => ({
      id,
      ...linkOf(first),
      count: countOf(all),
      lost: countOf(all.filter(({ state }) => state !== 'REACHABLE')),
    })),
  );
  const isLast = ({ id }: Unplaced): number => Number(id.endsWith(' '));
  return nodes.toSorted((one, other) => isLast(one) - isLast(other) || other.count - one.count);
}

/** The flows with the same key, in the order of the first of them. */
function groupsOf(flows: readonly Flow[], keyOf: (flow: Flow) => string): ReadonlyMap<string, readonly Flow[]> {
  const groups = new Map<string, Flow[]>();
  for (const flow of flows) {
    const group = groups.get(keyOf(flow));
    if (group) group.push(flow);
    else groups.set(keyOf(flow), [flow]);
  }
  return groups;
}

function countOf(flows: readonly Flow[]): number {
  return flows.reduce((sum, { count }) => sum + count, 0);
}

/** Gives the nodes of a column their places, with the same room between them. */
function place(
  nodes: readonly Unplaced[],
  slotOf: (node: Unplaced) => number,
  scale: number,
  height: number,
): readonly Node[] {
  const slots = nodes.map(slotOf);
  const gap = (height - slots.reduce((sum, slot) => sum + slot, 0)) / nodes.length;
  let top = 0;
  return nodes.map((node, index) => {
    const slot = { top, height: (slots[index] ?? 0) + gap };
    top += slot.height;
    const bar = Math.max(node.count * scale, THINNEST);
    return { ...node, slot, bar: { top: slot.top + (slot.height - bar) / 2, height: bar } };
  });
}

/** One side of ribbons: the nodes by their id, in order, and which of them a flow belongs to. */
interface Side {
  readonly idOf: (flow: Flow) => string;
  readonly nodes: ReadonlyMap<string, Node>;
}

/** The ribbons between two columns. Those that begin or end at a node are in the order of the nodes at their other end. */
function ribbonsOf(flows: readonly Flow[], scale: number, from: Side, to: Side): readonly Ribbon[] {
  const [left, right] = [from, to].map(({ nodes }) => new Map([...nodes].map(([id, { bar }]) => [id, bar.top])));
  const groups = groupsOf(flows, (flow) =>
    JSON.stringify([from.idOf(flow), to.idOf(flow), flow.state === 'REACHABLE']),
  );
  const widths = [...groups].map(([key, all]) => {
    const [start, end, rings] = JSON.parse(key) as [string, string, boolean]; // written above
    return { from: start, to: end, rings, height: scale * countOf(all) };
  });
  const placeIn = ({ nodes }: Side, id: string): number => nodes.get(id)?.bar.top ?? 0;
  return widths
    .toSorted(
      (one, other) =>
        placeIn(from, one.from) - placeIn(from, other.from) ||
        placeIn(to, one.to) - placeIn(to, other.to) ||
        Number(other.rings) - Number(one.rings),
    )
    .map((ribbon) => {
      const at = { left: left?.get(ribbon.from) ?? 0, right: right?.get(ribbon.to) ?? 0 };
      left?.set(ribbon.from, at.left + ribbon.height);
      right?.set(ribbon.to, at.right + ribbon.height);
      return { ...ribbon, ...at };
    });
}
