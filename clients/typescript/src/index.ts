export { createClient, type CallOptions, type Client, type ClientOptions } from './client.js';
export { SipgraphError, type ErrorDetail } from './errors.js';
export { signIn, type TokenSource } from './tokens.js';
export type * from './operations.js';
export type * from './schema-types.js';
