import type { Input } from '../resources/write/input';

const CITIES = { columbus: { city: 'Columbus', country: 'USA', countryISOCode: 'US' } };

/** The resources of the documentation's examples, and a few more. Each resource comes after those that it refers to. */
export const SAMPLE_RESOURCES: readonly (readonly [kind: string, input: Input])[] = [
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
      ref: 'gw7c10f2',
      name: 'SP 002',
      host: 'sbc.example.net',
      port: 5061,
      transport: 'tls',
      username: 'trunk-42',
      secret: 'changeit',
      expires: 3600,
      sendRegister: true,
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
      ref: 'dm5e81aa',
      name: 'Local',
      domainUri: 'sip.local',
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
  // The agent Lobby has no registered phone, so the diagnosis reports this number as unreachable.
  ['DID', { ref: 'dd6a03f1', gatewayRef: 'gweef506', telUrl: 'tel:+17066041490', aorLink: 'sip:1003@sip.local' }],
];
