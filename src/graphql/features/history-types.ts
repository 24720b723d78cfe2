import { GraphQLISODateTime, ID, Int, registerEnumType } from 'type-graphql';

import { changesFor, fieldChanges, forViewer, type HistoryEntry } from '../../history/history-entry';
import { ADMIN_KINDS, LIVE_KINDS, OTHER_KINDS } from '../../history/kinds';
import type { HistoryRequest } from '../../history/request-reader';
import type { Reverted } from '../../history/revert';
import type { Kind } from '../../model/kind';
import { enumOf, inputOf, nullable, objectOf } from '../schema/type-tables';

/** The kinds of entries: those of resources, which are added later, and others. */
const HistoryKind: Record<string, string> = {};

/** Declares the enum of the kinds. */
export function declareHistoryKinds(kinds: readonly Kind[]): void {
  for (const name of [...kinds.map((kind) => kind.name), ...Object.keys(OTHER_KINDS)]) HistoryKind[name] = name;
  const described = [
    ...kinds.map(({ name, about }) => [name, about] as const),
    ...Object.entries(LIVE_KINDS),
    ...Object.entries(ADMIN_KINDS).map(([name, about]) => [name, `${about} Only admins see it.`] as const),
  ];
  registerEnumType(HistoryKind, {
    name: 'HistoryKind',
    description: 'What an entry of the history is about.',
    valuesConfig: Object.fromEntries(described.map(([name, description]) => [name, { description }])),
  });
}

const HistoryEvent = enumOf<string>('HistoryEvent', 'What happened.', {
  CREATED: 'It was created.',
  UPDATED: 'It was updated.',
  DELETED: 'It was deleted.',
  SIGNED_IN: 'The user signed in.',
  SIGN_IN_FAILED: 'Sign-ins failed; `count` says how many.',
  SESSION_ENDED: 'A session of the user was ended.',
  SESSIONS_ENDED: 'All sessions of the user were ended.',
});

const HistoryWay = enumOf<string>('HistoryWay', 'How a change was made.', {
  GRAPHQL: 'A GraphQL request.',
  REST: 'A REST request.',
  COMMAND_LINE: 'A command of `sipgraph`.',
  IMPORT: 'An import, in the console, by a GraphQL request or by the command line.',
  SIP_SERVER: 'The SIP server.',
  SYSTEM: 'sipgraph itself, for example at startup.',
});

export const HistoryActor = objectOf('HistoryActor', 'Who made a change.', {
  username: [
    String,
    'Name of the user; for a command, of the account at the operating system; `system` for sipgraph itself.',
  ],
  ref: [nullable(String), 'Reference of the user; null for commands and sipgraph itself.'],
  apiToken: [nullable(String), 'Reference of the API token that was used; null after a sign-in.'],
});

export const FieldChangeType = objectOf('FieldChange', 'A field that changed.', {
  field: [String, 'Name of the field. `extra` stands for all members that only REST knows; they have no values here.'],
  before: [nullable(String), 'The value before, as text; null if there was none.'],
  after: [nullable(String), 'The value after, as text; null if there is none.'],
  isSecret: [
    Boolean,
    'Whether the values stand for secrets: random digits, which only tell that the secret changed; `***` for viewers.',
  ],
});

/** An entry of the history in GraphQL. */
export const HistoryEntryType = objectOf('HistoryEntry', 'An entry of the history: a change, and who made it.', {
  entry: [ID, 'Number of the entry. Later entries have higher numbers.'],
  at: [GraphQLISODateTime, 'When the change was made.'],
  event: [HistoryEvent, 'What happened.'],
  kind: [HistoryKind, 'The kind of what was changed.'],
  ref: [String, 'The reference of what was changed.'],
  who: [nullable(HistoryActor), 'Who made the change; null if it is not known.'],
  way: [nullable(HistoryWay), 'How the change was made; null if it is not known.'],
  address: [nullable(String), "The client's address. Only operators and admins see it."],
  request: [nullable(String), 'The id of the request (`X-Request-Id`) or of the run of a command.'],
  reverts: [nullable(ID), 'The entry that this change reverted.'],
  count: [nullable(Int), 'How often the event happened, if it is counted; of an eviction, the number of devices.'],
  reason: [
    nullable(String),
    'Why sipgraph made the change by itself, such as `not confirmed within 10 minutes`; null for a change that somebody made.',
  ],
  changes: [
    [FieldChangeType],
    'The fields that changed; of a creation and a deletion, all fields that had a value. Viewers do not see `extra`.',
  ],
});
export type HistoryEntryType = InstanceType<typeof HistoryEntryType> & {
  /** For cursors. */
  readonly rowId: number;
};

/** An entry as operators or viewers see it. */
export function toHistoryEntry(entry: HistoryEntry, isForViewer: boolean): HistoryEntryType {
  const { rowId, at, event, kind, ref, username, userRef = null, apiToken = null, details } = entry;
  return {
    rowId,
    entry: String(rowId),
    at,
    event,
    kind,
    ref,
    who: username === undefined ? null : { username, ref: userRef, apiToken },
    way: entry.channel ?? null,
    address: isForViewer ? null : (entry.address ?? null),
    request: entry.requestId ?? null,
    reverts: details?.undoes === undefined ? null : String(details.undoes),
    count: details?.count ?? null,
    reason: details?.reason ?? null,
    changes: changesFor(entry, isForViewer),
  };
}

