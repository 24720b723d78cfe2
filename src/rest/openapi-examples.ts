import { API_VERSION } from '../model/kind';

const CITY = { city: 'Columbus', country: 'USA', countryISOCode: 'US' };

/**
 * A document of each kind that a server with the sample data accepts. The gateway, the domain and the number are of the
 * sample data; the documentation page replaces the gateway by one that the reader has.
 */
const DOCUMENTS: Readonly<Record<string, { readonly metadata: object; readonly spec: object }>> = {
  Gateway: {
    metadata: { name: 'Provider in Berlin' },
    spec: {
      host: 'berlin.provider.example',
      port: 5060,
      transport: 'tcp',
      credentials: { username: 'trunk-7', secret: 'changeit' },
    },
  },
  Agent: {
    metadata: { name: 'Reception' },
    spec: { credentials: { username: '1099', secret: 'changeit' }, domains: ['sip.local'] },
  },
  Peer: {
    metadata: { name: 'Voicemail' },
    spec: { device: 'Asterisk', credentials: { username: 'voicemail', secret: 'changeit' } },
  },
  Domain: {
    metadata: { name: 'Warehouse' },
    spec: {
      context: {
        domainUri: 'warehouse.example',
        accessControlList: { deny: ['0.0.0.0/1'], allow: ['192.168.0.0/16'] },
      },
    },
  },
  DID: {
    metadata: { gwRef: 'gweef506', geoInfo: CITY },
    spec: { location: { telUrl: 'tel:+17066041477', aorLink: 'sip:1001@sip.local' } },
  },
  Number: {
    metadata: { gwRef: 'gweef506', geoInfo: CITY },
    spec: { location: { telUrl: 'tel:+17066041478', aorLink: 'sip:1001@sip.local' } },
  },
  Route: {
    metadata: { name: 'Germany', domainRef: 'dm5e81aa' },
    spec: { prefix: '+49', numberRefs: ['nu20d4e1', 'nu6a1b9c'] },
  },
};

/** The example of a document to create; undefined for kinds that are not of the SIP server. */
export function exampleOf(kind: string): object | undefined {
  const found = DOCUMENTS[kind];
  return found && { apiVersion: API_VERSION, kind, ...found };
}
