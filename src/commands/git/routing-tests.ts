import { InvalidInputError, quote } from '../../errors';
import type { Model } from '../../model/model';
import { isMembers } from '../../resources/documents/members';
import { parseYaml } from '../../resources/documents/yaml';
import { fieldsOnly } from '../../resources/read/selection';
import type { CallExplanation } from '../../sip/diagnosis/calls/call-diagnosis';
import { withoutDevice } from '../../sip/diagnosis/calls/without-device';
import type { AddressFacts, Facts, Momentary, NumberState } from '../../sip/diagnosis/facts';
import { summaryOf } from '../../sip/diagnosis/steps';
import type { CallServices } from '../databases';
import type { TextFile } from './directory';
import { messagesOf } from './documents';

/** What should become of a call. */
export interface RoutingTest {
  /** The file and the line. */
  readonly place: string;
  readonly to: string;
  readonly from?: string;
  /** The address from which the call comes. */
  readonly source?: string;
  /** The ref of the gateway that is tried first. */
  readonly leaves?: string;
  /** The number that is shown, with `leaves`. */
  readonly as?: string;
  /** The address of record, or its user name, or the outside number, that rings first. */
  readonly rings?: string;
  /** What is called after that, or together with it, in this order: all of it. With `leaves` or `rings`. */
  readonly else?: readonly string[];
  /** The status, such as 404. */
  readonly refused?: string;
}

/** What becomes of a call, in the words of a test. */
export interface Routed {
  readonly test: RoutingTest;
  /** Undefined if the call goes as the test says. */
  readonly difference: string | undefined;
}

const MEMBERS = ['to', 'from', 'source', 'leaves', 'as', 'rings', 'refused', 'else'] as const;
const OUTCOMES = ['leaves', 'rings', 'refused'] as const;
/** The most tests of a directory or a plan. */
export const MAX_TESTS = 1000;
/** States of a number in which nobody is called, whoever is registered. */
const CLOSED: readonly (NumberState | Momentary)[] = [
  'MISSING',
  'DISABLED',
  'AMBIGUOUS',
  'GATEWAY_DISABLED',
  'GATEWAY_DRAINING',
  'LIMIT_REACHED',
  'NO_WAY_OUT',
];

/** Reads the routing tests in files, and all that is wrong with them. */
export function readTests(files: readonly TextFile[]): {
  readonly tests: readonly RoutingTest[];
  readonly mistakes: readonly string[];
} {
  const mistakes: string[] = [];
  const tests = files.flatMap(({ name, text }) => {
    const read = parseYaml(text, { documents: MAX_TESTS, entries: MAX_TESTS });
    for (const { line, message } of read.mistakes) mistakes.push(`${name}:${String(line)}: ${message}`);
    return read.values.flatMap(({ value, line }) => testIn(value, `${name}:${String(line)}`, mistakes) ?? []);
  });
  if (tests.length > MAX_TESTS) mistakes.push(`there are more than ${String(MAX_TESTS)} tests`);
  return { tests, mistakes };
}

/** Reads a test. Undefined, with mistakes, if it is none. */
export function testIn(value: unknown, place: string, mistakes: string[]): RoutingTest | undefined {
  const wrong: string[] = [];
  const members: Partial<Record<Exclude<(typeof MEMBERS)[number], 'else'>, string>> = {};
  let others: readonly string[] | undefined;
  if (!isMembers(value)) wrong.push(`${quote(value)} is not a test`);
  for (const [key, each] of Object.entries(isMembers(value) ? value : {})) {
    const name = MEMBERS.find((member) => member === key);
    if (!name) wrong.push(`${key}: is not one of ${MEMBERS.join(', ')}`);
    else if (name === 'else') others = placesIn(each, wrong);
    // A number in YAML may have lost digits, such as zeros at its start, and the sign.
    else if (typeof each === 'string' || name === 'refused') members[name] = String(each);
    else wrong.push(`${name}: ${quote(each)} is not a text: put it into quotes`);
  }
  const { to, from, as, source } = members;
  if (wrong.length === 0) {
    if (to === undefined) wrong.push('to: is required');
    if (OUTCOMES.filter((name) => members[name] !== undefined).length !== 1)
      wrong.push('must have exactly one of leaves, rings, refused');
    if (from === undefined && members.rings === undefined) wrong.push('from: is required with leaves and refused');
    if (from === undefined && source !== undefined) wrong.push('source: requires from');
    if (as !== undefined && members.leaves === undefined) wrong.push('as: requires leaves');
    const { refused } = members;
    if (refused !== undefined && !/^[3-6]\d\d$/.test(refused))
      wrong.push(`refused: ${quote(refused)} is not the status of a response from 300 to 699`);
    if (others && refused !== undefined) wrong.push('else: requires leaves or rings');
  }
  mistakes.push(...wrong.map((message) => `${place}: ${message}`));
  if (wrong.length > 0 || to === undefined) return undefined;
  return { place, to, ...members, ...(others && { else: others }) };
}

/** The places of `else`: a text, or a list of texts. */
function placesIn(value: unknown, wrong: string[]): readonly string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((each) => {
    if (typeof each === 'string') return each;
    wrong.push(`else: ${quote(each)} is not a text: put it into quotes`);
    return [];
  });
}

