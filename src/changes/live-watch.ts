import type { Database } from '../database/database';
import { raw, sql, type Fragment } from '../database/fragment';
import { places, type OwnTransaction, type Row } from '../database/sql';
import { addressOf } from '../live/contact';
import { stateOf } from '../live/registration-reader';
import { unwatched } from './change';
import { noteChange } from './outbox';

/** How often the live tables are looked at, at most and by all replicas together; in milliseconds. */
export const WATCH_INTERVAL = 1000;
// Milliseconds that the clocks of replicas may differ by without any's being taken for wrong.
const CLOCK_TOLERANCE = 5000;
// Milliseconds after which everything is compared, whatever the sums say.
const WHOLE_INTERVAL = 30_000;

/** What was seen at the last look. */
interface Seen {
  readonly previous: number;
  readonly lastContact: number;
  readonly contacts: number;
  readonly contactIds: number;
}

/** A device that has come or gone. */
interface Device {
  readonly id: number;
  readonly user: string;
  readonly domain: string | undefined;
}

/**
 * Finds what has changed in the tables that the SIP server writes, and puts it into the outbox. What was seen is kept in the
 * database: whoever looks next, after a restart or on another replica, goes on from there.
 */
export class LiveWatch {
  constructor(
    private readonly database: Database,
    /** Milliseconds after which it is no use to tell what has changed since the last look. */
    private readonly memory: number,
  ) {}

  /** Looks, unless somebody has within the last second. */
  async look(): Promise<void> {
    const now = Date.now();
    const [row] = await this.database.rows('SELECT watched_on FROM live_watch WHERE id = 1', []);
    // A time to come is of a clock that was wrong.
    const recent = [now - WATCH_INTERVAL + 1, now + CLOCK_TOLERANCE] as const;
    const last = Number(row?.[0]);
    if (last >= recent[0] && last <= recent[1]) return;
    await this.database.transaction(async (transaction) => {
      const turn = await transaction.run(
        'UPDATE live_watch SET previous = watched_on, watched_on = ? WHERE id = 1 AND watched_on NOT BETWEEN ? AND ?',
        [now, ...recent],
      );
      if (turn.rows === 0) return;
      const seen = await seenBefore(transaction);
      if (seen.previous < now - this.memory) await this.begin(transaction, now);
      else {
        await lookAtContacts(transaction, now, seen);
        await lookAtRegistrations(transaction, now);
      }
    });
  }

  /** Whether everything behind this change was watched; throws InvalidInputError. */
  async assertComplete(argument: string, after: number): Promise<void> {
    const [row] = await this.database.rows('SELECT begun FROM live_watch WHERE id = 1', []);
    if (after < Number(row?.[0])) throw unwatched(argument);
  }

  /** Takes what is there for seen, without telling anybody: what came before is not known, and no cursor leads there. */
  private async begin(transaction: OwnTransaction, now: number): Promise<void> {
    await transaction.run('UPDATE change_head SET last = last + 1 WHERE id = 1', []);
    const [head] = await transaction.rows('SELECT last FROM change_head WHERE id = 1', []);
    await transaction.run('UPDATE live_watch SET begun = ? WHERE id = 1', [Number(head?.[0])]);
    const devices = await transaction.rows('SELECT id, username, domain FROM location WHERE expires > ? ORDER BY id', [
      seconds(now),
    ]);
    await transaction.run('DELETE FROM watched_contacts', []);
    await keep(transaction, devices.map(toDevice));
    await remember(transaction);
    await transaction.run('DELETE FROM watched_registrations', []);
    const answer = refusalIn(stateOf(now));
    const { text, values } = sql`SELECT r.gw_ref, ${stateOf(now)}, r.ip, ${answer} FROM gateway_registrations r
      JOIN gateways g ON g.ref = r.gw_ref`;
    for (const row of await transaction.rows(text, values)) await keepRegistration(transaction, row);
  }
}

/**
 * New rows have a higher id than all that were seen, and those that end do so between two looks: both are found through an
 * index. Whether that was all is told by the number of live rows and the sum of their ids; where it was not (a device
 * unregistered, and its row is gone), everything is compared. So it is now and then, since sums may agree by chance, and an
 * id may be given again.
 */
async function lookAtContacts(transaction: OwnTransaction, now: number, seen: Seen): Promise<void> {
  const time = seconds(now);
  const fresh = await transaction.rows(
    'SELECT id, username, domain FROM location WHERE id > ? AND expires > ? ORDER BY id',
    [seen.lastContact, time],
  );
  const over = await transaction.rows(
    `SELECT w.id, w.username, w.domain FROM location l JOIN watched_contacts w ON w.id = l.id
     WHERE l.expires > ? AND l.expires <= ? ORDER BY w.id`,
    [seconds(seen.previous) - 1, time],
  );
  const [totals] = await transaction.rows('SELECT COUNT(*), SUM(id) FROM location WHERE expires > ?', [time]);
  let [come, gone] = [fresh.map(toDevice), over.map(toDevice)];
  const sum = (devices: readonly Device[]): number => devices.reduce((total, { id }) => total + id, 0);
  if (
    Math.floor(seen.previous / WHOLE_INTERVAL) !== Math.floor(now / WHOLE_INTERVAL) ||
    Number(totals?.[0]) !== seen.contacts + come.length - gone.length ||
    Number(totals?.[1] ?? 0) !== seen.contactIds + sum(come) - sum(gone)
  ) {
    [come, gone] = await compared(transaction, time);
  }
  if (come.length === 0 && gone.length === 0) return;
  await forAll(gone, async (some) => {
    await transaction.run(`DELETE FROM watched_contacts WHERE id IN (${places(some.length)})`, idsOf(some));
  });
  await keep(transaction, come);
  for (const { user, domain } of gone) noteChange(transaction, 'Contact', addressOf(user, domain), 'ENDED');
  for (const { user, domain } of come) noteChange(transaction, 'Contact', addressOf(user, domain), 'REGISTERED');
  await remember(transaction);
}

