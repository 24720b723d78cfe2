import type { GraphQLResolveInfo } from 'graphql';
import { Field, GraphQLISODateTime, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';

import { changesFor, fieldChanges, forViewer, type FieldChange, type HistoryEntry } from '../../history/history-entry';
import { ADMIN_KINDS, LIVE_KINDS, OTHER_KINDS } from '../../history/kinds';
import type { HistoryRequest, RequestPart } from '../../history/request-reader';
import type { Reverted } from '../../history/revert';
import type { Kind, Resource } from '../../model/kind';
import type { Context } from '../context';
import { loadByKey } from '../schema/loader';
import { selectionOf } from '../schema/look-ahead';

/** The kinds of entries: those of resources, which are added later, and others. */
export const HistoryKind: Record<string, string> = {};

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

const events = {
  CREATED: 'It was created.',
  UPDATED: 'It was updated.',
  DELETED: 'It was deleted.',
  SIGNED_IN: 'The user signed in.',
  SIGN_IN_FAILED: 'Sign-ins failed; `count` says how many.',
  SESSION_ENDED: 'A session of the user was ended.',
  SESSIONS_ENDED: 'All sessions of the user were ended.',
};
export const HistoryEvent = Object.fromEntries(Object.keys(events).map((name) => [name, name]));
registerEnumType(HistoryEvent, {
  name: 'HistoryEvent',
  description: 'What happened.',
  valuesConfig: Object.fromEntries(Object.entries(events).map(([name, description]) => [name, { description }])),
});

const ways = {
  GRAPHQL: 'A GraphQL request.',
  REST: 'A REST request.',
  COMMAND_LINE: 'A command of `sipgraph`.',
  IMPORT: 'An import, in the console, by a GraphQL request or by the command line.',
  SIP_SERVER: 'The SIP server.',
  SYSTEM: 'sipgraph itself, for example at startup.',
};
export const HistoryWay = Object.fromEntries(Object.keys(ways).map((name) => [name, name]));
registerEnumType(HistoryWay, {
  name: 'HistoryWay',
  description: 'How a change was made.',
  valuesConfig: Object.fromEntries(Object.entries(ways).map(([name, description]) => [name, { description }])),
});

@ObjectType('HistoryActor', { simpleResolvers: true, description: 'Who made a change.' })
export class HistoryActor {
  @Field(() => String, {
    description:
      'Name of the user; for a command, of the account at the operating system; `system` for sipgraph itself.',
  })
  username!: string;

  @Field(() => String, { nullable: true, description: 'Reference of the user; null for commands and sipgraph itself.' })
  ref!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Reference of the API token that was used; null after a sign-in.',
  })
  apiToken!: string | null;
}

@ObjectType('FieldChange', { simpleResolvers: true, description: 'A field that changed.' })
export class FieldChangeType {
  @Field(() => String, {
    description: 'Name of the field. `extra` stands for all members that only REST knows; they have no values here.',
  })
  field!: string;

  @Field(() => String, { nullable: true, description: 'The value before, as text; null if there was none.' })
  before!: string | null;

  @Field(() => String, { nullable: true, description: 'The value after, as text; null if there is none.' })
  after!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether the values stand for secrets: random digits, which only tell that the secret changed; `***` for viewers.',
  })
  isSecret!: boolean;
}

/** An entry of the history in GraphQL. */
@ObjectType('HistoryEntry', { description: 'An entry of the history: a change, and who made it.' })
export class HistoryEntryType {
  constructor(
    private readonly entry: HistoryEntry,
    private readonly isForViewer: boolean,
  ) {}

  /** For cursors. */
  get rowId(): number {
    return this.entry.rowId;
  }

  @Field(() => ID, { name: 'entry', description: 'Number of the entry. Later entries have higher numbers.' })
  get entryId(): string {
    return String(this.entry.rowId);
  }

  @Field(() => GraphQLISODateTime, { description: 'When the change was made.' })
  get at(): number {
    return this.entry.at;
  }

  @Field(() => HistoryEvent, { description: 'What happened.' })
  get event(): string {
    return this.entry.event;
  }

  @Field(() => HistoryKind, { description: 'The kind of what was changed.' })
  get kind(): string {
    return this.entry.kind;
  }

  @Field(() => String, { description: 'The reference of what was changed.' })
  get ref(): string {
    return this.entry.ref;
  }

