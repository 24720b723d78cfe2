import { contactsOf, REGISTRATIONS, RESOURCES, type Watched } from '../graph/live-query';
import type { Former } from '../parts/links';
import type { Progress } from '../parts/progress';
import type { texts } from '../texts';

/** A link in the path of a call, as the graph describes it. */
export interface Step {
  readonly __typename: keyof typeof texts.explain.links;
  readonly state: string;
  readonly summary: string;
  readonly suggestion: string | null;
  readonly number?: PhoneNumber | null;
  readonly gateway?: Gateway | null;
  /** The gateway from which a call comes. */
  readonly source?: { readonly ref: string; readonly name: string } | null;
  readonly registration?: { readonly lastResponse: string | null; readonly nextAttemptAt: string | null } | null;
  readonly aorLink?: string;
  readonly domain?: { readonly ref: string; readonly domainUri: string } | null;
  readonly target?: Target | null;
  readonly contacts?: readonly Device[];
}

/** A DID or a Number. */
export interface PhoneNumber {
  readonly __typename: 'DID' | 'Number';
  readonly ref: string;
  readonly telUrl: string;
}

/** A gateway, with what its registration needs. */
export interface Gateway {
  readonly ref: string;
  readonly name: string;
  readonly host: string;
  readonly port: number | null;
  readonly transport: string;
  readonly username: string | null;
  readonly secretSet: boolean;
}

/** The agent or peer that rings. */
export interface Target {
  readonly __typename: 'Agent' | 'Peer';
  readonly ref: string;
  readonly name: string;
}

/** A registered device. */
export interface Device {
  readonly id: string;
  readonly uri: string;
  readonly transport: string;
  readonly nat: boolean;
  readonly userAgent: string | null;
}

/** The explanation of a number or of an address of record. */
export interface Explanation {
  readonly state: string;
  readonly reachable: boolean;
  readonly summary: string;
  readonly steps: readonly Step[];
}

const NUMBER = '__typename ... on DID { ref telUrl } ... on Number { ref telUrl }';
const TARGET = '__typename ... on Agent { ref name } ... on Peer { ref name }';
const LINKS = `steps {
  __typename state summary suggestion
  ... on NumberStep { number { ${NUMBER} } }
  ... on GatewayStep {
    gateway { ref name host port transport username secretSet }
    registration { lastResponse nextAttemptAt }
  }
  ... on AorStep { aorLink }
  ... on DomainStep { domain { ref domainUri } }
  ... on TargetStep { target { ${TARGET} } }
  ... on ContactsStep { contacts { id uri transport nat userAgent } }`;
const PAST = 'change { entry request event kind } former { kind ref name } unknown';
const STEPS = `state reachable summary ${LINKS} }`;

/** The result of EXPLAIN_NUMBER. */
export interface NumberAnswer {
  readonly explainNumber: Explanation & { readonly others: readonly PhoneNumber[] };
}

export const EXPLAIN_NUMBER = `query ExplainNumber($telUrl: String!) {
  explainNumber(telUrl: $telUrl) {
    ${STEPS}
    others { ${NUMBER} }
  }
}`;

/** The change that broke the first broken link. */
export interface Culprit {
  readonly entry: string;
  readonly request: string | null;
  readonly event: string;
  readonly kind: string;
}

/** What an explanation of an earlier time has besides that of the present. */
export interface PastMembers {
  readonly change: Culprit | null;
  /** Of the resources of that time, those that no longer exist. */
  readonly former: readonly Former[];
  readonly unknown: readonly string[];
}

/** The result of EXPLAIN_PAST. */
export interface PastAnswer {
  readonly explainNumber: Explanation & PastMembers;
}

export const EXPLAIN_PAST = `query ExplainPast($telUrl: String!, $at: DateTimeISO!) {
  explainNumber(telUrl: $telUrl, at: $at) { ${STEPS} ${PAST} }
}`;

/** What the explanation of a number depends on. */
export function watchedOf(data: NumberAnswer | undefined): readonly Watched[] {
  return [RESOURCES, REGISTRATIONS, ...contactsIn(data?.explainNumber.steps)];
}

/** The devices of all addresses of record in a path: a number may have several. */
function contactsIn(steps: readonly Step[] = []): readonly Watched[] {
  return steps.flatMap(({ aorLink = '' }) => (/^sips?:/i.test(aorLink) ? [contactsOf(aorLink)] : []));
}

/** The result of EXPLAIN_ADDRESS. */
export interface AddressAnswer {
  readonly explainAddress: Explanation & { readonly addressOfRecord: string };
  readonly numberHealth: {
    readonly totalCount: number;
    readonly nodes: readonly {
      readonly kind: string;
      readonly ref: string;
      readonly telUrl: string;
      readonly reachable: boolean;
      readonly summary: string;
    }[];
  };
}

export const EXPLAIN_ADDRESS = `query ExplainAddress($aor: String!) {
  explainAddress(addressOfRecord: $aor) { addressOfRecord ${STEPS} }
  numberHealth(addressOfRecord: $aor, first: 20) { totalCount nodes { kind ref telUrl reachable summary } }
}`;

