import { listed } from './paging';
import { pageRequest } from './query-parameters';
import { toLocationEntry, toRegistryEntry } from './live-documents';
import { pageParameters, type Operation } from './operation';

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
        const { items, meta } = await listed(
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
        const { items, meta } = await listed(
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
