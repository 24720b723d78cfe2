import type { TestApp } from '../../support/app';
import { createAgent, createPeer } from '../../support/factories';
import { Stage, type Made } from '../call-proof/play';
import { Place, type World } from '../call-proof/world';
import type { Stack } from '../stack';
import { changesOf, type Change, type Step } from './plan';
import {
  dialed,
  digitsIn,
  holdersOf,
  isSpelledAs,
  stateOf,
  wayTo,
  type NumberRow,
  type State,
  type Way,
} from './state';

/** A configuration and a plan of changes. */
export interface Case {
  readonly world: World;
  readonly plan: readonly Step[];
}

/** Something that a simulation said and that did not happen, or the other way round. */
export type Difference = Readonly<Record<string, unknown>>;

interface Path {
  readonly state: string;
  readonly gateway: string | null;
  readonly targets: readonly string[];
}

interface NumberEffect {
  readonly effect: string;
  readonly ref: string;
  readonly before: Path;
  readonly after: Path;
}

interface WayEffect extends Way {
  /** Null for all calls of the domain. */
  readonly caller: { readonly user: string } | null;
  readonly before: readonly string[] | null;
  readonly after: readonly string[] | null;
}

interface Said {
  readonly numbers: readonly NumberEffect[];
  readonly waysOut: readonly WayEffect[];
}

const SIMULATE = `mutation ($changes: [ChangeInput!]!) {
  simulate(changes: $changes) {
    calls {
      numbers { effect ref before { state gateway targets } after { state gateway targets } }
      waysOut(first: 1000) { domainUri prefix emergency caller { user } before after }
    }
  }
}`;
const APPLY = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { request } }';
/** The user name of the agent that dials outside numbers, which no plan changes. Agents that the plan changes dial them, too. */
const CALLER = 'caller';
/** From where it calls, and where the peer is that is created after the plan. */
const SPOT = 3;
const PROBE_AFTER = 98;
const BUSY = ['486 Busy Here'];
const FAILURE = ['503 Service Unavailable'];
const PORTS = [5060, 5081, 5082];
const PROVIDERS = [11, 12, 13, 14, 15];
/** The changed agents of a plan that dial outside numbers. */
const MOST_CHANGED = 3;
/** Calls to numbers, and as many that leave, that a case makes at once. */
const CALLS_AT_ONCE = 8;

/** The calls that are made before a plan, or after it, by whom they are to. */
interface Calls {
  readonly state: State;
  /** Calls from the provider of a number. */
  readonly numbers: ReadonlyMap<string, Made>;
  /** Calls of agents, by user name, host and dialed number. */
  readonly ways: ReadonlyMap<string, Made>;
}

/** A case that is played at the real SIP server. */
export class Trial {
  private said: Said = { numbers: [], waysOut: [] };
  private changes: readonly Change[] = [];
  private before: Calls | undefined;
  /** The user names that changed agents have before or after the plan. */
  private users: readonly string[] = [];

  private constructor(
    private readonly stack: Stack,
    private readonly given: Case,
    private readonly place: Place,
    private readonly stage: Stage,
    private readonly counts: Map<string, number>,
  ) {}

  /** Builds the configuration. */
  static async open(stack: Stack, given: Case, index: number, counts: Map<string, number>): Promise<Trial> {
    const { world } = given;
    const place = new Place(index);
    const hops = PROVIDERS.flatMap((spot) => PORTS.map((port) => [place.address(spot), port] as const));
    const stage = await Stage.open(stack, world, place, new Map(), hops);
    const domains = world.domains.map((_, at) => place.host(at, world.domains.length));
    await createAgent(stack.app, { username: CALLER, secret: 's', domains });
    return new Trial(stack, given, place, stage, counts);
  }

  /** Waits until the SIP server knows the configuration. */
  prepare(): Promise<void> {
    return this.stage.prepare();
  }

