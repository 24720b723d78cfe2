export { createClient, signIn, type CallOptions, type Client, type ClientOptions, type TokenSource } from './client.js';
export { SipgraphError, type ErrorDetail } from './errors.js';
export type * from './operations.js';
export type * from './schema-types.js';
