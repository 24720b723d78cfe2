import { BINDING } from '../changes/change';

/** The kinds of entries that are not about resources and that every user sees, with their descriptions. */
export const LIVE_KINDS: Readonly<Record<string, string>> = {
  [BINDING]: 'An eviction. Its reference is the address of record as a SIP URI, or `*` if all devices were evicted.',
};

/** The kinds of entries that only admins see, with their descriptions. */
export const ADMIN_KINDS: Readonly<Record<string, string>> = {
  User: 'A user: changes of the role and the secret, sign-ins, and sessions that were ended.',
  ApiToken: 'An API token.',
  SigningKey: 'A key that signs tokens.',
  Webhook: 'A webhook: its settings, its secret, and whether it is paused.',
};

/** All kinds of entries that are not about resources, with their descriptions. */
export const OTHER_KINDS: Readonly<Record<string, string>> = { ...LIVE_KINDS, ...ADMIN_KINDS };