  /** Simulates the plan, makes the calls before it, and applies it. */
  async apply(): Promise<void> {
    const { stack, stage, place, given } = this;
    const { app } = stack;
    const state = await stateOf(app, place);
    const telUrls = new Map([...state.numbers.values()].map(({ ref, first }) => [ref, `tel:${first}`]));
    const wanted = changesOf(given.plan, { world: given.world, place, refs: stage.refs, telUrls });
    const found = await possible(app, wanted);
    this.said = found.said;
    this.changes = found.changes;
    this.users = (await usersOf(app, found.changes)).slice(0, MOST_CHANGED);
    this.before = await this.calls(state, state);
    if (found.changes.length > 0) await send(app, APPLY, found.changes);
    const probe = { username: `after${String(place.index)}`, secret: 's', sources: [place.address(PROBE_AFTER)] };
    await createPeer(app, probe);
  }

  /** Waits until the SIP server knows what was changed, makes the calls again, and compares. */
  async differences(): Promise<readonly Difference[]> {
    const { stack, stage, place, before, changes } = this;
    if (!before) throw new Error('the plan was not applied');
    const state = await stateOf(stack.app, place);
    await stage.knowsPeerAt(PROBE_AFTER);
    const wasKnown = (host: string): boolean => before.state.hosts.includes(host);
    const isKnown = (host: string): boolean => state.hosts.includes(host);
    for (const host of new Set([...before.state.hosts, ...state.hosts]))
      if (wasKnown(host) !== isKnown(host)) await stage.knows(host, isKnown(host));
    const after = await this.calls(state, before.state);
    const all = [before, after].flatMap(({ numbers, ways }) => [...numbers.values(), ...ways.values()]);
    const unexplained = all.filter(({ isAsSaid }) => !isAsSaid).map((made) => ({ is: 'explainCall differs', ...made }));
    const refs = new Set([...before.state.numbers.keys(), ...state.numbers.keys()]);
    const found = [
      ...[...refs].flatMap((ref) => listed(this.numberDifference(ref, before, after))),
      ...[...before.ways.keys()].flatMap((key) => listed(this.wayDifference(key, before, after))),
    ];
    this.count(changes.length === 0 ? 'plans without a change' : 'plans');
    const differences: readonly Difference[] = [...unexplained, ...found];
    return differences.map((each) => ({ ...each, changes, said: this.said }));
  }

  close(): Promise<void> {
    return this.stage.close();
  }

  /** Makes all calls to which the plan can make a difference. */
  private async calls(state: State, first: State): Promise<Calls> {
    const { stage, place } = this;
    const own = [...first.numbers.values(), ...state.numbers.values()].flatMap(({ first: from, last }) =>
      [from, last ?? []].flat(),
    );
    const numbers = new Set(
      [...own, ...textsIn(this.changes, 'telUrl'), ...textsIn(this.changes, 'lastTelUrl')].map(dialed),
    );
    const hosts = new Set([
      ...first.ways.map(({ domainUri }) => domainUri),
      ...first.hosts,
      ...textsIn(this.changes, 'domainUri'),
    ]);
    const prefixes = new Set([
      ...first.ways.flatMap(({ prefix }) => prefix ?? []),
      ...textsIn(this.changes, 'prefix'),
      '+',
      '',
    ]);
    const outside = new Set(
      [...prefixes].flatMap((prefix) => [...(/\d/.test(prefix) ? [prefix] : []), `${prefix}5551234`]),
    );
    const source = (number: string): string =>
      (holdersOf(state, number)[0] ?? holdersOf(first, number)[0])?.source ?? place.address(PROVIDERS[0] ?? 0);
    const toNumbers = [...numbers].map((number) => async () => {
      const ends = { from: '+33999', to: number, source: source(number) };
      return [number, await stage.call(ends, BUSY)] as const;
    });
    const out = [CALLER, ...this.users].flatMap((user) =>
      [...hosts].flatMap((host) =>
        [...outside].map((number) => async () => {
          const ends = { from: `${user}@${host}`, to: number, source: place.address(SPOT) };
          return [`${user} ${host} ${number}`, await stage.call(ends, FAILURE)] as const;
        }),
      ),
    );
    const [toOwn, toOthers] = await Promise.all([inTurns(toNumbers), inTurns(out)]);
    return { state, numbers: new Map(toOwn), ways: new Map(toOthers) };
  }

