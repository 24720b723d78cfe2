import type { TestApp } from '../support/app';
import { createGateway } from '../support/factories';
import { runSql } from '../support/databases/sql';

/** The gateways of the cases and of docs/filters.md, in this order, as REST documents. */
export const GATEWAYS = [
  {
    input: {
      ref: 'one',
      name: 'Provider One',
      host: 'sip.one.net',
      transport: 'UDP',
      port: 5060,
      expires: 3600,
      username: '1001',
      secret: 's3cr3t',
      sendRegister: true,
      registries: ['a.one.net', 'b.one.net:5061'],
    },
    extra: {
      spec: {
        ex_maxContact: 3,
        note: 'it\'s "fine" \\ here',
        tags: ['red', 'blue', 7, true, null],
        flag: true,
        nested: { deep: { level: 2, 'with space': 'y' } },
        nothing: null,
        blank: '',
        none: [],
        obj: {},
        matrix: [[1, 2], [3]],
      },
    },
  },
  {
    input: { ref: 'two', name: 'provider two', host: 'sip.two.net', transport: 'TCP', sendRegister: false },
    extra: {
      spec: { ex_maxContact: '3', tags: 'red', flag: 'true', nested: { deep: 'x' }, 'dotted.name': 1, big: 1234567 },
    },
  },
  {
    input: {
      ref: 'three',
      name: 'Ünïcode ☎ 100%_',
      host: '10.0.0.3',
      transport: 'TLS',
      port: 5061,
      expires: 0,
      username: 'bob',
      secret: 's3cr3t',
      registries: [],
    },
    extra: null,
  },
  {
    input: {
      ref: 'four',
      name: 'O\'Neil -- "q" /*c*/ ',
      host: 'sip.four.net',
      transport: 'UDP',
      port: 5080,
      username: '01001',
      secret: 'other',
    },
    extra: {
      metadata: { accessKeyId: 'k1' },
      spec: { ex_maxContact: 3.5, list: [1, 2, 3], credentials: { realm: 'z' }, note: 'ÄÖ', big: 1e19 },
      more: { top: true },
    },
  },
] as const;

/** Creates the gateways. */
export async function createGateways(app: TestApp, url: string): Promise<void> {
  for (const { input, extra } of GATEWAYS) {
    await createGateway(app, input);
    if (extra) await runSql(url, 'UPDATE gateways SET extra = ? WHERE ref = ?', [JSON.stringify(extra), input.ref]);
  }
}
