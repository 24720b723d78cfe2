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
      summary: 'Tells what the resources are kept in; the configuration itself comes from the environment.',
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
      summary: 'Tells what the server is.',
      answer: { member: 'data', of: 'SystemInfo' },
      access: 'token',
      handle: (_call, session) => ({ data: session.read.systemInfo }),
    },
    {
      ...common,
      id: 'getSystemStatus',
      path: '/system/status',
      summary: 'Tells that the server is up.',
      answer: { member: 'data', of: 'Status' },
      access: 'open',
      handle: () => ({ message: 'up', data: 'Up' }),
    },
    {
      ...common,
      id: 'getSystemLogs',
      path: '/system/logs',
      summary: 'Answers with an empty text: the server writes its logs to standard output.',
      answer: { member: 'data', of: 'Logs' },
      access: 'token',
      handle: () => ({ message: 'The server writes its logs to standard output', data: '' }),
    },
    {
      ...common,
      id: 'getToken',
      path: '/token',
      summary: 'Gives a token for the name and secret of a user.',
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
      summary: 'Gives a token as the whole body, without an envelope.',
      answer: { member: 'data', of: 'Token' },
      failures: [429],
      access: 'basic',
      bare: true,
      handle: ({ token }) => ({ data: token }),
    },
  ];
}