  /** Compares a number. Which of several with the same digits is called, is not known. */
  private numberDifference(ref: string, before: Calls, after: Calls): Difference | undefined {
    const [was, becomes] = [before.state.numbers.get(ref), after.state.numbers.get(ref)];
    const effect = this.said.numbers.find((each) => each.ref === ref);
    const [from, to] = numbersOf({ was, becomes }, before, after);
    const [had, has] = [before.numbers.get(from ?? ''), after.numbers.get(to ?? '')];
    if (!had || !has) {
      this.count('numbers that are not compared');
      return undefined;
    }
    const [rang, rings] = [had, has].map(({ actual }) => actual.invites.length > 0);
    const isSameCall = pathOf(had) === pathOf(has) && (was ?? becomes)?.gateway === (becomes ?? was)?.gateway;
    const kind = effect?.effect ?? 'unchanged';
    this.count(`numbers: ${kind}`);
    const isTrue = {
      // How a gateway is called is an effect on the ways out.
      unchanged: rang === rings && (pathOf(had) === pathOf(has) || this.besideWays(had) === this.besideWays(has)),
      STOPS: rang === true && (rings === false || losesOf(was, becomes, before, after)),
      STARTS: rang === false && rings === true,
      // A further target that does not ring makes no difference to a call. A range that gets more numbers moves.
      MOVES:
        rang === true &&
        rings === true &&
        (!isSameCall ||
          losesOf(becomes, was, after, before) ||
          effect?.before.targets.join() !== effect?.after.targets.join()),
      OTHER: rang === false && rings === false,
    }[kind];
    return isTrue === true ? undefined : { is: 'number differs', ref, effect, was, becomes, had, has };
  }

  /** Compares a way out of a domain, by a call that takes it. */
  private wayDifference(key: string, before: Calls, after: Calls): Difference | undefined {
    const [user = '', host = '', number = ''] = key.split(' ');
    const [had, has] = [before.ways.get(key), after.ways.get(key)];
    if (!had || !has) throw new Error(`no call of ${key}`);
    // A number of this server is called without a way out.
    if ([before, after].some(({ state }) => holdersOf(state, number).length > 0)) return undefined;
    // So is a user of the domain whose name is dialed, registered or not.
    if ([had, has].some(({ expected: { outcome, status } }) => outcome === 'RINGS' || status === 480)) return undefined;
    const sides = [
      { made: had, way: wayTo(before.state, host, number), of: 'before' as const },
      { made: has, way: wayTo(after.state, host, number), of: 'after' as const },
    ];
    const [was, becomes] = sides.map(({ way }) => JSON.stringify(way));
    const effects = sides.map(({ way }) => {
      const all = this.said.waysOut.filter((each) => way !== undefined && isSameWay(each, way));
      return all.find(({ caller }) => caller?.user === user) ?? all.find(({ caller }) => caller === null);
    });
    const isSaid = effects.some(
      (each) => each !== undefined && (was !== becomes || String(each.before) !== String(each.after)),
    );
    const isSame = pathOf(had) === pathOf(has);
    const isOfCaller = effects.some((each) => each?.caller);
    this.count(`ways${isOfCaller ? ' of changed agents' : ''}: ${isSaid ? 'changed' : 'unchanged'}`);
    const isTold = sides.every(({ made, of }, at) => {
      const attempts = effects[at]?.[of];
      if (effects[at]?.caller && !attempts) return made.expected.outcome !== 'LEAVES';
      return (
        !attempts ||
        made.expected.outcome !== 'LEAVES' ||
        isAmong(gatewaysOf(made), attempts, user === CALLER || effects[at]?.caller !== null)
      );
    });
    return (isSame || isSaid) && isTold ? undefined : { is: 'way differs', key, effects, was, becomes, had, has };
  }

