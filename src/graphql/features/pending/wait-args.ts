import { GraphQLISODateTime, Int } from 'type-graphql';

import { HEAVY_READ } from '../../../limits/budgets';
import type { Pending } from '../../../jobs/pending/pending';
import {
  SECONDS,
  termsOf,
  type Wait,
  type WaitOptions,
  type WaitingWrite,
} from '../../../jobs/pending/pending-service';
import { MOST_DAYS } from '../../../jobs/pending/schedule';
import type { WriteServices } from '../../../session/services';
import type { Session } from '../../../session/session';
import { LimitsInput } from './pending-types';
import { argsOf, nullable } from '../../schema/type-tables';

/** When changes are made, and what must happen for them to be kept. */
export const WaitArgs = argsOf({
  confirmWithin: [
    nullable(Int),
    `Seconds within which \`confirmChanges\` must be called: ${String(SECONDS.min)} to ${String(SECONDS.max)}. Otherwise, the changes are reverted. Not for changes that replace a secret or delete what has one, because old secrets are not kept.`,
  ],
  revertIf: [nullable(LimitsInput), 'Limits of figures: if one is reached, the changes are reverted earlier.'],
  at: [
    nullable(GraphQLISODateTime),
    `When to make the changes, within ${String(MOST_DAYS)} days. They are only simulated now, and again at that time; if they would then do something else, they are not made. Secrets cannot be scheduled, because they would be stored until then. Requires a sign-in.`,
  ],
});
export type WaitArgs = InstanceType<typeof WaitArgs>;

/** How changes wait; undefined if they do not. Throws InvalidInputError. */
export function waitOf({ confirmWithin, revertIf, at }: WaitArgs): Wait | undefined {
  const terms = termsOf(confirmWithin, revertIf);
  const time = at?.getTime();
  return terms === undefined && time === undefined ? undefined : { terms, at: time };
}

/** How changes wait, as a part of what an idempotency key stands for; empty if they do not. */
export function keyedWait(wait: Wait | undefined): readonly object[] {
  return wait ? [{ terms: wait.terms ?? null, at: wait.at ?? null }] : [];
}

/** What a service has written or will write, and how that waits. */
export interface Waited<T> {
  readonly result: T;
  readonly pending: Pending | undefined;
}

/** Runs `work`, which writes with the services that it gets: at once, or so that what it writes waits. */
export async function writeOrWait<T extends { readonly requestId?: string | undefined }>(
  session: Session,
  wait: Wait | undefined,
  how: WaitingWrite & Pick<WaitOptions<T>, 'isWhole'>,
  work: (services: WriteServices, how: WaitingWrite) => Promise<T>,
): Promise<Waited<T>> {
  const { dryRun, rehearser, key } = how;
  if (!wait) return { result: await work(session.write, { dryRun, rehearser, key }), pending: undefined };
  const { pending } = session.write;
  session.spend(HEAVY_READ);
  const options = { ...how, request: session.permit, charge: session.chargeRows };
  const { result, pendingId } = await pending.run(wait, options, (id, given) => work(session.writeUnder(id), given));
  return { result, pending: pendingId === undefined ? undefined : await session.read.pending.byId(pendingId) };
}
