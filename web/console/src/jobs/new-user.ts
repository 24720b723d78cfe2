import { beginningWith } from '../data/queries';
import { GraphError } from '../graph/graph-error';
import { request } from '../graph/request';
import { valueFor } from '../graph/spelling';
import type { PhoneAccount } from './account';
import type { Choice } from './finder';

/** Users of which the last numbers are known. */
const NEWEST = 100;
/** Numbers of which the first that is free is suggested. */
const TRIED = 50;
/** The longest user name that is counted on, in digits: larger numbers are not exact. */
const LONGEST = 15;
/** What is suggested for the first user of a domain. */
const FIRST = '1001';

interface Users {
  readonly agents: { readonly nodes: readonly { readonly username: string }[] };
}

const NEWEST_USERS = `query NewestUsers($domain: String!, $most: Int!) {
  agents(last: $most, where: { domains: { domainUri: { eq: $domain } } }) { nodes { username } }
}`;
const TAKEN = `query TakenNames($domain: String!, $names: [String!], $most: Int!) {
  agents(first: $most, where: { username: { in: $names }, domains: { domainUri: { eq: $domain } } }) { nodes { username } }
}`;

/** Returns the number after that of the domain's users, with as many digits. Throws a GraphError. */
export async function suggestUsername(domain: string, signal: AbortSignal): Promise<string> {
  const newest = await request<Users>(NEWEST_USERS, { domain, most: NEWEST }, { signal });
  const last = lastOf(newest.agents.nodes.map(({ username }) => username));
  if (last === undefined) return FIRST;
  const names = Array.from({ length: TRIED }, (_, step) => String(Number(last) + 1 + step).padStart(last.length, '0'));
  const { agents } = await request<Users>(TAKEN, { domain, names, most: TRIED }, { signal });
  const taken = new Set(agents.nodes.map(({ username }) => username));
  return names.find((name) => !taken.has(name)) ?? '';
}

/** The highest number among the user names, of those with the usual number of digits. */
function lastOf(usernames: readonly string[]): string | undefined {
  const numbers = usernames.filter((name) => /^\d+$/.test(name) && name.length < LONGEST);
  const counts = new Map<number, number>();
  for (const { length } of numbers) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [usual] = [...counts].toSorted(([short, one], [long, other]) => other - one || short - long)[0] ?? [];
  return numbers
    .filter(({ length }) => length === usual)
    .toSorted()
    .at(-1);
}

const FIND_DOMAINS = `query FindDomains($text: String!) {
  domains(first: 20, where: { domainUri: { containsIgnoreCase: $text } }) { nodes { ref domainUri } }
}`;

/** Finds domains. */
export async function findDomains(text: string, signal?: AbortSignal): Promise<readonly Choice[]> {
  const { domains } = await request<{ domains: { nodes: readonly { ref: string; domainUri: string }[] } }>(
    FIND_DOMAINS,
    { text },
    { signal },
  );
  return domains.nodes.map(({ ref, domainUri }) => ({ ref, label: domainUri }));
}

const FREE_NUMBERS = `query FreeNumbers($where: DIDWhere) {
  dids(first: 20, where: $where) { nodes { ref telUrl } }
}`;

/** Finds the DIDs that begin with a number as it is typed, and lead to no agent or peer. */
export async function findFreeNumbers(text: string, signal: AbortSignal): Promise<readonly Choice[]> {
  const digits = (await valueFor('telUrl', text)).replace(/;.*$|\D/g, '');
  if (digits === '') return [];
  // There may be a million numbers: they are found by their first digits, with an index.
  const { dids } = await request<{ dids: { nodes: readonly { ref: string; telUrl: string }[] } }>(
    FREE_NUMBERS,
    { where: { target: { exists: false }, or: beginningWith(digits) } },
    { signal },
  );
  return dids.nodes.map(({ ref, telUrl }) => ({ ref, label: telUrl.replace(/^tel:/i, '') }));
}

/** A user to be created. */
export interface NewUser {
  readonly username: string;
  readonly name: string;
  readonly domain: string;
  readonly secret: string;
}

const CREATE = 'mutation CreatePhoneUser($input: CreateAgentInput!) { createAgent(input: $input) { ref } }';

/** Creates an agent; with the same key once, however often it is sent. Throws a GraphError. */
export async function createUser({ domain, ...user }: NewUser, idempotencyKey: string): Promise<PhoneAccount> {
  const input = { ...user, domains: [domain] };
  const { createAgent } = await request<{ createAgent: { ref: string } }>(CREATE, { input }, { idempotencyKey });
  return { ...user, kind: 'Agent', ref: createAgent.ref, server: domain, before: [] };
}

// A number that somebody else has used meanwhile is not taken away. That of the agent itself may be routed again.
const ROUTE = `mutation RouteNumber($number: String!, $aorLink: String!, $agent: String!) {
  updateManyDIDs(
    refs: [$number]
    where: { or: [{ target: { exists: false } }, { target: { agent: { ref: { eq: $agent } } } }] }
    set: { aorLink: $aorLink }
    expectedCount: 1
  ) { count }
}`;

/** Routes calls to a free number to a user. Throws a GraphError; its code is CONFLICT if the number is not free. */
export async function routeNumber(number: string, { ref, username, server }: PhoneAccount): Promise<void> {
  await request(ROUTE, { number, agent: ref, aorLink: `sip:${userPart(username)}@${server}` });
}

/** Whether a number could not be routed because it is used. */
export function isTaken(error: unknown): boolean {
  return error instanceof GraphError && error.code === 'CONFLICT';
}

/** The user of a SIP URI, with escapes for what may not be in one (RFC 3261, 19.1.1). */
function userPart(username: string): string {
  return username.replace(/[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/gu, encodeURIComponent);
}
