import type { Values } from '../data/forms';
import { request } from '../graph/request';
import { stateOfGateway } from '../kinds/state';
import type { Choice } from './finder';

const FIND_GATEWAYS = `query FindGateways($text: String!, $old: String!) {
  gateways(first: 20, where: {
    ref: { ne: $old }
    or: [{ name: { containsIgnoreCase: $text } }, { host: { containsIgnoreCase: $text } }]
  }) { nodes { ref name username secretSet sendRegister registration { state } health { state } } }
}`;

/** Finds the gateways that can replace another one. */
export async function findGateways(old: string, text: string, signal: AbortSignal): Promise<readonly Choice[]> {
  const { gateways } = await request<{ gateways: { nodes: readonly FoundGateway[] } }>(
    FIND_GATEWAYS,
    { text, old },
    { signal },
  );
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

/** What was done; `request` is null if no number was moved. */
export type Replaced = Amount & { readonly request: string | null };

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
  return { dids: dids.count, numbers: numbers.count, request: dids.request ?? numbers.request };
}
