/** The texts of session/. */
export const session = {
  title: 'Sign in to sipgraph',
  again: 'Sign in again',
  ended: 'Your token is no longer valid. Sign in again to go on where you are.',
  hint: 'The server printed the admin’s secret on its first start.',
  name: 'Name',
  secret: 'Secret',
  submit: 'Sign in',
  busy: 'Signing in…',
} as const;