/** A part of a request in GraphQL. */
export const HistoryPartType = objectOf('HistoryPart', 'What a request did to one kind: its entries of one event.', {
  kind: [HistoryKind, 'The kind of what was changed.'],
  event: [HistoryEvent, 'What happened.'],
  count: [Int, 'The number of entries.'],
  ref: [
    String,
    'The reference of what was changed; of several, that of one of them: one that `where` asks for, if there is one.',
  ],
  times: [nullable(Int), 'How often the event happened, if it is counted; of an eviction, the number of devices.'],
  shared: [
    [FieldChangeType],
    'The fields that got the same value in all of the entries; of a request with more than 100 entries, at most three fields, and only of updates. `before` is also null if the values before differ.',
  ],
});
export type HistoryPartType = InstanceType<typeof HistoryPartType> & {
  /** The number of the entry that has `ref`, or of a later one of the request. */
  readonly rowId: number;
  /** When that entry was written, in milliseconds since the epoch. */
  readonly at: number;
};

/** A request in GraphQL. */
const HistoryRequestType = objectOf(
  'HistoryRequest',
  'What a request did, or the run of a command. An entry that belongs to no request is one of its own.',
  {
    request: [nullable(String), 'The id of the request (`X-Request-Id`) or of the run.'],
    entry: [ID, 'Number of its newest entry that meets the conditions.'],
    at: [GraphQLISODateTime, 'When this entry was written.'],
    who: [nullable(HistoryActor), 'Who sent the request; null if it is not known.'],
    way: [nullable(HistoryWay), 'How the changes were made; null if it is not known.'],
    address: [nullable(String), "The client's address. Only operators and admins see it."],
    isRevert: [Boolean, 'Whether all that was done reverts earlier changes.'],
    reason: [nullable(String), 'Why sipgraph did it by itself; null for what a user requested.'],
    isWhole: [
      Boolean,
      'Whether all entries are counted in `parts`. At most about 25,000 entries of a request are counted.',
    ],
    parts: [[HistoryPartType], 'What was done, by kind and event.'],
  },
);
type HistoryRequestType = InstanceType<typeof HistoryRequestType>;

/** What a request did, as operators or viewers see it. */
export function toHistoryRequest(done: HistoryRequest, isForViewer: boolean): HistoryRequestType {
  const { isRevert, reason = null, isWhole, parts } = done;
  const { request, entry, at, who, way, address } = toHistoryEntry(done.newest, isForViewer);
  return {
    ...{ request, entry, at, who, way, address, isRevert, reason, isWhole },
    parts: isForViewer ? parts.map((part) => ({ ...part, shared: forViewer(part.shared) })) : parts,
  };
}

/** A page of requests in GraphQL. */
export const HistoryRequestPage = objectOf('HistoryRequestPage', 'A page of what requests did.', {
  nodes: [[HistoryRequestType], 'The requests.'],
  hasNextPage: [Boolean, 'Whether requests follow the page.'],
  endCursor: [nullable(String), 'For `after`, to read the next page; null for an empty history.'],
});
export type HistoryRequestPage = InstanceType<typeof HistoryRequestPage>;

export const HistoryWhere = inputOf('HistoryWhere', 'Conditions on entries of the history. All must hold.', {
  kind: [nullable(HistoryKind), 'The kind of what was changed.'],
  kinds: [nullable([HistoryKind]), 'What was changed is of one of these kinds.'],
  ref: [nullable(String), 'The reference of what was changed.'],
  user: [nullable(String), 'The name of who made the change.'],
  way: [nullable(HistoryWay), 'How the change was made.'],
  event: [nullable(HistoryEvent), 'What happened.'],
  request: [nullable(String), 'The id of the request or of the run of a command.'],
  from: [nullable(GraphQLISODateTime), 'Not before this time.'],
  to: [nullable(GraphQLISODateTime), 'Not after this time.'],
});
export type HistoryWhere = InstanceType<typeof HistoryWhere>;

export const RevertSecretInput = inputOf(
  'RevertSecretInput',
  'A secret for a revert, because old secrets are not kept.',
  {
    field: [String, 'Name of the field, such as `secret`.'],
    value: [String, 'The secret.'],
    ref: [nullable(String), 'Reference of the resource; by default, each that needs the secret.'],
  },
);

/** What a revert changed, in GraphQL. */
export const RevertedChange = objectOf('RevertedChange', 'What a revert changed, or would change.', {
  entry: [ID, 'The entry that was reverted.'],
  event: [HistoryEvent, 'What happened to the resource by the revert.'],
  kind: [HistoryKind, 'The kind of the resource.'],
  ref: [String, "The resource's reference."],
  changes: [[FieldChangeType], 'The fields that changed.'],
});
export type RevertedChange = InstanceType<typeof RevertedChange>;

export function toRevertedChange(reverted: Reverted): RevertedChange {
  return { ...reverted, entry: String(reverted.entry), changes: fieldChanges(reverted) };
}
