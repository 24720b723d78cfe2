import { noteChange } from '../../changes/outbox';
import { batchesOf, insertRows } from '../../database/batches';
import { places, type OwnTransaction, type Row } from '../../database/sql';
import { writeAddressOfRecord, type AddressOfRecord } from '../../model/format/address-of-record';
import { seconds, toAddressOfRecord } from './contact';

// Milliseconds between comparisons of all rows, which run even if the totals match.
const FULL_INTERVAL = 30_000;
const SAME = "w.id = l.id AND w.username = l.username AND COALESCE(w.domain, '') = COALESCE(l.domain, '')";

/** The state at the last poll. */
interface Seen {
  /** The time of the poll, in milliseconds since the epoch. */
  readonly previous: number;
  readonly lastContact: number;
  readonly contacts: number;
  readonly contactIds: number;
}

/** A registration of a device, which is live or has ended. */
interface Device {
  readonly id: number;
  readonly aor: AddressOfRecord;
}

/** Reads the state at the last poll. */
export async function seenBefore(transaction: OwnTransaction): Promise<Seen> {
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

/** Stores the live registrations as the baseline for the next poll. */
export async function beginWithContacts(transaction: OwnTransaction, now: number): Promise<void> {
  const devices = await transaction.rows('SELECT id, username, domain FROM location WHERE expires > ? ORDER BY id', [
    seconds(now),
  ]);
  await transaction.run('DELETE FROM watched_contacts', []);
  await insert(transaction, devices.map(toDevice));
  await storeTotals(transaction);
}

/**
 * Publishes an event for each registration that started or ended since the last poll.
 *
 * New rows have higher ids than all rows of the last poll, and expired rows have an expiry between the two polls, so
 * indexes find both. Rows can also be deleted, when a device unregisters: if the count of live rows or the sum of their
 * ids does not match, all rows are compared. All rows are also compared every 30 seconds, because totals can match by
 * chance and ids can be reused.
 */
export async function lookAtContacts(transaction: OwnTransaction, now: number, seen: Seen): Promise<void> {
  const time = seconds(now);
  const fresh = await transaction.rows(
    'SELECT id, username, domain FROM location WHERE id > ? AND expires > ? ORDER BY id',
    [seen.lastContact, time],
  );
  const expired = await transaction.rows(
    `SELECT w.id, w.username, w.domain FROM location l JOIN watched_contacts w ON w.id = l.id
     WHERE l.expires > ? AND l.expires <= ? ORDER BY w.id`,
    [seconds(seen.previous) - 1, time],
  );
  const [totals] = await transaction.rows('SELECT COUNT(*), SUM(id) FROM location WHERE expires > ?', [time]);
  let [added, ended] = [fresh.map(toDevice), expired.map(toDevice)];
  const sum = (devices: readonly Device[]): number => devices.reduce((total, { id }) => total + id, 0);
  if (
    Math.floor(seen.previous / FULL_INTERVAL) !== Math.floor(now / FULL_INTERVAL) ||
    Number(totals?.[0]) !== seen.contacts + added.length - ended.length ||
    Number(totals?.[1] ?? 0) !== seen.contactIds + sum(added) - sum(ended)
  ) {
    [added, ended] = await compareAll(transaction, time);
  }
  if (added.length === 0 && ended.length === 0) return;
  for (const batch of batchesOf(ended.map(({ id }) => id)))
    await transaction.run(`DELETE FROM watched_contacts WHERE id IN (${places(batch.length)})`, batch);
  await insert(transaction, added);
  for (const { aor } of ended)
    noteChange(transaction, { kind: 'Contact', ref: writeAddressOfRecord(aor), event: 'ENDED' });
  for (const { aor } of added)
    noteChange(transaction, { kind: 'Contact', ref: writeAddressOfRecord(aor), event: 'REGISTERED' });
  await storeTotals(transaction);
}

async function compareAll(transaction: OwnTransaction, time: number): Promise<[added: Device[], ended: Device[]]> {
  const added = await transaction.rows(
    `SELECT l.id, l.username, l.domain FROM location l LEFT JOIN watched_contacts w ON ${SAME}
     WHERE l.expires > ? AND w.id IS NULL ORDER BY l.id`,
    [time],
  );
  const ended = await transaction.rows(
    `SELECT w.id, w.username, w.domain FROM watched_contacts w LEFT JOIN location l ON ${SAME} AND l.expires > ?
     WHERE l.id IS NULL ORDER BY w.id`,
    [time],
  );
  return [added.map(toDevice), ended.map(toDevice)];
}

async function storeTotals(transaction: OwnTransaction): Promise<void> {
  // Separate statements: as subqueries of the UPDATE, they would lock the SIP server's rows on MySQL.
  const [last] = await transaction.rows('SELECT MAX(id) FROM location', []);
  const [seen] = await transaction.rows('SELECT COUNT(*), SUM(id) FROM watched_contacts', []);
  await transaction.run('UPDATE live_watch SET last_contact = ?, contacts = ?, contact_ids = ? WHERE id = 1', [
    Number(last?.[0] ?? 0),
    Number(seen?.[0]),
    Number(seen?.[1] ?? 0),
  ]);
}

async function insert(transaction: OwnTransaction, devices: readonly Device[]): Promise<void> {
  const rows = devices.map(({ id, aor }) => [id, aor.user, aor.host ?? null]);
  await insertRows(transaction, 'watched_contacts', 'id, username, domain', rows);
}

function toDevice([id, user, domain]: Row): Device {
  return { id: Number(id), aor: toAddressOfRecord(user, domain) };
}