  @Field(() => HistoryActor, { nullable: true, description: 'Who made the change; null if it is not known.' })
  get who(): HistoryActor | null {
    const { username, userRef = null, apiToken = null } = this.entry;
    return username === undefined ? null : { username, ref: userRef, apiToken };
  }

  @Field(() => HistoryWay, { nullable: true, description: 'How the change was made; null if it is not known.' })
  get way(): string | null {
    return this.entry.channel ?? null;
  }

  @Field(() => String, { nullable: true, description: "The client's address. Only operators and admins see it." })
  get address(): string | null {
    return this.isForViewer ? null : (this.entry.address ?? null);
  }

  @Field(() => String, {
    nullable: true,
    description: 'The id of the request (`X-Request-Id`) or of the run of a command.',
  })
  get request(): string | null {
    return this.entry.requestId ?? null;
  }

  @Field(() => ID, { nullable: true, description: 'The entry that this change reverted.' })
  get reverts(): string | null {
    const undoes = this.entry.details?.undoes;
    return undoes === undefined ? null : String(undoes);
  }

  @Field(() => Int, {
    nullable: true,
    description: 'How often the event happened, if it is counted; of an eviction, the number of devices.',
  })
  get count(): number | null {
    return this.entry.details?.count ?? null;
  }

  @Field(() => String, {
    nullable: true,
    description:
      'Why sipgraph made the change by itself, such as `not confirmed within 10 minutes`; null for a change that somebody made.',
  })
  get reason(): string | null {
    return this.entry.details?.reason ?? null;
  }

  @Field(() => [FieldChangeType], {
    description:
      'The fields that changed; of a creation and a deletion, all fields that had a value. Viewers do not see `extra`.',
  })
  get changes(): readonly FieldChange[] {
    return changesFor(this.entry, this.isForViewer);
  }
}

/** A part of a request in GraphQL. */
@ObjectType('HistoryPart', { description: 'What a request did to one kind: its entries of one event.' })
export class HistoryPartType {
  constructor(
    private readonly part: RequestPart,
    private readonly isForViewer: boolean,
  ) {}

  @Field(() => HistoryKind, { description: 'The kind of what was changed.' })
  get kind(): string {
    return this.part.kind;
  }

  @Field(() => HistoryEvent, { description: 'What happened.' })
  get event(): string {
    return this.part.event;
  }

  @Field(() => Int, { description: 'The number of entries.' })
  get count(): number {
    return this.part.count;
  }

  @Field(() => String, { description: 'The reference of what was changed; of several, that of one of them.' })
  get ref(): string {
    return this.part.ref;
  }

  @Field(() => Int, {
    nullable: true,
    description: 'How often the event happened, if it is counted; of an eviction, the number of devices.',
  })
  get times(): number | null {
    return this.part.times ?? null;
  }

  @Field(() => [FieldChangeType], {
    description:
      'The fields that got the same value in all of the entries; of a request with more than 100 entries, at most three fields, and only of updates. `before` is also null if the values before differ.',
  })
  get shared(): readonly FieldChange[] {
    return this.isForViewer ? forViewer(this.part.shared) : this.part.shared;
  }
}

/** A request in GraphQL. */
@ObjectType('HistoryRequest', {
  description: 'What a request did, or the run of a command. An entry that belongs to no request is one of its own.',
})
export class HistoryRequestType {
  private readonly newest: HistoryEntryType;

  constructor(
    private readonly done: HistoryRequest,
    private readonly isForViewer: boolean,
  ) {
    this.newest = new HistoryEntryType(done.newest, isForViewer);
  }

  @Field(() => String, { nullable: true, description: 'The id of the request (`X-Request-Id`) or of the run.' })
  get request(): string | null {
    return this.newest.request;
  }

  @Field(() => ID, { description: 'Number of its newest entry that meets the conditions.' })
  get entry(): string {
    return this.newest.entryId;
  }

  @Field(() => GraphQLISODateTime, { description: 'When this entry was written.' })
  get at(): number {
    return this.newest.at;
  }

  @Field(() => HistoryActor, { nullable: true, description: 'Who sent the request; null if it is not known.' })
  get who(): HistoryActor | null {
    return this.newest.who;
  }

  @Field(() => HistoryWay, { nullable: true, description: 'How the changes were made; null if it is not known.' })
  get way(): string | null {
    return this.newest.way;
  }

