import { LATE, SILENCE, TRYING } from './world';
import { arranged } from './order';

/** What explainCall says, or what happened. */
export interface Result {
  readonly outcome: string;
  readonly status: number | null;
  readonly reason: string | null;
  readonly invites: readonly Invite[];
  /** The routes that a call takes. */
  readonly routes?: readonly RouteOfCall[];
}

/** The gateway of an INVITE that leaves, with its places. */
interface GatewayOfInvite {
  readonly ref: string;
  readonly name: string;
  readonly host: string;
  readonly port: number | null;
  readonly health: { readonly state: string };
  readonly destinations: readonly DestinationOfInvite[] | null;
}

interface DestinationOfInvite {
  readonly host: string;
  readonly port: number | null;
  readonly priority: number | null;
  readonly enabled: boolean | null;
  readonly draining: boolean | null;
  readonly health: { readonly state: string };
}

/** A route that explainCall names: the gateways of its numbers, in the order that the shares have, if there are any. */
export interface RouteOfCall {
  readonly numbers: readonly { readonly gateway: { readonly ref: string } | null }[];
  readonly shares: readonly { readonly priority: number }[] | null;
}

/** An INVITE that the SIP server sends, or sent. */
export interface Invite {
  readonly requestUri: string;
  readonly nextHop: string | null;
  readonly from: string | null;
  readonly assertedIdentity: string | null;
  readonly diversion: string | null;
  /** Of what explainCall says. */
  readonly order?: number;
  readonly after?: number | null;
  readonly share?: number | null;
  readonly gateway?: GatewayOfInvite | null;
  readonly number?: { readonly telUrl: string } | null;
}

/** The most silent providers of a call, each of which takes 6 s. */
const MOST_SILENT = 2;

/**
 * The answers of those who are called, without silence where it would last for too long: for what rings, for the last way out, and
 * after MOST_SILENT others.
 */
export function playable(said: Result, answers: readonly string[]): readonly string[] {
  if (said.outcome !== 'LEAVES') return answers.map(loud);
  const many = said.invites.filter(({ nextHop }) => nextHop !== null).length;
  let silent = 0;
  return Array.from({ length: Math.max(1, many) }, (_, index) => {
    const answer = answers[Math.min(index, answers.length - 1)] ?? '';
    const isLoud = index >= many - 1 || (isSilent(answer) && ++silent > MOST_SILENT);
    return isLoud ? loud(answer) : answer;
  });
}

/** An answer that comes at once. */
export function loud(answer: string): string {
  return isSilent(answer) ? '503 Service Unavailable' : answer;
}

function isSilent(answer: string): boolean {
  return answer === SILENCE || answer === TRYING;
}

/** Whether somebody answers the call. */
function isAnswer(answer: string | undefined): boolean {
  return answer === LATE || answer?.startsWith('2') === true;
}

/** Whether an answer of a gateway makes the SIP server try the next one. */
function isFailure(answer: string): boolean {
  return answer.startsWith('5') || isSilent(answer);
}

/**
 * The INVITEs that are sent if the gateways and devices answer in this way, by their order: those that follow only a
 * failure are not sent after another answer. A host without an address is not called.
 */
function sentOf(said: Result, answers: readonly string[]): readonly (readonly Invite[])[] {
  const orders = new Map<number, Invite[]>();
  for (const invite of said.invites) {
    const { order = 0 } = invite;
    orders.set(order, [...(orders.get(order) ?? []), invite]);
  }
  const sent: (readonly Invite[])[] = [];
  let many = 0;
  let isOver = false;
  for (const [order, all] of [...orders].sort(([a], [b]) => a - b)) {
    if (order > 1 && all[0]?.after === null && isOver) continue;
    const invites = all.filter(({ nextHop }) => nextHop !== null);
    if (invites.length === 0) {
      // It fails at once, so the next one is tried.
      isOver = false;
      continue;
    }
    many += invites.length;
    isOver = !isFailure(answers[Math.min(many, answers.length) - 1] ?? '');
    sent.push(invites);
    if (answersTo(many - invites.length, many, answers).some(isAnswer)) break;
  }
  return sent;
}

/** The answers to the INVITEs from one position to before another. */
function answersTo(from: number, to: number, answers: readonly string[]): readonly string[] {
  return Array.from({ length: to - from }, (_, at) => answers[Math.min(from + at, answers.length - 1)] ?? '');
}

/**
 * The final status of a call for which these INVITEs are sent: 200 if somebody answers, and otherwise the refusal of the only one
 * who is called, or of the way after which no other one is tried. Undefined if it depends on several.
 */
function finalOf(said: Result, sent: readonly (readonly Invite[])[], answers: readonly string[]): number | undefined {
  const all = answersTo(0, sent.flat().length, answers);
  // One of the devices of an agent that declines ends the call before another one answers late.
  const isDeclined = said.outcome === 'RINGS' && all.some((answer) => answer.startsWith('6'));
  if (isDeclined && all.includes(LATE)) return undefined;
  if (all.some(isAnswer)) return 200;
  const last = all.at(-1) ?? '';
  const isOne =
    said.outcome === 'LEAVES' ? said.invites.every(({ nextHop }) => nextHop !== null) : said.invites.length === 1;
  return isOne && /^[46]/.test(last) ? Number(last.slice(0, 3)) : undefined;
}

/** Whether what happened is what explainCall says, if the gateways and devices answer in this way. */
export function isSame(said: Result, actual: Result, answers: readonly string[]): boolean {
  if (said.outcome === 'UNKNOWN') return true;
  // Of gateways that share the calls, an outside number that rings together with others is called through any one.
  const isRandom = ({ share, order }: Invite): boolean =>
    (share ?? null) !== null && said.invites.filter((each) => each.order === order).length > 1;
  if (said.invites.some(isRandom)) return true;
  // Whether the host names of gateways have addresses, which the SIP server looks at before it counts for them, is not known to explainCall.
  const isOfGateways = said.reason === 'Too Many Calls of Gateway';
  if (isOfGateways && actual.status === 503 && actual.reason === 'Gateway has no address') return true;
  if (said.outcome === 'REFUSED')
    return actual.outcome === 'REFUSED' && actual.status === said.status && actual.reason === said.reason;
  let from = 0;
  const sent = sentOf(arranged(said, actual), answers);
  const final = finalOf(said, sent, answers);
  if (final !== undefined && final !== actual.status) return false;
  for (const invites of sent) {
    const heard = actual.invites.slice(from, from + invites.length);
    from += invites.length;
    const [told, done] = [invites, heard].map((some) =>
      some
        .map((invite) => {
          const { requestUri, nextHop, assertedIdentity, diversion } = invite;
          // Those who ring together are called in any order.
          const isSaid = invites.find((each) => each.requestUri === requestUri)?.from !== null;
          const shown = isSaid ? invite.from : null;
          return [requestUri, addressIn(nextHop ?? ''), shown, assertedIdentity, diversion].join(' ');
        })
        .sort()
        .join('\n'),
    );
    if (told !== done) return false;
  }
  return from === actual.invites.length;
}

/** The host:port of a SIP URI. An IPv6 address may be written in several ways. */
export function addressIn(uri: string): string {
  const [, host = '', port = '5060'] = /^(?:sips?:)?(?:[^@]*@)?(\[[^\]]*\]|[^:;?]*)(?::(\d+))?/.exec(uri) ?? [];
  return `${host.startsWith('[') ? new URL(`http://${host}`).hostname : host}:${port}`;
}