async function compared(transaction: OwnTransaction, time: number): Promise<[come: Device[], gone: Device[]]> {
  const come = await transaction.rows(
    `SELECT l.id, l.username, l.domain FROM location l LEFT JOIN watched_contacts w ON ${SAME}
     WHERE l.expires > ? AND w.id IS NULL ORDER BY l.id`,
    [time],
  );
  const gone = await transaction.rows(
    `SELECT w.id, w.username, w.domain FROM watched_contacts w LEFT JOIN location l ON ${SAME} AND l.expires > ?
     WHERE l.id IS NULL ORDER BY w.id`,
    [time],
  );
  return [come.map(toDevice), gone.map(toDevice)];
}

/** There are as many rows as gateways that register: they are compared each time. A refresh changes nothing here. */
async function lookAtRegistrations(transaction: OwnTransaction, now: number): Promise<void> {
  const state = stateOf(now);
  const answer = refusalIn(state);
  const known = sql`SELECT r.gw_ref, ${state}, r.ip, ${answer} FROM gateway_registrations r JOIN gateways g ON g.ref = r.gw_ref
    LEFT JOIN watched_registrations w ON w.gw_ref = r.gw_ref
    WHERE w.gw_ref IS NULL OR w.state <> ${state} OR w.ip <> r.ip OR w.last_response <> ${answer}`;
  const gone = raw(`SELECT w.gw_ref, 'GONE', '', '' FROM watched_registrations w WHERE NOT EXISTS
    (SELECT 1 FROM gateway_registrations r JOIN gateways g ON g.ref = r.gw_ref WHERE r.gw_ref = w.gw_ref)`);
  const { text, values }: Fragment = sql`${known} UNION ALL ${gone} ORDER BY 1`;
  for (const [ref, is, ip, response] of await transaction.rows(text, values)) {
    await transaction.run('DELETE FROM watched_registrations WHERE gw_ref = ?', [ref ?? null]);
    if (is !== 'GONE') await keepRegistration(transaction, [ref ?? null, is ?? null, ip ?? null, response ?? null]);
    noteChange(transaction, 'Registration', String(ref), String(is));
  }
}

async function seenBefore(transaction: OwnTransaction): Promise<Seen> {
  const [row] = await transaction.rows(
    'SELECT previous, last_contact, contacts, contact_ids FROM live_watch WHERE id = 1',
    [],
  );
  const [previous, lastContact, contacts, contactIds] = (row ?? []).map(Number);
  return {
    previous: previous ?? 0,
    lastContact: lastContact ?? 0,
    contacts: contacts ?? 0,
    contactIds: contactIds ?? 0,
  };
}

async function remember(transaction: OwnTransaction): Promise<void> {
  // By statements of their own: within an UPDATE or INSERT, MySQL would lock what the SIP server writes.
  const [last] = await transaction.rows('SELECT MAX(id) FROM location', []);
  const [seen] = await transaction.rows('SELECT COUNT(*), SUM(id) FROM watched_contacts', []);
  await transaction.run('UPDATE live_watch SET last_contact = ?, contacts = ?, contact_ids = ? WHERE id = 1', [
    ...[Number(last?.[0] ?? 0), Number(seen?.[0]), Number(seen?.[1] ?? 0)],
  ]);
}

async function keep(transaction: OwnTransaction, devices: readonly Device[]): Promise<void> {
  await forAll(devices, async (some) => {
    await transaction.run(
      `INSERT INTO watched_contacts (id, username, domain) VALUES ${some.map(() => '(?, ?, ?)').join(', ')}`,
      some.flatMap(({ id, user, domain }) => [id, user, domain ?? null]),
    );
  });
}

async function keepRegistration(transaction: OwnTransaction, row: Row): Promise<void> {
  const text = 'INSERT INTO watched_registrations (gw_ref, state, ip, last_response) VALUES (?, ?, ?, ?)';
  await transaction.run(text, row);
}

/** What the provider said against it; how it says yes is of no interest. */
function refusalIn(state: Fragment): Fragment {
  return sql`CASE ${state} WHEN 'REGISTERED' THEN '' ELSE COALESCE(r.last_response, '') END`;
}

const SAME = "w.id = l.id AND w.username = l.username AND COALESCE(w.domain, '') = COALESCE(l.domain, '')";
const AT_ONCE = 500;

async function forAll(devices: readonly Device[], work: (some: readonly Device[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < devices.length; from += AT_ONCE) await work(devices.slice(from, from + AT_ONCE));
}

function idsOf(devices: readonly Device[]): readonly number[] {
  return devices.map(({ id }) => id);
}

function toDevice([id, user, domain]: Row): Device {
  return { id: Number(id), user: String(user), domain: domain === null ? undefined : String(domain) };
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
