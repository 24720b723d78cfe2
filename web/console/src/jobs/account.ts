/** What somebody needs to set up a phone. */
export interface PhoneAccount {
  readonly kind: 'Agent' | 'Peer';
  readonly ref: string;
  readonly name: string;
  /** The domain, which is also the registrar. */
  readonly server: string;
  readonly username: string;
  readonly secret: string;
  /** The registrations that the account had when it got the secret. */
  readonly before: readonly Registered[];
}

/** A registered device. */
export interface Registered {
  readonly id: string;
  readonly expiresOn: string | null;
}
