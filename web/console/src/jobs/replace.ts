import type { Values } from '../data/forms';
import type { ForwardPage, Nodes } from '../graph/lists';
import { request } from '../graph/request';
import { stateOfGateway } from '../kinds/state';
import { type Wait, WAIT_DECLARED, WAIT_PASSED, type Waiting, WAITING, waitVariables } from '../pending/wait';
import type { Choice } from './finder';
import { words } from './texts';

const FIND_GATEWAYS = `query FindGateways($text: String!, $old: String!) {
  gateways(first: 20, where: {
    ref: { ne: $old }
    or: [{ name: { containsIgnoreCase: $text } }, { host: { containsIgnoreCase: $text } }]
  }) { nodes { ref name enabled draining username secretSet sendRegister registration { state } health { state } } }
}`;

/** Finds the gateways that can replace another one. */
export async function findGateways(old: string, text: string, signal: AbortSignal): Promise<readonly Choice[]> {
  const { gateways } = await request<{ gateways: Nodes<FoundGateway> }>(FIND_GATEWAYS, { text, old }, { signal });
  return gateways.nodes.map((gateway) => ({
    ref: gateway.ref,
    label: gateway.name,
    note: stateOfGateway(gateway).text,
  }));
}

type FoundGateway = Values & { readonly ref: string; readonly name: string };

/** How many numbers a gateway has. */
export interface Amount {
  readonly dids: number;
  readonly numbers: number;
}

/** What was done; `request` is null if no number was moved, or not yet. */
export type Replaced = Amount & { readonly request: string | null; readonly pending: Waiting };

// One request, which is one line of the history, and which one Undo reverts.
const REPLACE = `mutation ReplaceGateway(
  $from: String!, $to: String!, $dids: Int, $numbers: Int, $dryRun: Boolean!, $delete: Boolean!
) {
  dids: updateManyDIDs(
    where: { gatewayRef: { eq: $from } }, set: { gatewayRef: $to }, expectedCount: $dids, dryRun: $dryRun
  ) { count request }
  numbers: updateManyNumbers(
    where: { gatewayRef: { eq: $from } }, set: { gatewayRef: $to }, expectedCount: $numbers, dryRun: $dryRun
  ) { count request }
  deleteGateway(ref: $from) @include(if: $delete)
}`;

interface Many {
  readonly count: number;
  readonly request: string | null;
}

/** Returns how many numbers would be moved to another gateway, without moving them. Throws a GraphError. */
export async function previewReplacement(from: string, to: string, signal: AbortSignal): Promise<Amount> {
  const { dids, numbers } = await request<{ dids: Many; numbers: Many }>(
    REPLACE,
    { from, to, dryRun: true, delete: false },
    { signal },
  );
  return { dids: dids.count, numbers: numbers.count };
}

/**
 * Moves all numbers of a gateway to another one if there are as many as expected, and deletes the gateway if it shall.
 * Throws a GraphError; what comes before the failure in this order is done then.
 */
export async function replaceGateway(
  from: string,
  to: string,
  expected: Amount,
  isDeleting: boolean,
  idempotencyKey: string,
): Promise<Replaced> {
  const { dids, numbers } = await request<{ dids: Many; numbers: Many }>(
    REPLACE,
    { from, to, ...expected, dryRun: false, delete: isDeleting },
    { idempotencyKey },
  );
  return { dids: dids.count, numbers: numbers.count, request: dids.request ?? numbers.request, pending: null };
}

/** The most changes that can wait as one set (docs/confirm.md). */
export const MOST_WAITING = 1000;

// One set of changes, because all of it comes back together.
const APPLY = `mutation ReplaceGatewayOrTakeItBack($changes: [ChangeInput!]!, ${WAIT_DECLARED}) {
  applied: applyChanges(changes: $changes, ${WAIT_PASSED}) { request ${WAITING} }
}`;
const REFS = `query NumbersOfGateway($where: DIDWhere!, $alike: NumberWhere!, $afterDid: String, $afterNumber: String) {
  dids(first: 100, after: $afterDid, where: $where) { nodes { ref } pageInfo { hasNextPage endCursor } }
  numbers(first: 100, after: $afterNumber, where: $alike) { nodes { ref } pageInfo { hasNextPage endCursor } }
}`;

type Refs = ForwardPage<{ readonly ref: string }>;

/**
 * The same as `replaceGateway`, so that it comes back unless it is confirmed, or is done later. Throws a GraphError; then
 * nothing is done.
 */
export async function replaceAndWait(
  from: string,
  to: string,
  expected: Amount,
  isDeleting: boolean,
  wait: Wait,
  idempotencyKey: string,
): Promise<Replaced> {
  const refs = await refsOf(from);
  if (refs.dids.length !== expected.dids || refs.numbers.length !== expected.numbers)
    throw new Error(words.replace.others);
  const changes = [
    ...refs.dids.map((ref) => ({ update: { ref, did: { gatewayRef: to } } })),
    ...refs.numbers.map((ref) => ({ update: { ref, number: { gatewayRef: to } } })),
    ...(isDeleting ? [{ delete: { kind: 'Gateway', ref: from } }] : []),
  ];
  const { applied } = await request<{ applied: { request: string | null; pending: Waiting } }>(
    APPLY,
    { changes, ...waitVariables(wait) },
    { idempotencyKey },
  );
  return { ...expected, ...applied };
}

/** The refs of all numbers of a gateway, up to MOST_WAITING of each kind. */
async function refsOf(
  gateway: string,
): Promise<{ readonly dids: readonly string[]; readonly numbers: readonly string[] }> {
  const where = { gatewayRef: { eq: gateway } };
  const all = { dids: [] as string[], numbers: [] as string[] };
  let after: { readonly afterDid?: string | null; readonly afterNumber?: string | null } = {};
  for (let page = 0; page < MOST_WAITING / 100; page++) {
    const { dids, numbers } = await request<{ dids: Refs; numbers: Refs }>(REFS, { where, alike: where, ...after });
    all.dids.push(...dids.nodes.map(({ ref }) => ref));
    all.numbers.push(...numbers.nodes.map(({ ref }) => ref));
    if (!dids.pageInfo.hasNextPage && !numbers.pageInfo.hasNextPage) break;
    // After the last one, there is nothing more.
    after = {
      afterDid: dids.pageInfo.endCursor ?? after.afterDid ?? null,
      afterNumber: numbers.pageInfo.endCursor ?? after.afterNumber ?? null,
    };
  }
  return all;
}