  @Field(() => String, { nullable: true, description: "The client's address. Only operators and admins see it." })
  get address(): string | null {
    return this.newest.address;
  }

  @Field(() => Boolean, { description: 'Whether all that was done reverts earlier changes.' })
  get isRevert(): boolean {
    return this.done.isRevert;
  }

  @Field(() => String, {
    nullable: true,
    description: 'Why sipgraph did it by itself; null for what a user requested.',
  })
  get reason(): string | null {
    return this.done.reason ?? null;
  }

  @Field(() => Boolean, {
    description: 'Whether all entries are counted in `parts`. At most about 25,000 entries of a request are counted.',
  })
  get isWhole(): boolean {
    return this.done.isWhole;
  }

  @Field(() => [HistoryPartType], { description: 'What was done, by kind and event.' })
  get parts(): readonly HistoryPartType[] {
    return this.done.parts.map((part) => new HistoryPartType(part, this.isForViewer));
  }
}

/** A page of requests in GraphQL. */
@ObjectType('HistoryRequestPage', { simpleResolvers: true, description: 'A page of what requests did.' })
export class HistoryRequestPage {
  @Field(() => [HistoryRequestType], { description: 'The requests.' })
  nodes!: readonly HistoryRequestType[];

  @Field(() => Boolean, { description: 'Whether requests follow the page.' })
  hasNextPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'For `after`, to read the next page; null for an empty history.',
  })
  endCursor!: string | null;
}

@InputType({ description: 'Conditions on entries of the history. All must hold.' })
export class HistoryWhere {
  @Field(() => HistoryKind, { nullable: true, description: 'The kind of what was changed.' })
  kind?: string | null;

  @Field(() => [HistoryKind], { nullable: true, description: 'What was changed is of one of these kinds.' })
  kinds?: readonly string[] | null;

  @Field(() => String, { nullable: true, description: 'The reference of what was changed.' })
  ref?: string | null;

  @Field(() => String, { nullable: true, description: 'The name of who made the change.' })
  user?: string | null;

  @Field(() => HistoryWay, { nullable: true, description: 'How the change was made.' })
  way?: string | null;

  @Field(() => HistoryEvent, { nullable: true, description: 'What happened.' })
  event?: string | null;

  @Field(() => String, { nullable: true, description: 'The id of the request or of the run of a command.' })
  request?: string | null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'Not before this time.' })
  from?: Date | null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'Not after this time.' })
  to?: Date | null;
}

@InputType({ description: 'A secret for a revert, because old secrets are not kept.' })
export class RevertSecretInput {
  @Field(() => String, { description: 'Name of the field, such as `secret`.' })
  field!: string;

  @Field(() => String, { description: 'The secret.' })
  value!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Reference of the resource; by default, each that needs the secret.',
  })
  ref?: string | null;
}

/** What a revert changed, in GraphQL. */
@ObjectType('RevertedChange', { description: 'What a revert changed, or would change.' })
export class RevertedChange {
  constructor(private readonly reverted: Reverted) {}

  @Field(() => ID, { name: 'entry', description: 'The entry that was reverted.' })
  get entryId(): string {
    return String(this.reverted.entry);
  }

  @Field(() => HistoryEvent, { description: 'What happened to the resource by the revert.' })
  get event(): string {
    return this.reverted.event;
  }

  @Field(() => HistoryKind, { description: 'The kind of the resource.' })
  get kind(): string {
    return this.reverted.kind;
  }

  @Field(() => String, { description: "The resource's reference." })
  get ref(): string {
    return this.reverted.ref;
  }

  @Field(() => [FieldChangeType], { description: 'The fields that changed.' })
  get changes(): readonly FieldChange[] {
    return fieldChanges(this.reverted);
  }
}

/** Reads the resource of a kind with this ref, for a field of each object of a list. Undefined if there is none. */
export function currentState(
  kind: string,
  ref: string,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Resource | undefined> {
  const { shared, read } = context.session;
  return loadByKey(context, info, `${kind} ${ref}`, async (keys) => {
    const found = new Map<string, Resource>();
    for (const each of shared.model.kinds) {
      const refs = keys.filter((key) => key.startsWith(`${each.name} `)).map((key) => key.slice(each.name.length + 1));
      for (const resource of await read.resources.some(each, refs, selectionOf(each, info)))
        found.set(`${each.name} ${resource.ref}`, resource);
    }
    return found;
  });
}
