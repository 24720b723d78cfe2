import { SYSTEM } from '../changes/actor';
import type { Database } from '../database/database';
import { places } from '../database/sql';
import type { Model } from '../model/model';
import { ResourceReader } from '../resources/read/resource-reader';
import { REF_ONLY } from '../resources/read/selection';
import { resourceServices } from '../resources/write/resource-service';
import { SAMPLE_RESOURCES } from './sample-resources';

/** The refs of the sample gateways. */
export const SAMPLE_GATEWAYS: readonly string[] = SAMPLE_RESOURCES.flatMap(([kind, { ref }]) =>
  kind === 'Gateway' ? [String(ref)] : [],
);

/** Whether the database contains all sample gateways, each with its original ref and host: a real directory may have one of them. */
export async function holdsSampleData(database: Database): Promise<boolean> {
  const hosts = SAMPLE_RESOURCES.flatMap(([kind, { host }]) => (kind === 'Gateway' ? [String(host)] : []));
  const refs = places(SAMPLE_GATEWAYS.length);
  const rows = await database.rows(`SELECT ref FROM gateways WHERE ref IN (${refs}) AND host IN (${refs})`, [
    ...SAMPLE_GATEWAYS,
    ...hosts,
  ]);
  return rows.length === SAMPLE_GATEWAYS.length;
}

// In seconds: the lifetime that the sample devices requested, and how long they are shown as registered.
const REQUESTED_SECONDS = 600;
const SHOWN_SECONDS = 30 * 86_400;

/** Loads the sample resources and registrations, unless the database already contains a gateway. */
export async function loadSampleData(database: Database, model: Model): Promise<void> {
  if ((await new ResourceReader(database).count(model.kindOf('Gateway'))) > 0) return;
  const resources = resourceServices(database, model)(SYSTEM, undefined);
  for (const [kind, input] of SAMPLE_RESOURCES) await resources.create(model.kindOf(kind), input, REF_ONLY);
  await loadLive(database);
}

/** Writes registrations of two phones and a gateway, as a SIP server would. They stay valid for a month. */
function loadLive(database: Database): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const until = now + SHOWN_SECONDS;
  const contacts = [
    ['sample-1', '1001', 'sip:1001@192.168.1.50:5060;transport=udp', 'udp:192.168.1.2:5060', null, 'Linphone/5.2'],
    [
      'sample-2',
      '1002',
      'sip:1002@203.0.113.9:49152;transport=tcp',
      'tcp:192.168.1.2:5060',
      'sip:203.0.113.9:49152',
      'Zoiper/5.6',
    ],
  ] as const;
  return database.transaction(async (transaction) => {
    for (const [ruid, username, contact, socket, received, agent] of contacts) {
      await transaction.run(
        `INSERT INTO location (ruid, username, domain, contact, received, expires, last_modified, socket, user_agent)
         VALUES (?, ?, 'sip.local', ?, ?, ?, ?, ?, ?)`,
        [ruid, username, contact, received, until, until - REQUESTED_SECONDS, socket, agent],
      );
    }
    await transaction.run(
      `INSERT INTO gateway_registrations
         (gw_ref, username, host, ip, port, transport, expires, registered_on, expires_at)
       VALUES ('gweef506', '215706', 'sip.provider.net', '198.51.100.7', 5060, 'udp', ?, ?, ?)`,
      [REQUESTED_SECONDS, now * 1000, until * 1000],
    );
  });
}
