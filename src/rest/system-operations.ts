import { API_VERSION } from '../model/kind';
import type { Operation } from './operation';

const common = { method: 'GET', numericStatus: true } as const;

/** The operations on system information and tokens. */
export function systemOperations(provider: string): readonly Operation[] {
  return [
    {
      ...common,
      id: 'getSystemConfig',
      path: '/system/config',
      summary: 'Returns the part of the configuration that clients need. It is read-only.',
      answer: { member: 'data', of: 'SystemConfig' },
      access: 'token',
      handle: () => ({
        data: {
          apiVersion: API_VERSION,
          kind: 'Config',
          metadata: {},
          spec: { dataSource: { provider }, restService: {}, securityContext: {} },
        },
      }),
    },
    {
      ...common,
      id: 'getSystemInfo',
      path: '/system/info',
      summary: 'Returns information about the server.',
      answer: { member: 'data', of: 'SystemInfo' },
      access: 'token',
      handle: (_call, session) => ({ data: session.shared.systemInfo }),
    },
    {
      ...common,
      id: 'getSystemStatus',
      path: '/system/status',
      summary: 'Returns `up` while the server runs.',
      answer: { member: 'data', of: 'Status' },
      access: 'open',
      handle: () => ({ message: 'up', data: 'Up' }),
    },
    {
      ...common,
      id: 'getSystemLogs',
      path: '/system/logs',
      summary: 'Returns an empty text, because the server writes its logs to standard output.',
      answer: { member: 'data', of: 'Logs' },
      access: 'token',
      handle: () => ({ message: 'The server writes its logs to standard output', data: '' }),
    },
    {
      ...common,
      id: 'getToken',
      path: '/token',
      summary: 'Returns a token for the name and secret of a user.',
      answer: { member: 'data', of: 'Token' },
      failures: [429],
      access: 'basic',
      handle: ({ token }) => ({ data: token }),
    },
    {
      ...common,
      numericStatus: false,
      id: 'getCredentials',
      path: '/credentials',
      summary: 'Returns a token as the whole body, without an envelope.',
      answer: { member: 'data', of: 'Token' },
      failures: [429],
      access: 'basic',
      bare: true,
      handle: ({ token }) => ({ data: token }),
    },
  ];
}
