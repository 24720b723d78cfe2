import { addressIn, type Invite, type Result } from './compare';

/*
 * The order of the attempts of a call that leaves is random where explainCall tells shares: among the gateways of a turn of a
 * route, and among the places of a gateway with the same priority. The turns and priorities are those of the resources.
 */

/** An attempt, and what it may change places with. */
interface Ranked {
  readonly invite: Invite;
  /** The places that are known to be down come after the others, and those that are disabled after these. */
  readonly level: number;
  /** The turn of the gateway in the route; undefined if that is not known. */
  readonly turn: number | undefined;
  /** The places of a gateway come one after the other. */
  readonly block: number;
  readonly priority: number;
}

/** A place of a gateway. */
interface PlaceOf {
  readonly place: string;
  readonly priority: number;
  readonly level: number;
  readonly isDraining: boolean;
}

/** What explainCall says, in the order of what happened where that is random. */
export function arranged(said: Result, actual: Result): Result {
  const ranked = rankedOf(said);
  const left = [...ranked];
  const invites: Invite[] = [];
  let at = 0;
  let block: number | undefined;
  while (left.length > 0) {
    const next = allowed(left, block);
    const heard = actual.invites[at];
    // A host without an address is not called.
    const chosen =
      next.find(({ invite }) => invite.nextHop === null) ??
      next.find(({ invite }) => heard && sentTo(invite) === sentTo(heard)) ??
      next.find((each) => heard && insteadOf(each, ranked, heard) !== each.invite) ??
      next[0];
    if (!chosen) break;
    left.splice(left.indexOf(chosen), 1);
    block = chosen.block;
    invites.push(chosen.invite.nextHop === null || !heard ? chosen.invite : insteadOf(chosen, ranked, heard));
    if (chosen.invite.nextHop !== null) at++;
  }
  const turns = said.invites.map(({ order, after }) => ({ order, after }));
  return { ...said, invites: invites.map((invite, index) => ({ ...invite, ...turns[index] })) };
}

function rankedOf({ outcome, invites, routes = [] }: Result): readonly Ranked[] {
  const ranked: Ranked[] = [];
  let block = 0;
  let former: Invite | undefined;
  for (const invite of invites) {
    const { gateway, number } = invite;
    const own = placesOf(invite).find(({ place }) => place === placeIn(invite.requestUri));
    const priority = own?.priority ?? 0;
    const level = own?.level ?? 0;
    const isBefore = (ranked.at(-1)?.priority ?? 0) <= priority && ranked.at(-1)?.level === level;
    const isSame = former?.gateway?.ref === gateway?.ref && former?.number?.telUrl === number?.telUrl;
    if (!isSame || !isBefore) block++;
    const [turn, ...others] = new Set(
      outcome === 'LEAVES'
        ? routes.flatMap(({ numbers, shares }) =>
            numbers.flatMap((each, index) =>
              each.gateway?.ref === gateway?.ref ? [shares?.[index]?.priority ?? index] : [],
            ),
          )
        : [],
    );
    ranked.push({ invite, level, turn: others.length > 0 ? undefined : turn, block, priority });
    former = invite;
  }
  return ranked;
}

/** Those of the attempts that may come next, after one of a block. */
function allowed(left: readonly Ranked[], block: number | undefined): readonly Ranked[] {
  const [first] = left;
  if (!first) return [];
  if ((first.invite.share ?? null) === null) return [first];
  const isAlike = ({ invite, level, turn }: Ranked, index: number): boolean =>
    (index === 0 || (invite.after ?? null) === null) &&
    (invite.share ?? null) !== null &&
    level === first.level &&
    (turn === undefined || first.turn === undefined || turn === first.turn);
  const end = left.findIndex((each, index) => !isAlike(each, index));
  const group = end < 0 ? left : left.slice(0, end);
  const begun = group.filter((each) => each.block === block);
  return (begun.length > 0 ? begun : group).filter(
    (each) => !group.some((other) => other.block === each.block && other.priority < each.priority),
  );
}

/**
 * The attempts of a gateway are limited, so that of several places with the same priority any one may be left out. If the INVITE that
 * was heard went to one that explainCall leaves out, this is the one that it means.
 */
function insteadOf({ invite, level, block, priority }: Ranked, all: readonly Ranked[], heard: Invite): Invite {
  const place = placeIn(heard.requestUri);
  const own = placeIn(invite.requestUri);
  const isListed = all.some((each) => each.block === block && placeIn(each.invite.requestUri) === place);
  const isPlace = placesOf(invite).some(
    (each) => each.place === place && each.priority === priority && each.level === level && !each.isDraining,
  );
  if ((invite.share ?? null) === null || isListed || !isPlace) return invite;
  const [ownHost, host] = [own, place].map((text) => text.replace(/:\d+$/, ''));
  const moved = (text: string): string => text.replace(own, place);
  return {
    ...invite,
    requestUri: moved(invite.requestUri),
    nextHop: invite.nextHop && moved(invite.nextHop),
    from: invite.from && moved(invite.from),
    assertedIdentity: invite.assertedIdentity && moved(invite.assertedIdentity),
    diversion: invite.diversion?.replace(ownHost ?? '', host ?? '') ?? null,
  };
}

/** The places of the gateway of an INVITE to which a call may go. */
function placesOf({ gateway }: Invite): readonly PlaceOf[] {
  if (!gateway) return [];
  const { host, port, health, destinations } = gateway;
  const levelOf = (state: string): number => (state === 'DOWN' ? 1 : 0);
  return [
    { place: written(host, port), priority: 0, level: levelOf(health.state), isDraining: false },
    ...(destinations ?? []).map((each) => ({
      place: written(each.host, each.port),
      priority: each.priority ?? 1,
      level: each.enabled === false ? 2 : levelOf(each.health.state),
      isDraining: each.draining === true,
    })),
  ];
}

function written(host: string, port: number | null): string {
  return port === null ? host : `${host}:${String(port)}`;
}

/** The host and port in a Request-URI, as written. */
function placeIn(requestUri: string): string {
  return requestUri.replace(/^sips?:([^@]*@)?/, '').replace(/;.*$/, '');
}

function sentTo({ requestUri, nextHop, from, assertedIdentity }: Invite): string {
  return [requestUri, addressIn(nextHop ?? ''), from, assertedIdentity].join(' ');
}
