import { BadRequestError } from './errors';

/** The fields of a Gateway that its REST document contains. Dates are in milliseconds since the epoch. */
export interface GatewayFields {
  readonly ref: string;
  readonly name: string;
  readonly createdOn: number;
  readonly modifiedOn: number;
  readonly host: string;
  readonly username: string | null;
  readonly secret: string | null;
  readonly transport: string;
  readonly port: number | null;
  readonly expires: number | null;
  readonly sendRegister: boolean | null;
  readonly registries: readonly string[] | null;
}

/** The fields of an Agent, without its domains. */
export interface AgentFields {
  readonly ref: string;
  readonly name: string;
  readonly createdOn: number;
  readonly modifiedOn: number;
  readonly username: string;
  readonly secret: string;
  readonly privacy: string | null;
  readonly maxContacts: number | null;
}

/** The fields of a DID, without its gateway. */
export interface DidFields {
  readonly ref: string;
  readonly createdOn: number;
  readonly modifiedOn: number;
  readonly city: string | null;
  readonly country: string | null;
  readonly countryISOCode: string | null;
  readonly telUrl: string;
  readonly aorLink: string;
}

/** The document of a Gateway (docs/rest-contract.md, section 2.4). */
export function gatewayDocument(gateway: GatewayFields): unknown {
  const { name, ref, username, secret, host, transport, port, expires, sendRegister, registries } = gateway;
  return {
    apiVersion: 'v1beta1',
    kind: 'Gateway',
    metadata: { name, ref, ...dates(gateway) },
    spec: {
      host,
      ...(username !== null && { credentials: { username, secret } }),
      transport,
      ...(port !== null && { port }),
      ...(expires !== null && { expires }),
      ...(sendRegister !== null && { sendRegister }),
      ...(registries !== null && { registries }),
    },
  };
}

/** The document of an Agent (docs/rest-contract.md, section 2.5). */
export function agentDocument(agent: AgentFields, domains: readonly string[]): unknown {
  const { name, ref, username, secret, privacy, maxContacts } = agent;
  return {
    apiVersion: 'v1beta1',
    kind: 'Agent',
    metadata: { name, ref, ...dates(agent) },
    spec: {
      credentials: { username, secret },
      domains,
      ...(privacy !== null && { privacy }),
      ...(maxContacts !== null && { ex_maxContact: maxContacts }),
    },
  };
}

/** The document of a DID (docs/rest-contract.md, section 2.8). */
export function didDocument(did: DidFields, gwRef: string): unknown {
  const { ref, city, country, countryISOCode, telUrl, aorLink } = did;
  return {
    apiVersion: 'v1beta1',
    kind: 'DID',
    metadata: {
      ref,
      gwRef,
      geoInfo: { city: city ?? '', country: country ?? '', countryISOCode: countryISOCode ?? '' },
      ...dates(did),
    },
    spec: { location: { telUrl, aorLink } },
  };
}

/** The cursor of the row with this id. */
export function cursorOf(id: number): string {
  return Buffer.from(`row:${id}`).toString('base64url');
}

/** The id of the row at a cursor. */
function rowOf(cursor: string): number {
  const [, id] = /^row:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (id === undefined) throw new BadRequestError(`${cursor} is not a cursor`);
  return Number(id);
}

/** The id of the row after which a page begins, 0 without a cursor. */
export function rowAfter(cursor: unknown): number {
  return typeof cursor === 'string' ? rowOf(cursor) : 0;
}

function dates({ createdOn, modifiedOn }: { readonly createdOn: number; readonly modifiedOn: number }) {
  return { createdOn: new Date(createdOn).toISOString(), modifiedOn: new Date(modifiedOn).toISOString() };
}