/** Explains the calls of tests, one after the other. */
export async function routeAll(
  read: CallServices,
  model: Model,
  tests: readonly RoutingTest[],
): Promise<readonly Routed[]> {
  const routed: Routed[] = [];
  for (const test of tests) routed.push(await route(read, model, test));
  return routed;
}

/** Explains the call of a test. One whose caller or called party is neither number nor address differs from the test. */
async function route(read: CallServices, model: Model, test: RoutingTest): Promise<Routed> {
  try {
    return await explain(read, model, test);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { test, difference: `cannot be explained: ${messagesOf(error).join('; ')}` };
  }
}

async function explain(read: CallServices, model: Model, test: RoutingTest): Promise<Routed> {
  const { from, to, source } = test;
  if (from !== undefined) return ofCall(read, model, test, await read.callDiagnosis.explain(from, to, source));
  const { state, steps, facts } = to.includes('@')
    ? await read.addresses.explain(to)
    : await read.diagnosis.explain(to);
  const called = facts ? calledBy(facts) : [];
  const isRight = !CLOSED.includes(state) && ringsAs(test, called);
  const target = facts ? ` and leads to ${called[0] ?? facts.aorLink}${elseOf(test.else && called.slice(1))}` : '';
  return { test, difference: isRight ? undefined : `is ${state}${target}: ${summaryOf(steps)}` };
}

async function ofCall(
  read: CallServices,
  model: Model,
  test: RoutingTest,
  { outcome, status, reason, steps, attempts }: CallExplanation,
): Promise<Routed> {
  const { leaves, as, rings, refused } = test;
  const [first] = attempts;
  if (outcome === 'LEAVES' && first) {
    const kind = model.kindOf('Gateway');
    const ids = [...new Set(attempts.flatMap(({ gatewayId }) => gatewayId ?? []))];
    const gateways = await read.resources.byRowIds(kind, ids, fieldsOnly('ref'));
    const [ref, ...others] = ids.map((id) => String(gateways.get(id)?.ref));
    const shown = userOf(first.assertedIdentity ?? first.from ?? '');
    const isRight = ref === leaves && (as === undefined || as === shown) && isAll(test.else, others);
    const told = `leaves by ${String(ref)} as ${shown}${elseOf(test.else && others)}`;
    return { test, difference: isRight ? undefined : told };
  }
  // Without a device, a call is refused, although its way is known.
  const contacts = steps.find(({ of }) => of === 'contacts');
  const called = contacts && (contacts.facts ?? contacts.address);
  const isKnown = outcome === 'RINGS' || (outcome === 'REFUSED' && withoutDevice(steps) !== undefined);
  if (rings !== undefined && called && isKnown) {
    const places = calledBy(called);
    const told = `rings ${String(places[0])}${elseOf(test.else && places.slice(1))}`;
    return { test, difference: ringsAs(test, places) ? undefined : told };
  }
  const isRight = refused !== undefined && outcome === 'REFUSED' && String(status) === refused;
  const told = status === null ? outcome : `${outcome} ${String(status)} ${reason ?? ''}`.trim();
  return { test, difference: isRight ? undefined : `${told}: ${summaryOf(steps)}` };
}

/** Whom calls to a number or an address reach, in order: addresses of record and outside numbers. Devices make no difference. */
function calledBy(facts: AddressFacts & Partial<Pick<Facts, 'targets'>>): readonly string[] {
  const { aorLink, targets = [] } = facts;
  return [
    ...(isThere(facts) ? [aorLink] : []),
    ...targets.flatMap(({ target, address, leaves }) =>
      (address ? isThere(address) : leaves === 'YES') ? [target] : [],
    ),
  ];
}

/** Whether an address of record can be called once it has a device. A peer needs no domain. */
function isThere({ agentId, peerId, isDisabled }: AddressFacts): boolean {
  return agentId === null ? peerId !== null && !isDisabled.peer : !isDisabled.domain && !isDisabled.agent;
}

function ringsAs({ rings, else: others }: RoutingTest, [first, ...rest]: readonly string[]): boolean {
  const isFirst = first !== undefined && rings !== undefined && isAddress(first, rings);
  return isFirst && isAll(others, rest, isAddress);
}

/** Whether places are the wanted ones, in their order; always if none are wanted. */
function isAll(
  wanted: readonly string[] | undefined,
  places: readonly string[],
  isSame: (place: string, wanted: string) => boolean = (place, each) => place === each,
): boolean {
  if (!wanted) return true;
  return wanted.length === places.length && places.every((place, index) => isSame(place, wanted[index] ?? ''));
}

/** How a test and a call say what is called after the first; nothing if a test does not ask. */
export function elseOf(others: readonly string[] | undefined): string {
  if (!others) return '';
  return `, else ${others.length === 0 ? 'nobody' : others.join(', ')}`;
}

function isAddress(aorLink: string, wanted: string): boolean {
  const [address, given] = [aorLink, wanted].map((text) => text.replace(/^(?:sips?|tel):/, '')) as [string, string];
  return address === given || (!given.includes('@') && userOf(aorLink) === given);
}

/** The user part of a SIP URI, or of a header with one. */
function userOf(text: string): string {
  return /sips?:([^@;>]*)@/.exec(text)?.[1] ?? text;
}
