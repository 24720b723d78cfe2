import 'reflect-metadata';
import { GraphQLEnumType, GraphQLSchema, isScalarType, type GraphQLObjectType } from 'graphql';
import { buildSchemaSync } from 'type-graphql';

import type { Model } from '../model/model';
import { callDirectly } from './direct-resolvers';
import { AccountResolver, SessionResolver } from './features/account-resolver';
import { ApiTokenResolver } from './features/api-token-resolver';
import { deprecatedUseResolvers } from './features/contract/deprecated-use-resolver';
import { SearchResolver } from './features/contract/search-resolver';
import { changeLinks, ChangeResolver } from './features/change-resolver';
import { alertLinks, CallAlertResolver, ChangedAlertResolver } from './features/calls/alert-resolver';
import { CallChangeResolver } from './features/calls/call-changes';
import { callLinks, CallResolver, createCallsResolver } from './features/calls/call-resolver';
import { createLimitsResolver } from './features/calls/limit-resolver';
import { createExportResolver } from './features/exports/export-resolver';
import { diagnosisLinks } from './features/diagnosis/diagnosis-links';
import { targetLinks } from './features/diagnosis/number-targets';
import { CausesResolver, DiagnosisResolver } from './features/diagnosis/diagnosis-resolver';
import { createHistoryResolver, historyLinks, HistoryResolver } from './features/history-resolver';
import { declareHistoryKinds } from './features/history-types';
import { ImportResolver, ImportResultResolver } from './features/import-resolver';
import { MovingResolver } from './features/moving/moving-resolver';
import {
  EvictionResolver,
  GatewayTestResolver,
  gatewayLinks,
  LiveResolver,
  contactLinks,
  registrationLink,
  createContactsResolver,
} from './features/live-resolver';
import { DestinationHealthResolver, DestinationsResolver } from './features/gateways/destination-resolver';
import { createChangeSetResolver } from './features/change-set-resolver';
import { PendingResolver } from './features/pending/pending-resolver';
import { createManyResolver, manySampleLink } from './features/many-resolver';
import {
  createRegistrationEventsResolver,
  registrationEventLinks,
  RegistrationEventResolver,
} from './features/registrations/registration-event-resolver';
import { AvailabilityResolver, SampleResolver } from './features/sample-resolver';
import { SystemResolver } from './features/system-resolver';
import { TaskResolver } from './features/tasks/task-resolver';
import { trunkLinks, TrunkResolver } from './features/trunk-resolver';
import { ViewResolver } from './features/view-resolver';
import { WebhookResolver, WebhookLinks } from './features/webhook-resolver';
import { createLinkResolvers } from './schema/link-resolver';
import { checkListsOfMutations } from './schema/list-args';
import { limitLists } from './schema/list-limit';
import { NodeResolver } from './schema/node-resolver';
import { declareObjectTypes } from './schema/object-types';
import { createResourceResolver } from './schema/resource-resolver';

let made: { readonly model: Model; readonly schema: GraphQLSchema } | undefined;

/**
 * Returns the GraphQL schema of a model, which is built once. Throws for a second model in the same process, because
 * TypeGraphQL stores declarations globally.
 */
export function graphSchema(model: Model): GraphQLSchema {
  made ??= { model, schema: build(model) };
  if (made.model !== model)
    throw new Error('a process can serve only one set of kinds, and this process already serves another');
  return made.schema;
}

