import type { Database } from './database/database';
import { places } from './database/sql';
import type { Input } from './resources/input';
import type { Model } from './model/model';
import { ResourceReader } from './resources/resource-reader';
import { ResourceService, refOnly } from './resources/resource-service';

const CITIES = { columbus: { city: 'Columbus', country: 'USA', countryISOCode: 'US' } };

/** The resources that the documentation's examples use, and a few more; later ones refer to earlier ones. */
const RESOURCES: readonly (readonly [kind: string, input: Input])[] = [
  [
    'Gateway',
    {
      ref: 'gweef506',
      name: 'SP 001',
      host: 'sip.provider.net',
      transport: 'udp',
      username: '215706',
      secret: 'changeit',
    },
  ],
  [
    'Gateway',
    {
      ...{ ref: 'gw7c10f2', name: 'SP 002', host: 'sbc.example.net', port: 5061, transport: 'tls' },
      ...{ username: 'trunk-42', secret: 'changeit', expires: 3600, sendRegister: true },
    },
  ],
  ['Gateway', { ref: 'gw0b93de', name: 'Office PRI', host: '192.0.2.10', transport: 'udp', sendRegister: false }],
  [
    'DID',
    {
      ref: 'dd50baa4',
      gatewayRef: 'gweef506',
      telUrl: 'tel:0000000000',
      aorLink: 'sip:1001@sip.local',
      geoInfo: CITIES.columbus,
    },
  ],
  [
    'DID',
    {
      ref: 'dd1f02c8',
      gatewayRef: 'gweef506',
      telUrl: 'tel:+17066041487',
      aorLink: 'sip:1002@sip.local',
      geoInfo: CITIES.columbus,
    },
  ],
  ['DID', { ref: 'dd93be07', gatewayRef: 'gw7c10f2', telUrl: 'tel:+493012345678', aorLink: 'sip:ast@sip.local' }],
  [
    'Number',
    {
      ref: 'dd50baa4',
      gatewayRef: 'gweef506',
      telUrl: 'tel:0000000000',
      aorLink: 'sip:1001@sip.local',
      geoInfo: CITIES.columbus,
    },
  ],
  [
    'Number',
    {
      ref: 'nu6a1b9c',
      gatewayRef: 'gweef506',
      telUrl: 'tel:+17066041488',
      aorLink: 'sip:1003@sip.local',
      geoInfo: CITIES.columbus,
    },
  ],
  [
    'Number',
    { ref: 'nu20d4e1', gatewayRef: 'gw7c10f2', telUrl: 'tel:+493012345679', aorLink: 'sip:2001@sales.sip.local' },
  ],
  [
    'Domain',
    {
      ...{ ref: 'dm5e81aa', name: 'Local', domainUri: 'sip.local' },
      egressPolicy: { rule: '.*', numberRef: 'dd50baa4' },
      accessControlList: { deny: ['0.0.0.0/1'], allow: ['192.168.0.0/16', '10.0.0.0/8', '127.0.0.1'] },
    },
  ],
  ['Domain', { ref: 'dm0f4c2b', name: 'Sales', domainUri: 'sales.sip.local' }],
  ['Agent', { ref: 'ag3f77f6', name: 'John Doe', username: '1001', secret: '1234', domains: ['sip.local'] }],
  [
    'Agent',
    { ref: 'ag81c0de', name: 'Jane Doe', username: '1002', secret: '1234', domains: ['sip.local', 'sales.sip.local'] },
  ],
  [
    'Agent',
    {
      ref: 'agb72e95',
      name: 'Lobby',
      username: '1003',
      secret: '1234',
      domains: ['sip.local'],
      privacy: 'Private',
      maxContacts: 1,
    },
  ],
  [
    'Peer',
    {
      ref: 'pr4d5c63',
      name: 'Asterisk PBX',
      username: 'ast',
      secret: '1234',
      device: 'Asterisk',
      contactAddr: '192.168.1.2:5060',
    },
  ],
  ['Peer', { ref: 'pre20b17', name: 'Conference bridge', username: 'confs', secret: '1234', device: 'FreeSWITCH' }],
  // Lobby has no phone now: what looks for numbers that ring nowhere finds this one.
  ['DID', { ref: 'dd6a03f1', gatewayRef: 'gweef506', telUrl: 'tel:+17066041490', aorLink: 'sip:1003@sip.local' }],
];

/** The refs of the sample gateways. */
export const SAMPLE_GATEWAYS: readonly string[] = RESOURCES.flatMap(([kind, { ref }]) =>
  kind === 'Gateway' ? [String(ref)] : [],
);

/** Whether a database has one of the sample gateways, unchanged in what it is known by. */
export async function holdsSampleData(database: Database): Promise<boolean> {
  const hosts = RESOURCES.flatMap(([kind, { host }]) => (kind === 'Gateway' ? [String(host)] : []));
  const refs = places(SAMPLE_GATEWAYS.length);
  const rows = await database.rows(`SELECT ref FROM gateways WHERE ref IN (${refs}) AND host IN (${refs}) LIMIT 1`, [
    ...SAMPLE_GATEWAYS,
    ...hosts,
  ]);
  return rows.length > 0;
}

const ASKED_SECONDS = 600;
const SHOWN_SECONDS = 30 * 86_400;

/** Fills an empty database with something to look at. */
export async function loadSampleData(database: Database, model: Model): Promise<void> {
  if ((await new ResourceReader(database).count(model.kindOf('Gateway'))) > 0) return;
  const resources = new ResourceService(database);
  for (const [kind, input] of RESOURCES) await resources.create(model.kindOf(kind), input, refOnly);
  await loadLive(database);
}

/** Two phones and a gateway that look registered for a month, as a SIP server would have written them. */
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
        [ruid, username, contact, received, until, until - ASKED_SECONDS, socket, agent],
      );
    }
    await transaction.run(
      `INSERT INTO gateway_registrations
         (gw_ref, username, host, ip, port, transport, expires, registered_on, expires_at)
       VALUES ('gweef506', '215706', 'sip.provider.net', '198.51.100.7', 5060, 'udp', ?, ?, ?)`,
      [ASKED_SECONDS, now * 1000, until * 1000],
    );
  });
}
