import { InvalidInputError, quote } from '../../errors';
import type { Model } from '../../model/model';
import { isMembers } from '../../resources/documents/members';
import { parseYaml } from '../../resources/documents/yaml';
import { fieldsOnly } from '../../resources/read/selection';
import type { CallExplanation } from '../../sip/diagnosis/calls/call-diagnosis';
import { withoutDevice } from '../../sip/diagnosis/calls/without-device';
import type { Momentary, NumberState } from '../../sip/diagnosis/facts';
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
  /** The address of record, or its user name, that rings first. */
  readonly rings?: string;
  /** The status, such as 404. */
  readonly refused?: string;
}

/** What becomes of a call, in the words of a test. */
export interface Routed {
  readonly test: RoutingTest;
  /** Undefined if the call goes as the test says. */
  readonly difference: string | undefined;
}

const MEMBERS = ['to', 'from', 'source', 'leaves', 'as', 'rings', 'refused'] as const;
const OUTCOMES = ['leaves', 'rings', 'refused'] as const;
/** The most tests of a directory or a plan. */
export const MAX_TESTS = 1000;
/** States of a number whose configuration is complete: only devices and registrations are missing. */
const CONFIGURED: readonly (NumberState | Momentary)[] = [
  'REACHABLE',
  'NOT_REGISTERED',
  'EXPIRED',
  'GATEWAY_NOT_REGISTERED',
  'GATEWAY_EXPIRED',
  'GATEWAY_REFUSED',
];

/** Reads the routing tests in files, and all that is wrong with them. */
export function readTests(files: readonly TextFile[]): {
  readonly tests: readonly RoutingTest[];
  readonly mistakes: readonly string[];
} {
  const mistakes: string[] = [];
  const tests = files.flatMap(({ name, text }) => {
    const read = parseYaml(text, MAX_TESTS, MAX_TESTS);
    for (const { line, message } of read.mistakes) mistakes.push(`${name}:${String(line)}: ${message}`);
    return read.values.flatMap(({ value, line }) => testIn(value, `${name}:${String(line)}`, mistakes) ?? []);
  });
  if (tests.length > MAX_TESTS) mistakes.push(`there are more than ${String(MAX_TESTS)} tests`);
  return { tests, mistakes };
}

/** Reads a test. Undefined, with mistakes, if it is none. */
export function testIn(value: unknown, place: string, mistakes: string[]): RoutingTest | undefined {
  const wrong: string[] = [];
  const members: Partial<Record<(typeof MEMBERS)[number], string>> = {};
  if (!isMembers(value)) wrong.push(`${quote(value)} is not a test`);
  for (const [key, each] of Object.entries(isMembers(value) ? value : {})) {
    const name = MEMBERS.find((member) => member === key);
    if (!name) wrong.push(`${key}: is not one of ${MEMBERS.join(', ')}`);
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
  }
  mistakes.push(...wrong.map((message) => `${place}: ${message}`));
  return wrong.length === 0 && to !== undefined ? { place, to, ...members } : undefined;
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
    return await explained(read, model, test);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { test, difference: `cannot be explained: ${messagesOf(error).join('; ')}` };
  }
}

async function explained(read: CallServices, model: Model, test: RoutingTest): Promise<Routed> {
  const { from, to, source, rings } = test;
  if (from !== undefined) return ofCall(read, model, test, await read.callDiagnosis.explain(from, to, source));
  const { state, steps, facts } = to.includes('@')
    ? await read.addresses.explain(to)
    : await read.diagnosis.explain(to);
  const isRight = CONFIGURED.includes(state) && facts !== undefined && isAddress(facts.aorLink, rings ?? '');
  const target = facts ? ` and leads to ${facts.aorLink}` : '';
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
  if (outcome === 'LEAVES' && typeof first?.gatewayId === 'number') {
    const kind = model.kindOf('Gateway');
    const gateway = (await read.resources.byRowIds(kind, [first.gatewayId], fieldsOnly('ref'))).get(first.gatewayId);
    const shown = userOf(first.assertedIdentity ?? first.from ?? '');
    const isRight = gateway?.ref === leaves && (as === undefined || as === shown);
    return { test, difference: isRight ? undefined : `leaves by ${String(gateway?.ref)} as ${shown}` };
  }
  // Without a device, a call is refused, although its way is known.
  const called = steps.find(({ of }) => of === 'contacts');
  const ringing = called && (called.address ?? called.facts);
  const address = (outcome === 'REFUSED' ? withoutDevice(steps) : ringing)?.aorLink;
  if (rings !== undefined && address !== undefined && (outcome === 'RINGS' || outcome === 'REFUSED'))
    return { test, difference: isAddress(address, rings) ? undefined : `rings ${address}` };
  const isRight = refused !== undefined && outcome === 'REFUSED' && String(status) === refused;
  const told = status === null ? outcome : `${outcome} ${String(status)} ${reason ?? ''}`.trim();
  return { test, difference: isRight ? undefined : `${told}: ${summaryOf(steps)}` };
}

function isAddress(aorLink: string, wanted: string): boolean {
  const [address, given] = [aorLink, wanted].map((text) => text.replace(/^sips?:/, '')) as [string, string];
  return address === given || (!given.includes('@') && userOf(aorLink) === given);
}

/** The user part of a SIP URI, or of a header with one. */
function userOf(text: string): string {
  return /sips?:([^@;>]*)@/.exec(text)?.[1] ?? text;
}
