/** How a change reached sipgraph. `SYSTEM` is sipgraph itself, for example at startup. */
export type Channel = 'GRAPHQL' | 'REST' | 'COMMAND_LINE' | 'IMPORT' | 'SIP_SERVER' | 'SYSTEM';

/** Who makes a change, and how. Each write has its own actor, because writes of several callers share a transaction. */
export interface Actor {
  readonly channel: Channel;
  /** The name of the user, or of the account at the operating system for a command. Empty for a failed sign-in. */
  readonly username: string;
  /** The ref of the user. Undefined for a command. */
  readonly userRef?: string;
  /** The id of the API token of the request. Undefined for a token of a sign-in. */
  readonly apiToken?: string;
  /** The client's IP address. */
  readonly address?: string;
  /** The id of the request, or of the run of a command. */
  readonly requestId?: string;
  /** Why sipgraph makes the change by itself, or earlier than it would. */
  readonly reason?: string;
  /** Charges the user for work that a write turned out to cause, in objects. Undefined for a command and for sipgraph itself. */
  readonly owe?: (work: number) => void;
}

/** sipgraph itself. */
export const SYSTEM: Actor = { channel: 'SYSTEM', username: 'system' };
