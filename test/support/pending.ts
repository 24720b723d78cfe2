import type { TestApp } from './app';
import { eventually } from './eventually';
import { runSql } from './databases/sql';

/** A set of changes that waits, or has waited. */
export interface Pending {
  readonly id: string;
  readonly state: string;
  readonly username: string;
  readonly count: number;
  readonly confirmWithin: number | null;
  readonly dueOn: string | null;
  readonly finishedOn: string | null;
  readonly finishedBy: string | null;
  readonly reason: string | null;
  readonly revertedBy: string | null;
  readonly watchedNumbers: number;
  readonly watchedGateways: number;
  readonly revertIf: Readonly<Record<string, number | null>> | null;
  readonly figures: Readonly<Record<string, number>> | null;
}

/** Selects the members of Pending, as `...P`. */
export const PENDING = `fragment P on PendingChanges {
  id state username count confirmWithin createdOn appliedOn dueOn finishedOn finishedBy reason revertedBy watchedNumbers watchedGateways
  revertIf { numbersStopped gatewaysLost failedCallsPercent minCalls }
  figures { numbersStopped gatewaysLost newCalls failedCalls }
}`;

/** The sets of changes, newest first. */
export async function pendingChanges(app: TestApp, token?: string): Promise<readonly Pending[]> {
  const query = `query { pendingChanges(first: 100) { totalCount nodes { ...P } } } ${PENDING}`;
  const { data, errors } = await app.graphql<{ readonly pendingChanges: { readonly nodes: readonly Pending[] } }>(
    query,
    {},
    { token },
  );
  expect(errors).toBeUndefined();
  return data.pendingChanges.nodes;
}

/** The set of changes that was made last. */
export async function newestPending(app: TestApp): Promise<Pending> {
  const [newest] = await pendingChanges(app);
  if (!newest) throw new Error('no changes wait, and none have waited');
  return newest;
}

/** A set of changes as it is now. */
export async function pendingNow(app: TestApp, { id }: Pick<Pending, 'id'>): Promise<Pending> {
  const pending = (await pendingChanges(app)).find((each) => each.id === id);
  if (!pending) throw new Error(`${id} is not listed`);
  return pending;
}

/** Waits until changes are in a state, and returns them. */
export async function inState(app: TestApp, pending: Pick<Pending, 'id'>, state: string): Promise<Pending> {
  await eventually(15, async () => expect(await pendingNow(app, pending)).toMatchObject({ state }));
  return pendingNow(app, pending);
}

/** Moves the time at which something happens to a second ago. */
export const makeDue = (url: string, { id }: Pick<Pending, 'id'>): Promise<unknown> =>
  runSql(url, 'UPDATE pending_changes SET due_on = ? WHERE ref = ?', [Date.now() - 1000, id]);

/** A time for which changes can be scheduled. */
export const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

/** The name of a gateway; undefined if it does not exist. */
export async function nameOf(app: TestApp, ref: string): Promise<unknown> {
  const { data } = await app.graphql<{ readonly gateway: { readonly name: string } | null }>(
    'query ($ref: String!) { gateway(ref: $ref) { name } }',
    { ref },
  );
  return data.gateway?.name;
}
