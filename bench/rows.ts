export const GATEWAYS = 1000;
export const DOMAINS = 10;
export const CREATED_ON = Date.UTC(2026, 0, 1);

/** The ref of the DID with this index, from 1. */
export function didRef(index: number): string {
  return `dd${index.toString(16).padStart(8, '0')}`;
}

/** The ref of the Gateway with this index, from 1. */
export function gatewayRef(index: number): string {
  return `gw${String(index).padStart(6, '0')}`;
}

/** A row: its values by column. */
export type Columns = Readonly<Record<string, string | number | null>>;

/** The Gateway with this index, from 1, which is its row id. */
export function gateway(index: number): Columns {
  const [host, username] = [`sip${index}.provider.net`, `trunk${index}`];
  return {
    id: index,
    ref: gatewayRef(index),
    created_on: CREATED_ON + index,
    modified_on: CREATED_ON + index,
    extra: null,
    name: `Provider ${index}`,
    host,
    username,
    secret: `secret-${index}`,
    transport: 'udp',
    port: index % 2 === 0 ? 5060 : null,
    expires: index % 3 === 0 ? 3600 : null,
    send_register: index % 3 === 0 ? 1 : null,
    registries: index % 5 === 0 ? JSON.stringify([`registrar${index}.provider.net:5061`]) : null,
    identity: `${host}|${index % 2 === 0 ? '5060' : ''}|${username}`,
  };
}

/** The Domain with this index, from 1, which is its row id. */
export function domain(index: number): Columns {
  return {
    id: index,
    ref: `dm${String(index).padStart(6, '0')}`,
    created_on: CREATED_ON + index,
    modified_on: CREATED_ON + index,
    extra: null,
    name: `Domain ${index}`,
    domain_uri: `domain${index}.sip.local`,
  };
}

/** A Domain of the Agent with this row id. */
export function member(agent: number, domain: number, position: number): Columns {
  return { agent_id: agent, domain_id: (domain % DOMAINS) + 1, position, username: `user${agent - 1}` };
}

/** The DID or Number with this index, from 1. */
export function number(kind: 'DID' | 'Number', index: number, gateways = GATEWAYS): Columns {
  const digits = `${kind === 'DID' ? '1404' : '1405'}${String(index).padStart(7, '0')}`;
  const user = String(1000 + (index % 500));
  const placed = index % 2 === 0;
  return {
    ref: kind === 'DID' ? didRef(index) : `nu${index.toString(16).padStart(8, '0')}`,
    created_on: CREATED_ON + index,
    modified_on: CREATED_ON + index,
    extra: null,
    kind,
    gateway_id: ((index - 1) % gateways) + 1,
    geo_info_city: placed ? 'Columbus, GA' : null,
    geo_info_country: placed ? 'USA' : null,
    geo_info_country_isocode: placed ? 'US' : null,
    tel_url: `tel:+${digits}`,
    aor_link: `sip:${user}@sip.local`,
    tel_digits: digits,
    digits_key: `${digits.length}${digits}`,
    aor_user: user,
    aor_host: 'sip.local',
  };
}
