import dayjs from 'dayjs';
import relativeTime from 'dayjs/plugin/relativeTime';

import type { Contact } from '../sip/live/contact';
import type { LiveRegistration } from '../sip/live/registration-reader';
import { type Operation, pageParameters } from './operation';
import { pageRequest, readPage } from './query-parameters';

dayjs.extend(relativeTime);

/** The operations on current registrations and contacts. */
export function liveOperations(maxItemsPerPage: number): readonly Operation[] {
  const common = {
    method: 'GET',
    numericStatus: true,
    parameters: pageParameters(maxItemsPerPage),
    access: 'token',
  } as const;
  const eviction = { method: 'DELETE', numericStatus: true, access: 'token', failures: [403, 405] } as const;
  return [
    {
      ...common,
      id: 'listRegistry',
      path: '/registry',
      summary: 'Lists the gateways that are currently registered at their providers.',
      answer: { member: 'data', of: 'Registry', list: true },
      handle: async ({ query }, { read: { registrations } }) => {
        const { items, meta } = await readPage(
          pageRequest(query, maxItemsPerPage),
          () => registrations.count(),
          (page, size) => registrations.numberedPage(page, size),
        );
        return { meta, data: items.map(toRegistryEntry) };
      },
    },
    {
      ...common,
      id: 'listEndpoints',
      path: '/location',
      summary: 'Lists the addresses of record that currently have a registered device.',
      answer: { member: 'data', of: 'Location', list: true },
      handle: async ({ query }, { read: { contacts } }) => {
        const { items, meta } = await readPage(
          pageRequest(query, maxItemsPerPage),
          () => contacts.addressCount(),
          (page, size) => contacts.addresses(page, size),
        );
        return { meta, data: items.map(toLocationEntry) };
      },
    },
    {
      ...eviction,
      id: 'evictEndpoints',
      path: '/location',
      summary: 'Ends the registrations of all devices.',
      handle: async (_call, { write }) => {
        await write.bindings.evictAll();
        return {};
      },
    },
    {
      ...eviction,
      id: 'evictEndpoint',
      path: '/location/:addressOfRecord',
      summary: 'Ends the registrations of all devices of an address of record.',
      failures: [403, 404, 405],
      handle: async ({ params }, { write }) => {
        await write.bindings.evict(params['addressOfRecord'] ?? '');
        return {};
      },
    },
  ];
}

/**
 * Returns the Location entry (docs/rest-contract.md, section 2.9) of the contacts of one address of record, which are
 * in descending order of preference.
 */
function toLocationEntry(contacts: readonly Contact[]): Readonly<Record<string, string>> {
  const [contact] = contacts;
  if (!contact) throw new Error('an address of record without contacts is not listed');
  const { addressOfRecord, uri, transport, nat, expires } = contact;
  const others = contacts.length > 1 ? ' [...]' : '';
  return {
    addressOfRecord,
    contactInfo: `${uri};transport=${transport};nat=${String(nat)};expires=${String(expires)}${others}`,
  };
}

/** A Registry entry (docs/rest-contract.md, section 2.10). */
function toRegistryEntry(registration: LiveRegistration): Readonly<Record<string, string | number>> {
  const { username, host, ip, port, expires, registeredOn, gatewayRef } = registration;
  return {
    username,
    host,
    ip,
    expires,
    registeredOn,
    gwRef: gatewayRef,
    gwURI: `sip:${username}@${host}:${String(port)}`,
    // Not in the future, even if the clock of the SIP server is ahead.
    regOnFormatted: dayjs(Math.min(registeredOn, Date.now())).fromNow(),
  };
}
