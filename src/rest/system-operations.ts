import type { Operation } from './operation';

const common = { method: 'GET', numericStatus: true } as const;

/** The server about itself, and tokens. */
export const systemOperations: readonly Operation[] = [
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
    handle: () => ({ data: 'Up' }),
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