  /** What a call did, with the gateways instead of how they are called, if that is said to change. */
  private besideWays({ actual: { outcome, invites }, expected }: Made): string {
    const told = this.said.waysOut.flatMap(({ before, after }) => [...(before ?? []), ...(after ?? [])]);
    const lines = invites.map(({ requestUri, nextHop, diversion }) => {
      const { gateway, number } = expected.invites.find((each) => each.requestUri === requestUri) ?? {};
      const isTold = gateway && told.some((each) => each.startsWith(`${gateway.name} `));
      return isTold ? [gateway.ref, number?.telUrl].join(' as ') : [requestUri, nextHop, diversion].join(' ');
    });
    return [outcome, ...lines.toSorted()].join('\n');
  }

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

function listed(found: Difference | undefined): readonly Difference[] {
  return found ? [found] : [];
}

/** Runs some works at a time. */
async function inTurns<T>(works: readonly (() => Promise<T>)[]): Promise<readonly T[]> {
  const done: T[] = [];
  for (let from = 0; from < works.length; from += CALLS_AT_ONCE)
    done.push(...(await Promise.all(works.slice(from, from + CALLS_AT_ONCE).map((work) => work()))));
  return done;
}

/**
 * The numbers by which a row is called before and after a plan: the same one, unless it gets another number and nobody else has the
 * old one. Undefined if several rows have the number, if a row with another spelling has it, or if another row gets it.
 */
function numbersOf(
  { was, becomes }: { readonly was: NumberRow | undefined; readonly becomes: NumberRow | undefined },
  before: Calls,
  after: Calls,
): readonly [string?, string?] {
  const isOnly = (number: string): boolean =>
    [before, after].every(({ state }) => {
      const [holder, ...others] = holdersOf(state, number);
      return others.length === 0 && (!holder || isSpelledAs(holder, number));
    });
  const isOwn = (number: string): boolean =>
    isOnly(number) &&
    (was ? isHeld(was, number, before) : becomes?.last === undefined || holdersOf(before.state, number).length === 0) &&
    // What another row gets from a deleted range is the effect of the other one.
    (becomes ? isHeld(becomes, number, after) : was?.last === undefined || holdersOf(after.state, number).length === 0);
  const own = [was, becomes].flatMap((row) => [row?.first ?? [], row?.last ?? []].flat()).find(isOwn);
  // What a row gets that another one had is the effect of the other one.
  const isTaken = !was && becomes && holdersOf(before.state, becomes.first).some(({ last }) => last === undefined);
  if (own !== undefined && isTaken !== true) return [own, own];
  if (!was || !becomes || was.first === becomes.first || !isOnly(was.first) || !isOnly(becomes.first)) return [];
  if (!isHeld(was, was.first, before) || !isHeld(becomes, becomes.first, after)) return [];
  const isSingle = was.last === undefined && becomes.last === undefined;
  const isLeft = isSingle && holdersOf(after.state, was.first).length > 0;
  return [was.first, isLeft ? was.first : becomes.first];
}

function isHeld({ ref }: NumberRow, number: string, { state }: Calls): boolean {
  const [holder, ...others] = holdersOf(state, number);
  return others.length === 0 && holder?.ref === ref;
}

/**
 * Whether a number of a range rings in one state and is not in the range in the other one. That there is a number of its own for
 * each number that a range loses or gets is not looked at, so one that has such a number need not ring.
 */
function losesOf(row: NumberRow | undefined, other: NumberRow | undefined, one: Calls, another: Calls): boolean {
  return [row?.first, row?.last].some((number) => {
    if (!row || !other || number === undefined) return false;
    if (!isHeld(row, number, one)) return row.last !== undefined && !isSpelledAs(other, number);
    return !isHeld(other, number, another) && (one.numbers.get(number)?.actual.invites.length ?? 0) > 0;
  });
}

/** What a call did, to compare. */
function pathOf({ actual: { outcome, invites } }: Made): string {
  const lines = invites.map(({ requestUri, nextHop, from, assertedIdentity, diversion }) =>
    [requestUri, nextHop, from, assertedIdentity, diversion].join(' '),
  );
  return [outcome, ...lines.toSorted()].join('\n');
}

/** The gateways through which a call leaves, each with the number that is shown, as `simulate` writes them. */
function gatewaysOf({ expected: { invites } }: Made): readonly (readonly [gateway: string, shown: string])[] {
  return invites.map(({ gateway, number }) => [gateway?.name ?? '', number?.telUrl ?? ''] as const);
}

/** `isShown` tells whether the numbers are compared, too: an agent may show another number than its domain. */
function isAmong(
  gateways: readonly (readonly [string, string])[],
  attempts: readonly string[],
  isShown: boolean,
): boolean {
  // A gateway with several destinations has several calls, and one with several numbers has one attempt for each: all at its first
  // destination, then all at the next one. Of numbers with the same digits, calls show the same.
  const names = (all: readonly (readonly [string, string])[]): string =>
    [
      ...new Set(all.map(([gateway, number]) => (isShown ? `${gateway} as ${digitsIn(dialed(number))}` : gateway))),
    ].join();
  const told = attempts.map((text): readonly [string, string] => {
    const [gateway = text] = gateways.find(([name]) => text.startsWith(`${name} `)) ?? [];
    return [gateway, text.slice(text.lastIndexOf(' as ') + ' as '.length)];
  });
  return names(gateways) === names(told);
}

function isSameWay(a: Way, b: Way): boolean {
  return a.domainUri === b.domainUri && a.prefix === b.prefix;
}

/** The user names of agents before and after changes. */
async function usersOf(app: TestApp, changes: readonly Change[]): Promise<readonly string[]> {
  const own = changes.filter(
    (each) => JSON.stringify(each).includes('"agent":') || JSON.stringify(each).includes('"Agent"'),
  );
  const { data, errors } = await app.graphql<{ agents: { nodes: readonly { readonly username: string }[] } }>(
    'query ($refs: [String!]!) { agents(first: 100, where: { ref: { in: $refs } }) { nodes { username } } }',
    { refs: textsIn(own, 'ref') },
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return [...new Set([...data.agents.nodes.map(({ username }) => username), ...textsIn(own, 'username')])];
}

/** The texts that changes give to a field. */
function textsIn(changes: readonly Change[], field: string): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(changes, (key, value: unknown) => {
    if (key === field && typeof value === 'string') texts.push(value);
    return value;
  });
  return texts;
}

/** Leaves out the changes that are refused, and simulates the others. */
async function possible(
  app: TestApp,
  wanted: readonly Change[],
): Promise<{ readonly changes: readonly Change[]; readonly said: Said }> {
  for (let changes = wanted; changes.length > 0;) {
    const { data, errors } = await app.graphql<{ readonly simulate: { readonly calls: Said } }>(SIMULATE, { changes });
    if (!errors) return { changes, said: data.simulate.calls };
    const places = JSON.stringify(errors).matchAll(/changes\[(\d+)\]/g);
    const wrong = new Set([...places].map(([, place]) => Number(place)));
    if (wrong.size === 0) throw new Error(JSON.stringify(errors));
    changes = changes.filter((_, at) => !wrong.has(at));
  }
  return { changes: [], said: { numbers: [], waysOut: [] } };
}

async function send(app: TestApp, mutation: string, changes: readonly Change[]): Promise<void> {
  const { errors } = await app.graphql(mutation, { changes });
  if (errors) throw new Error(JSON.stringify({ errors, changes }));
}
