/** The kinds of entries that only admins see, with their descriptions. */
export const ADMIN_KINDS: Readonly<Record<string, string>> = {
  User: 'A user: changes of the role and the secret, sign-ins, and sessions that were ended.',
  ApiToken: 'An API token.',
  SigningKey: 'A key that signs tokens.',
  Webhook: 'A webhook: its settings, its secret, and whether it is paused.',
};
