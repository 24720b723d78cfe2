import { places, type OwnTransaction, type Row } from '../database/sql';
import { toAddressOfRecord } from '../live/contact';
import { writeAddressOfRecord, type AddressOfRecord } from '../model/format/address-of-record';
import { noteChange } from './outbox';

// Milliseconds after which everything is compared, whatever the sums say.
const WHOLE_INTERVAL = 30_000;
const AT_ONCE = 500;
const SAME = "w.id = l.id AND w.username = l.username AND COALESCE(w.domain, '') = COALESCE(l.domain, '')";

/** What was seen at the last look. */
export interface Seen {
  /** When it was, in milliseconds. */
  readonly previous: number;
  readonly lastContact: number;
  readonly contacts: number;
  readonly contactIds: number;
}

/** A device that has come or gone. */
interface Device {
  readonly id: number;
  readonly aor: AddressOfRecord;
}

/** Reads what was seen at the last look. */
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

/** Takes the devices that are registered for seen. */
export async function beginWithContacts(transaction: OwnTransaction, now: number): Promise<void> {
  const devices = await transaction.rows('SELECT id, username, domain FROM location WHERE expires > ? ORDER BY id', [
    seconds(now),
  ]);
  await transaction.run('DELETE FROM watched_contacts', []);
  await keep(transaction, devices.map(toDevice));
  await remember(transaction);
}

/**
 * Notes which devices have come and gone since the last look.
 *
 * New rows have a higher id than all that were seen, and those that end do so between two looks: both are found through an
 * index. Whether that was all is told by the number of live rows and the sum of their ids; where it was not (a device
 * unregistered, and its row is gone), everything is compared. So it is now and then, since sums may agree by chance, and an
 * id may be given again.
 */
export async function lookAtContacts(transaction: OwnTransaction, now: number, seen: Seen): Promise<void> {
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
  for (const { aor } of gone) noteChange(transaction, 'Contact', writeAddressOfRecord(aor), 'ENDED');
  for (const { aor } of come) noteChange(transaction, 'Contact', writeAddressOfRecord(aor), 'REGISTERED');
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
      some.flatMap(({ id, aor }) => [id, aor.user, aor.host ?? null]),
    );
  });
}

async function forAll(devices: readonly Device[], work: (some: readonly Device[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < devices.length; from += AT_ONCE) await work(devices.slice(from, from + AT_ONCE));
}

function idsOf(devices: readonly Device[]): readonly number[] {
  return devices.map(({ id }) => id);
}

function toDevice([id, user, domain]: Row): Device {
  return { id: Number(id), aor: toAddressOfRecord(user, domain) };
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