function build({ kinds, kindOf }: Model): GraphQLSchema {
  declareObjectTypes(kinds);
  declareHistoryKinds(kinds);
  const built = buildSchemaSync({
    resolvers: [
      ...kinds.flatMap((kind) => [
        createResourceResolver(kind),
        ...createLinkResolvers(kind),
        createHistoryResolver(kind),
        createManyResolver(kind),
      ]),
      ...[kindOf('Agent'), kindOf('Peer')].map((kind) => createContactsResolver(kind, kind.name as 'Agent' | 'Peer')),
      ...[kindOf('DID'), kindOf('Number')].map((kind) => createContactsResolver(kind, 'Number')),
      ...(['Agent', 'Peer', 'Gateway', 'Domain', 'Route'] as const).map((name) =>
        createCallsResolver(kindOf(name), name),
      ),
      ...[kindOf('DID'), kindOf('Number')].map((kind) => createCallsResolver(kind, 'Number')),
      ...[kindOf('Agent'), kindOf('Peer'), kindOf('Gateway')].map((kind) =>
        createRegistrationEventsResolver(kind, kind.name as 'Agent' | 'Peer' | 'Gateway'),
      ),
      RegistrationEventResolver,
      ...registrationEventLinks,
      ...[kindOf('Agent'), kindOf('Domain'), kindOf('Gateway')].map((kind) =>
        createLimitsResolver(kind, kind.name as 'Agent' | 'Domain' | 'Gateway'),
      ),
      CallResolver,
      ...callLinks,
      CallChangeResolver,
      DiagnosisResolver,
      CausesResolver,
      ...diagnosisLinks,
      ...targetLinks,
      ChangeResolver,
      ...changeLinks,
      CallAlertResolver,
      ChangedAlertResolver,
      ...alertLinks,
      LiveResolver,
      EvictionResolver,
      GatewayTestResolver,
      TrunkResolver,
      ...trunkLinks,
      SampleResolver,
      AvailabilityResolver,
      ...contactLinks,
      registrationLink,
      ...gatewayLinks,
      DestinationsResolver,
      DestinationHealthResolver,
      HistoryResolver,
      ...historyLinks,
      manySampleLink,
      createChangeSetResolver(kinds),
      PendingResolver,
      createExportResolver(kinds),
      ImportResolver,
      MovingResolver,
      TaskResolver,
      ImportResultResolver,
      NodeResolver,
      AccountResolver,
      ApiTokenResolver,
      ...deprecatedUseResolvers,
      SearchResolver,
      SessionResolver,
      ViewResolver,
      WebhookResolver,
      WebhookLinks,
      SystemResolver,
    ] as never,
    // The services validate inputs, for GraphQL and REST.
    validate: false,
    // Apollo checks the schema when it starts.
    skipCheck: true,
    // TypeGraphQL requires this option. It is not used, because events come from the outbox.
    pubSub: {
      publish: () => undefined,
      subscribe: () => {
        throw new Error('Subscriptions do not use pubSub');
      },
    },
  });
  callDirectly(built);
  limitLists(built);
  checkListsOfMutations(built);
  describe(built.getQueryType(), 'Queries. Each field requires a token.');
  describe(
    built.getSubscriptionType(),
    'Subscriptions to events, over WebSockets (graphql-ws) and server-sent events (graphql-sse).',
  );
  describe(built.getMutationType(), 'Mutations. Each field except createToken requires a token.');
  const dateTime = built.getType('DateTimeISO');
  if (isScalarType(dateTime)) {
    dateTime.description = 'A time in UTC, such as 2026-03-01T10:15:30.000Z (RFC 3339).';
    dateTime.specifiedByURL = 'https://scalars.graphql.org/andimarek/date-time.html';
  }
  return new GraphQLSchema({ ...built.toConfig(), types: [...built.toConfig().types, errorCodes] });
}

/** TypeGraphQL creates the root types without a description. */
function describe(type: GraphQLObjectType | null | undefined, description: string): void {
  if (type) type.description = description;
}

/** No field has this type: it documents the codes in the schema. */
const errorCodes = new GraphQLEnumType({
  name: 'ErrorCode',
  description:
    'The values of `extensions.code` of an error. `extensions.status` is the legacy status, and `extensions.fields` names the invalid fields.',
  values: Object.fromEntries(
    Object.entries({
      BAD_USER_INPUT: 'The input is invalid; nothing was changed (status 400).',
      UNAUTHENTICATED: 'The token is missing or invalid, or the name or secret is wrong (status 401).',
      FORBIDDEN: "The user's role does not permit the operation (status 403).",
      NOT_FOUND: 'The requested object does not exist (status 404).',
      NOT_SUPPORTED: 'The operation is not supported, or needs another setting (status 405).',
      CONFLICT:
        'A resource with the same ref, natural key or range already exists, the resource was changed in the meantime (`ifUnchangedSince`, `expectedCount`, reverts and confirmations), or a limit is reached, such as that of exports: the message says what to do (status 409).',
      UNFULFILLED_DEPENDENCY: 'A resource that the input refers to does not exist (status 4091).',
      DEPENDENT_OBJECTS: 'The resource cannot be deleted while others refer to it (status 4092).',
      CURSOR_GONE:
        'The events after the cursor are not available: the cursor is too old, or belongs to another database or to one before a backup was restored. Read the current state, and subscribe without it (status 410).',
      RATE_LIMITED: 'A limit on failed sign-ins, requests or work was exceeded (status 429).',
      UNAVAILABLE:
        'The server is overloaded, or the database or the SIP server is unreachable or too slow. The same request may succeed later (status 503).',
      INTERNAL_SERVER_ERROR: 'An unexpected failure (status 500). The log contains it under `extensions.requestId`.',
      GRAPHQL_PARSE_FAILED: 'The document cannot be parsed (status 400).',
      GRAPHQL_VALIDATION_FAILED: 'The document does not match the schema, or exceeds a limit (status 400).',
      RESPONSE_TOO_LARGE:
        'The response is longer than 32 MiB, or its lists have more than 20,000 objects; request less (status 400). A mutation has been executed.',
    }).map(([name, description]) => [name, { description }]),
  ),
});
