import { PENDING_CHANGES, writeCursor, type Change } from '../changes/change';
import { pad, places, type Sql } from '../database/sql';
import { message, subjectOf } from './messages';
import type { Message, Webhook, WebhookEvent } from './webhook';

/** The event of webhooks and the type of the message, by what became of a set of changes that waited. */
const EVENTS: Readonly<Record<string, readonly [WebhookEvent, string]>> = {
  REVERTED: ['CHANGES_REVERTED', 'changes.reverted'],
  NOT_REVERTED: ['CHANGES_NOT_REVERTED', 'changes.not_reverted'],
  APPLIED: ['CHANGES_APPLIED', 'changes.applied'],
  NOT_APPLIED: ['CHANGES_NOT_APPLIED', 'changes.not_applied'],
};

/** The messages that say what became of sets of changes that waited, by the numbers of the changes that tell it. */
export async function waitingMessages(
  sql: Pick<Sql, 'rows'>,
  { events }: Webhook,
  changes: readonly Change[],
): Promise<ReadonlyMap<number, Message>> {
  const wanted = changes.flatMap((change) => {
    const told = change.kind === PENDING_CHANGES ? EVENTS[change.event] : undefined;
    return told && events.includes(told[0]) ? [{ change, type: told[1] }] : [];
  });
  if (wanted.length === 0) return new Map();
  const ids = pad(
    wanted.map(({ change }) => change.id),
    0,
  );
  const rows = await sql.rows(`SELECT id, details FROM changes WHERE id IN (${places(ids.length)})`, ids);
  const details = new Map(rows.map(([id, text]) => [Number(id), String(text)]));
  return new Map(
    wanted.map(({ change, type }) => {
      const { id, ref, at } = change;
      const { after } = JSON.parse(details.get(id) ?? '{}') as { readonly after?: object }; // of pending/ending.ts
      const data = { id: ref, ...after, cursor: writeCursor(change) };
      return [id, message(subjectOf(PENDING_CHANGES, ref), type, at, data)];
    }),
  );
}