/** An INVITE that the SIP server sends. */
export interface Attempt {
  /** Attempts of one order are made at once. */
  readonly order: number;
  /** For how many seconds those of the order before may ring. */
  readonly after: number | null;
  readonly gateway: { readonly ref: string; readonly name: string } | null;
  readonly number: { readonly ref: string; readonly telUrl: string } | null;
  readonly health: string | null;
  readonly contact: Device | null;
  readonly requestUri: string;
  readonly nextHop: string | null;
  readonly from: string | null;
  readonly assertedIdentity: string | null;
  readonly diversion: string | null;
}

/** The result of EXPLAIN_CALL. */
export interface CallAnswer {
  readonly explainCall: {
    readonly outcome: 'RINGS' | 'LEAVES' | 'REFUSED' | 'UNKNOWN';
    readonly status: number | null;
    readonly reason: string | null;
    readonly summary: string;
    readonly steps: readonly Step[];
    readonly attempts: readonly Attempt[];
  };
}

const CALL = `outcome status reason summary
    ${LINKS}
      ... on SourceStep { source: gateway { ref name } }
      ... on CallerStep { target { ${TARGET} } }
      ... on AccessStep { domain { ref domainUri } }
      ... on RouteStep { domain { ref domainUri } }
    }`;

export const EXPLAIN_CALL = `query ExplainCall($from: String!, $to: String!, $sourceAddress: String) {
  explainCall(from: $from, to: $to, sourceAddress: $sourceAddress) {
    ${CALL}
    attempts {
      order after gateway { ref name } number { ref telUrl } health contact { id uri transport nat userAgent }
      requestUri nextHop from assertedIdentity diversion
    }
  }
}`;

/** A call of an earlier time. */
export type PastCall = Omit<CallAnswer['explainCall'], 'attempts'> & PastMembers;

/** The result of EXPLAIN_PAST_CALL and EXPLAIN_RECORDED. */
export interface PastCallAnswer {
  readonly explainCall: PastCall;
}

export const EXPLAIN_PAST_CALL = `query ExplainPastCall($from: String!, $to: String!, $sourceAddress: String, $at: DateTimeISO!) {
  explainCall(from: $from, to: $to, sourceAddress: $sourceAddress, at: $at) { ${CALL} ${PAST} }
}`;

export const EXPLAIN_RECORDED = `query ExplainRecorded($call: ID!) { explainCall(call: $call) { ${CALL} ${PAST} } }`;

/** What the explanation of a call depends on. */
export function watchedForCall(data: CallAnswer | undefined): readonly Watched[] {
  return [RESOURCES, REGISTRATIONS, ...contactsIn(data?.explainCall.steps)];
}

/** Changes where calls to a number go. */
export function routeOf(kind: PhoneNumber['__typename']): string {
  return `mutation Route($ref: String!, $aorLink: String!) {
    update${kind}(ref: $ref, input: { aorLink: $aorLink }) { aorLink }
  }`;
}

/** A target of a number, and what becomes of calls to it. */
export interface TargetState {
  /** When it is called, such as `after 15 s, calls go to sip:1002@sip.local`. */
  readonly when: string;
  /** Whether it rings, or leaves: `works` if so. */
  readonly progress: Progress;
  /** What rings, or why it does not. */
  readonly summary: string;
}

/** Whom calls to a number reach, in order. */
export function targetsOf(steps: readonly Step[]): readonly TargetState[] {
  const { common, targets } = branchesOf(steps);
  const isReached = !common.some(isBroken);
  return targets.map((path) => {
    const stopped = path.find((step) => step.state !== 'OK' && !isDispensable(step, path));
    const broken = stopped && isBroken(stopped) ? 'broken' : 'unneeded';
    const summary = (stopped ?? path.at(-1))?.summary ?? '';
    const progress = !isReached ? 'unreached' : stopped ? broken : 'works';
    return { when: path[0]?.summary ?? '', progress, summary };
  });
}

/** A peer needs no domain. What else is not needed belongs to a target that does not ring, while another one does. */
function isDispensable({ __typename: type, state }: Step, path: readonly Step[]): boolean {
  return type === 'DomainStep' && state === 'NOT_NEEDED' && path.some(({ target }) => target?.__typename === 'Peer');
}

/** The links that all targets have in common, and those of each target. */
function branchesOf(steps: readonly Step[]): {
  readonly common: readonly Step[];
  readonly targets: readonly (readonly Step[])[];
} {
  const starts = steps.flatMap(({ __typename: type }, index) => (type === 'AorStep' ? [index] : []));
  return { common: steps.slice(0, starts[0]), targets: starts.map((start, at) => steps.slice(start, starts[at + 1])) };
}

const WORKING = ['OK', 'NOT_NEEDED'];

function isBroken({ state }: Step): boolean {
  return !WORKING.includes(state);
}

/** The progress of a call at each link. Each target of a number has a path of its own, after what they have in common. */
export function progressOf(steps: readonly Step[]): readonly Progress[] {
  const { common, targets } = branchesOf(steps);
  if (targets.length <= 1 || common.some(isBroken)) return progressAlong(steps);
  return [common, ...targets].flatMap(progressAlong);
}

function progressAlong(steps: readonly Step[]): readonly Progress[] {
  const broken = steps.findIndex(isBroken);
  return steps.map(({ state }, index) => {
    if (broken >= 0 && index >= broken) return index === broken ? 'broken' : 'unreached';
    return state === 'OK' ? 'works' : 'unneeded';
  });
}
