/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type * as Types from './schema-types.js';

const TypedDocumentString = String as unknown as new (text: string, meta?: object) => string;
export type UserFieldsFragment = { readonly ref: string, readonly username: string, readonly role: Types.Role, readonly createdOn: string, readonly modifiedOn: string };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { readonly viewer: { readonly ref: string, readonly username: string, readonly role: Types.Role } };

export type UsersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type UsersQuery = { readonly users: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly ref: string, readonly username: string, readonly role: Types.Role, readonly createdOn: string, readonly modifiedOn: string }> } };

export type CreateTokenMutationVariables = Exact<{
  username: string;
  secret: string;
}>;


export type CreateTokenMutation = { readonly createToken: { readonly token: string, readonly expiresOn: string, readonly role: Types.Role } };

export type CreateUserMutationVariables = Exact<{
  input: Types.CreateUserInput;
}>;


export type CreateUserMutation = { readonly createUser: { readonly ref: string, readonly username: string, readonly role: Types.Role, readonly createdOn: string, readonly modifiedOn: string } };

export type SetUserSecretMutationVariables = Exact<{
  ref: string;
  secret: string;
}>;


export type SetUserSecretMutation = { readonly setUserSecret: { readonly ref: string, readonly username: string, readonly role: Types.Role, readonly createdOn: string, readonly modifiedOn: string } };

export type ChangeSecretMutationVariables = Exact<{
  oldSecret: string;
  newSecret: string;
}>;


export type ChangeSecretMutation = { readonly changeSecret: string };

export type SetUserRoleMutationVariables = Exact<{
  ref: string;
  role: Types.Role;
}>;


export type SetUserRoleMutation = { readonly setUserRole: { readonly ref: string, readonly username: string, readonly role: Types.Role, readonly createdOn: string, readonly modifiedOn: string } };

export type DeleteUserMutationVariables = Exact<{
  ref: string;
}>;


export type DeleteUserMutation = { readonly deleteUser: string };

export type ApiTokenFieldsFragment = { readonly ref: string, readonly name: string, readonly note: string | null, readonly role: Types.Role, readonly username: string, readonly createdOn: string, readonly expiresOn: string | null, readonly lastUsedOn: string | null, readonly lastUsedFrom: string | null };

export type ApiTokensQueryVariables = Exact<{
  userRef?: string | null | undefined;
}>;


export type ApiTokensQuery = { readonly apiTokens: ReadonlyArray<{ readonly ref: string, readonly name: string, readonly note: string | null, readonly role: Types.Role, readonly username: string, readonly createdOn: string, readonly expiresOn: string | null, readonly lastUsedOn: string | null, readonly lastUsedFrom: string | null }> };

export type CreateApiTokenMutationVariables = Exact<{
  name: string;
  role: Types.Role;
  expiresOn?: string | null | undefined;
  note?: string | null | undefined;
  documents?: ReadonlyArray<string> | string | null | undefined;
  userRef?: string | null | undefined;
}>;


export type CreateApiTokenMutation = { readonly createApiToken: { readonly token: string, readonly apiToken: { readonly ref: string, readonly name: string, readonly note: string | null, readonly role: Types.Role, readonly username: string, readonly createdOn: string, readonly expiresOn: string | null, readonly lastUsedOn: string | null, readonly lastUsedFrom: string | null } } };

export type DeleteApiTokenMutationVariables = Exact<{
  ref: string;
}>;


export type DeleteApiTokenMutation = { readonly deleteApiToken: string };

export type UserSessionsQueryVariables = Exact<{
  userRef: string;
}>;


export type UserSessionsQuery = { readonly userSessions: ReadonlyArray<{ readonly id: string, readonly address: string, readonly device: string | null, readonly userAgent: string | null, readonly createdOn: string, readonly expiresOn: string, readonly current: boolean }> };

export type SessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type SessionsQuery = { readonly viewer: { readonly sessions: ReadonlyArray<{ readonly id: string, readonly address: string, readonly device: string | null, readonly userAgent: string | null, readonly createdOn: string, readonly expiresOn: string, readonly current: boolean }> } };

export type EndSessionMutationVariables = Exact<{
  id: string | number;
}>;


export type EndSessionMutation = { readonly endSession: string };

export type EndAllSessionsMutationVariables = Exact<{
  userRef?: string | null | undefined;
}>;


export type EndAllSessionsMutation = { readonly endAllSessions: string };

export type PageFieldsFragment = { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null };

export type ManyFieldsFragment = { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> };

export type ApplyChangesMutationVariables = Exact<{
  changes: ReadonlyArray<Types.ChangeInput> | Types.ChangeInput;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type ApplyChangesMutation = { readonly applyChanges: { readonly request: string | null, readonly changes: ReadonlyArray<{ readonly outcome: Types.ChangeOutcome, readonly kind: Types.ResourceKind, readonly ref: string, readonly localRef: string | null, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type NodeQueryVariables = Exact<{
  id: string | number;
}>;


export type NodeQuery = { readonly node:
    | { readonly __typename: 'Agent', readonly ref: string, readonly kind: Types.ResourceKind, readonly id: string }
    | { readonly __typename: 'DID', readonly ref: string, readonly kind: Types.ResourceKind, readonly id: string }
    | { readonly __typename: 'Domain', readonly ref: string, readonly kind: Types.ResourceKind, readonly id: string }
    | { readonly __typename: 'Gateway', readonly ref: string, readonly kind: Types.ResourceKind, readonly id: string }
    | { readonly __typename: 'Number', readonly ref: string, readonly kind: Types.ResourceKind, readonly id: string }
    | { readonly __typename: 'Peer', readonly ref: string, readonly kind: Types.ResourceKind, readonly id: string }
    | { readonly __typename: 'Route', readonly ref: string, readonly kind: Types.ResourceKind, readonly id: string }
   | null };

export type NodesQueryVariables = Exact<{
  ids: ReadonlyArray<string | number> | string | number;
}>;


export type NodesQuery = { readonly nodes: ReadonlyArray<
    | { readonly __typename: 'Agent', readonly ref: string, readonly kind: Types.ResourceKind, readonly id: string }
    | { readonly __typename: 'DID', readonly ref: string, readonly kind: Types.ResourceKind, readonly id: string }
    | { readonly __typename: 'Domain', readonly ref: string, readonly kind: Types.ResourceKind, readonly id: string }
    | { readonly __typename: 'Gateway', readonly ref: string, readonly kind: Types.ResourceKind, readonly id: string }
    | { readonly __typename: 'Number', readonly ref: string, readonly kind: Types.ResourceKind, readonly id: string }
    | { readonly __typename: 'Peer', readonly ref: string, readonly kind: Types.ResourceKind, readonly id: string }
    | { readonly __typename: 'Route', readonly ref: string, readonly kind: Types.ResourceKind, readonly id: string }
   | null> };

export type SystemInfoQueryVariables = Exact<{ [key: string]: never; }>;


export type SystemInfoQuery = { readonly systemInfo: { readonly version: string, readonly apiVersion: string, readonly apiPath: string, readonly env: ReadonlyArray<{ readonly var: string, readonly value: string }> } };

export type ImportFieldsFragment = { readonly imported: boolean, readonly request: string | null, readonly created: number, readonly updated: number, readonly unchanged: number, readonly failed: number, readonly rows: ReadonlyArray<{ readonly line: number, readonly outcome: Types.ImportOutcome, readonly kind: Types.ResourceKind | null, readonly ref: string | null, readonly errors: ReadonlyArray<{ readonly field: string | null, readonly value: string | null, readonly message: string }> }> };

export type ImportNumbersMutationVariables = Exact<{
  csv: string;
  kind?: Types.NumberKind;
  dryRun?: boolean;
  progressId?: string | number | null | undefined;
  outcomes?: ReadonlyArray<Types.ImportOutcome> | Types.ImportOutcome | null | undefined;
}>;


export type ImportNumbersMutation = { readonly importNumbers: { readonly imported: boolean, readonly request: string | null, readonly created: number, readonly updated: number, readonly unchanged: number, readonly failed: number, readonly rows: ReadonlyArray<{ readonly line: number, readonly outcome: Types.ImportOutcome, readonly kind: Types.ResourceKind | null, readonly ref: string | null, readonly errors: ReadonlyArray<{ readonly field: string | null, readonly value: string | null, readonly message: string }> }> } };

export type ImportCsvMutationVariables = Exact<{
  kind: Types.ResourceKind;
  csv: string;
  dryRun?: boolean;
  progressId?: string | number | null | undefined;
  outcomes?: ReadonlyArray<Types.ImportOutcome> | Types.ImportOutcome | null | undefined;
}>;


export type ImportCsvMutation = { readonly importCsv: { readonly imported: boolean, readonly request: string | null, readonly created: number, readonly updated: number, readonly unchanged: number, readonly failed: number, readonly rows: ReadonlyArray<{ readonly line: number, readonly outcome: Types.ImportOutcome, readonly kind: Types.ResourceKind | null, readonly ref: string | null, readonly errors: ReadonlyArray<{ readonly field: string | null, readonly value: string | null, readonly message: string }> }> } };

export type ImportDocumentsMutationVariables = Exact<{
  text: string;
  dryRun?: boolean;
  progressId?: string | number | null | undefined;
  outcomes?: ReadonlyArray<Types.ImportOutcome> | Types.ImportOutcome | null | undefined;
}>;


export type ImportDocumentsMutation = { readonly importDocuments: { readonly imported: boolean, readonly request: string | null, readonly created: number, readonly updated: number, readonly unchanged: number, readonly failed: number, readonly rows: ReadonlyArray<{ readonly line: number, readonly outcome: Types.ImportOutcome, readonly kind: Types.ResourceKind | null, readonly ref: string | null, readonly errors: ReadonlyArray<{ readonly field: string | null, readonly value: string | null, readonly message: string }> }> } };

export type ImportProgressSubscriptionVariables = Exact<{
  progressId: string | number;
}>;


export type ImportProgressSubscription = { readonly importProgress: { readonly phase: Types.ImportPhase, readonly done: number, readonly total: number } };

export type ContactFieldsFragment = { readonly id: string, readonly addressOfRecord: string, readonly uri: string, readonly transport: string, readonly nat: boolean, readonly expires: number, readonly expiresOn: string, readonly userAgent: string | null };

export type RegistrationFieldsFragment = { readonly id: string, readonly gatewayRef: string, readonly username: string, readonly host: string, readonly ip: string, readonly port: number, readonly transport: string, readonly expires: number, readonly registeredOn: string | null, readonly expiresOn: string | null, readonly state: Types.RegistrationState, readonly lastResponse: string | null, readonly nextAttemptAt: string | null };

export type ContactsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ContactsQuery = { readonly contacts: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly addressOfRecord: string, readonly uri: string, readonly transport: string, readonly nat: boolean, readonly expires: number, readonly expiresOn: string, readonly userAgent: string | null }> } };

export type RegistrationsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type RegistrationsQuery = { readonly registrations: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly gatewayRef: string, readonly username: string, readonly host: string, readonly ip: string, readonly port: number, readonly transport: string, readonly expires: number, readonly registeredOn: string | null, readonly expiresOn: string | null, readonly state: Types.RegistrationState, readonly lastResponse: string | null, readonly nextAttemptAt: string | null }> } };

export type ChangeCursorQueryVariables = Exact<{ [key: string]: never; }>;


export type ChangeCursorQuery = { readonly changeCursor: string };

export type ExplainNumberQueryVariables = Exact<{
  telUrl: string;
}>;


export type ExplainNumberQuery = { readonly explainNumber: { readonly telUrl: string, readonly digits: string, readonly state: Types.NumberState, readonly reachable: boolean, readonly summary: string, readonly steps: ReadonlyArray<
      | { readonly __typename: 'AccessStep', readonly state: Types.StepState, readonly summary: string }
      | { readonly __typename: 'AorStep', readonly state: Types.StepState, readonly summary: string }
      | { readonly __typename: 'CallerStep', readonly state: Types.StepState, readonly summary: string }
      | { readonly __typename: 'ContactsStep', readonly state: Types.StepState, readonly summary: string }
      | { readonly __typename: 'DomainStep', readonly state: Types.StepState, readonly summary: string }
      | { readonly __typename: 'GatewayStep', readonly state: Types.StepState, readonly summary: string }
      | { readonly __typename: 'LimitStep', readonly state: Types.StepState, readonly summary: string }
      | { readonly __typename: 'NumberStep', readonly state: Types.StepState, readonly summary: string }
      | { readonly __typename: 'RouteStep', readonly state: Types.StepState, readonly summary: string }
      | { readonly __typename: 'SourceStep', readonly state: Types.StepState, readonly summary: string }
      | { readonly __typename: 'TargetStep', readonly state: Types.StepState, readonly summary: string }
    > } };

export type NumberHealthQueryVariables = Exact<{
  states?: ReadonlyArray<Types.NumberState> | Types.NumberState | null | undefined;
  gatewayRef?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type NumberHealthQuery = { readonly numberHealth: { readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly state: Types.NumberState, readonly reachable: boolean, readonly summary: string, readonly kind: Types.ResourceKind, readonly ref: string, readonly telUrl: string, readonly aorLink: string }> } };

export type EvictContactMutationVariables = Exact<{
  addressOfRecord: string;
}>;


export type EvictContactMutation = { readonly evictContact: number };

export type ResourceChangedSubscriptionVariables = Exact<{
  kinds?: ReadonlyArray<Types.ResourceKind> | Types.ResourceKind | null | undefined;
  refs?: ReadonlyArray<string> | string | null | undefined;
  since?: string | null | undefined;
}>;


export type ResourceChangedSubscription = { readonly resourceChanged: { readonly cursor: string, readonly at: string, readonly event: Types.ResourceEvent, readonly kind: Types.ResourceKind, readonly ref: string, readonly id: string, readonly resource:
      | { readonly __typename: 'Agent', readonly name: string, readonly id: string }
      | { readonly __typename: 'DID', readonly telUrl: string, readonly aorLink: string, readonly id: string }
      | { readonly __typename: 'Domain', readonly name: string, readonly domainUri: string, readonly id: string }
      | { readonly __typename: 'Gateway', readonly name: string, readonly host: string, readonly id: string }
      | { readonly __typename: 'Number', readonly telUrl: string, readonly aorLink: string, readonly id: string }
      | { readonly __typename: 'Peer', readonly name: string, readonly id: string }
      | { readonly __typename: 'Route', readonly id: string }
     | null } };

export type RegistrationsChangedSubscriptionVariables = Exact<{
  since?: string | null | undefined;
}>;


export type RegistrationsChangedSubscription = { readonly registrationsChanged: { readonly cursor: string, readonly at: string, readonly state: Types.RegistrationState | null, readonly gatewayRef: string, readonly gateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly username: string | null, readonly secretSet: boolean, readonly transport: Types.Transport, readonly port: number | null, readonly expires: number | null, readonly sendRegister: boolean | null, readonly registries: ReadonlyArray<string> | null, readonly sources: ReadonlyArray<string> | null, readonly outboundProxy: string | null, readonly fromDomain: string | null, readonly authUsername: string | null, readonly numberFormat: string | null, readonly technicalPrefix: string | null, readonly enabled: boolean | null, readonly draining: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly registration: { readonly id: string, readonly gatewayRef: string, readonly username: string, readonly host: string, readonly ip: string, readonly port: number, readonly transport: string, readonly expires: number, readonly registeredOn: string | null, readonly expiresOn: string | null, readonly state: Types.RegistrationState, readonly lastResponse: string | null, readonly nextAttemptAt: string | null } | null, readonly destinations: ReadonlyArray<{ readonly host: string, readonly port: number | null, readonly transport: Types.Transport | null, readonly priority: number | null, readonly weight: number | null, readonly enabled: boolean | null, readonly draining: boolean | null }> | null } | null } };

export type GatewayHealthChangedSubscriptionVariables = Exact<{
  since?: string | null | undefined;
}>;


export type GatewayHealthChangedSubscription = { readonly gatewayHealthChanged: { readonly cursor: string, readonly at: string, readonly state: Types.GatewayHealthState, readonly gatewayRef: string, readonly gateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly username: string | null, readonly secretSet: boolean, readonly transport: Types.Transport, readonly port: number | null, readonly expires: number | null, readonly sendRegister: boolean | null, readonly registries: ReadonlyArray<string> | null, readonly sources: ReadonlyArray<string> | null, readonly outboundProxy: string | null, readonly fromDomain: string | null, readonly authUsername: string | null, readonly numberFormat: string | null, readonly technicalPrefix: string | null, readonly enabled: boolean | null, readonly draining: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly health: { readonly state: Types.GatewayHealthState, readonly since: string | null, readonly roundTrip: number | null, readonly lastStatus: number | null, readonly checkedOn: string | null }, readonly destinations: ReadonlyArray<{ readonly host: string, readonly port: number | null, readonly transport: Types.Transport | null, readonly priority: number | null, readonly weight: number | null, readonly enabled: boolean | null, readonly draining: boolean | null }> | null } | null } };

export type DestinationHealthChangedSubscriptionVariables = Exact<{
  since?: string | null | undefined;
}>;


export type DestinationHealthChangedSubscription = { readonly destinationHealthChanged: { readonly cursor: string, readonly at: string, readonly state: Types.GatewayHealthState, readonly gatewayRef: string, readonly destination: { readonly host: string, readonly port: number | null, readonly transport: string, readonly state: Types.GatewayHealthState, readonly since: string | null, readonly lastStatus: number | null } | null, readonly gateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly username: string | null, readonly secretSet: boolean, readonly transport: Types.Transport, readonly port: number | null, readonly expires: number | null, readonly sendRegister: boolean | null, readonly registries: ReadonlyArray<string> | null, readonly sources: ReadonlyArray<string> | null, readonly outboundProxy: string | null, readonly fromDomain: string | null, readonly authUsername: string | null, readonly numberFormat: string | null, readonly technicalPrefix: string | null, readonly enabled: boolean | null, readonly draining: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly destinations: ReadonlyArray<{ readonly host: string, readonly port: number | null, readonly transport: Types.Transport | null, readonly priority: number | null, readonly weight: number | null, readonly enabled: boolean | null, readonly draining: boolean | null }> | null } | null } };

export type TestGatewayMutationVariables = Exact<{
  ref: string;
}>;


export type TestGatewayMutation = { readonly testGateway: { readonly outcome: Types.GatewayTestOutcome, readonly address: string | null, readonly status: number | null, readonly reason: string | null, readonly roundTrip: number | null } };

export type ContactsChangedSubscriptionVariables = Exact<{
  aor?: string | null | undefined;
  since?: string | null | undefined;
}>;


export type ContactsChangedSubscription = { readonly contactsChanged: { readonly cursor: string, readonly at: string, readonly event: Types.ContactEvent, readonly addressOfRecord: string, readonly contacts: ReadonlyArray<{ readonly id: string, readonly addressOfRecord: string, readonly uri: string, readonly transport: string, readonly nat: boolean, readonly expires: number, readonly expiresOn: string, readonly userAgent: string | null }> } };

export type CallAlertSubscriptionVariables = Exact<{
  since?: string | null | undefined;
}>;


export type CallAlertSubscription = { readonly callAlert: { readonly cursor: string, readonly at: string, readonly event: Types.CallAlertEvent, readonly alert: { readonly at: string, readonly ref: string | null, readonly limit: Types.CallLimit | null, readonly used: number | null, readonly most: number | null, readonly number: string | null, readonly agentRef: string | null, readonly peerRef: string | null, readonly resource:
        | { readonly kind: Types.ResourceKind, readonly ref: string }
        | { readonly kind: Types.ResourceKind, readonly ref: string }
        | { readonly kind: Types.ResourceKind, readonly ref: string }
        | { readonly kind: Types.ResourceKind, readonly ref: string }
        | { readonly kind: Types.ResourceKind, readonly ref: string }
        | { readonly kind: Types.ResourceKind, readonly ref: string }
        | { readonly kind: Types.ResourceKind, readonly ref: string }
       | null, readonly gateway: { readonly ref: string, readonly name: string } | null } | null } };

export type GatewayFieldsFragment = { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly username: string | null, readonly secretSet: boolean, readonly transport: Types.Transport, readonly port: number | null, readonly expires: number | null, readonly sendRegister: boolean | null, readonly registries: ReadonlyArray<string> | null, readonly sources: ReadonlyArray<string> | null, readonly outboundProxy: string | null, readonly fromDomain: string | null, readonly authUsername: string | null, readonly numberFormat: string | null, readonly technicalPrefix: string | null, readonly enabled: boolean | null, readonly draining: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly destinations: ReadonlyArray<{ readonly host: string, readonly port: number | null, readonly transport: Types.Transport | null, readonly priority: number | null, readonly weight: number | null, readonly enabled: boolean | null, readonly draining: boolean | null }> | null };

export type GatewayQueryVariables = Exact<{
  ref: string;
}>;


export type GatewayQuery = { readonly gateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly username: string | null, readonly secretSet: boolean, readonly transport: Types.Transport, readonly port: number | null, readonly expires: number | null, readonly sendRegister: boolean | null, readonly registries: ReadonlyArray<string> | null, readonly sources: ReadonlyArray<string> | null, readonly outboundProxy: string | null, readonly fromDomain: string | null, readonly authUsername: string | null, readonly numberFormat: string | null, readonly technicalPrefix: string | null, readonly enabled: boolean | null, readonly draining: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly destinations: ReadonlyArray<{ readonly host: string, readonly port: number | null, readonly transport: Types.Transport | null, readonly priority: number | null, readonly weight: number | null, readonly enabled: boolean | null, readonly draining: boolean | null }> | null } | null };

export type GatewaysQueryVariables = Exact<{
  where?: Types.GatewayWhere | null | undefined;
  filter?: string | null | undefined;
  orderBy?: ReadonlyArray<Types.GatewayOrder> | Types.GatewayOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type GatewaysQuery = { readonly gateways: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly username: string | null, readonly secretSet: boolean, readonly transport: Types.Transport, readonly port: number | null, readonly expires: number | null, readonly sendRegister: boolean | null, readonly registries: ReadonlyArray<string> | null, readonly sources: ReadonlyArray<string> | null, readonly outboundProxy: string | null, readonly fromDomain: string | null, readonly authUsername: string | null, readonly numberFormat: string | null, readonly technicalPrefix: string | null, readonly enabled: boolean | null, readonly draining: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly destinations: ReadonlyArray<{ readonly host: string, readonly port: number | null, readonly transport: Types.Transport | null, readonly priority: number | null, readonly weight: number | null, readonly enabled: boolean | null, readonly draining: boolean | null }> | null }> } };

export type CreateGatewayMutationVariables = Exact<{
  input: Types.CreateGatewayInput;
  dryRun?: boolean | null | undefined;
}>;


export type CreateGatewayMutation = { readonly createGateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly username: string | null, readonly secretSet: boolean, readonly transport: Types.Transport, readonly port: number | null, readonly expires: number | null, readonly sendRegister: boolean | null, readonly registries: ReadonlyArray<string> | null, readonly sources: ReadonlyArray<string> | null, readonly outboundProxy: string | null, readonly fromDomain: string | null, readonly authUsername: string | null, readonly numberFormat: string | null, readonly technicalPrefix: string | null, readonly enabled: boolean | null, readonly draining: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly destinations: ReadonlyArray<{ readonly host: string, readonly port: number | null, readonly transport: Types.Transport | null, readonly priority: number | null, readonly weight: number | null, readonly enabled: boolean | null, readonly draining: boolean | null }> | null } };

export type UpdateGatewayMutationVariables = Exact<{
  ref: string;
  input: Types.UpdateGatewayInput;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type UpdateGatewayMutation = { readonly updateGateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly username: string | null, readonly secretSet: boolean, readonly transport: Types.Transport, readonly port: number | null, readonly expires: number | null, readonly sendRegister: boolean | null, readonly registries: ReadonlyArray<string> | null, readonly sources: ReadonlyArray<string> | null, readonly outboundProxy: string | null, readonly fromDomain: string | null, readonly authUsername: string | null, readonly numberFormat: string | null, readonly technicalPrefix: string | null, readonly enabled: boolean | null, readonly draining: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly destinations: ReadonlyArray<{ readonly host: string, readonly port: number | null, readonly transport: Types.Transport | null, readonly priority: number | null, readonly weight: number | null, readonly enabled: boolean | null, readonly draining: boolean | null }> | null } };

export type DeleteGatewayMutationVariables = Exact<{
  ref: string;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type DeleteGatewayMutation = { readonly deleteGateway: string };

export type UpdateManyGatewaysMutationVariables = Exact<{
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.GatewayWhere | null | undefined;
  filter?: string | null | undefined;
  set: Types.UpdateGatewayInput;
  expectedCount?: number | null | undefined;
  dryRun?: boolean;
}>;


export type UpdateManyGatewaysMutation = { readonly updateManyGateways: { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type DeleteManyGatewaysMutationVariables = Exact<{
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.GatewayWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean;
}>;


export type DeleteManyGatewaysMutation = { readonly deleteManyGateways: { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type AgentFieldsFragment = { readonly id: string, readonly ref: string, readonly name: string, readonly username: string, readonly secretSet: boolean, readonly privacy: Types.Privacy | null, readonly maxContacts: number | null, readonly callerNumberRef: string | null, readonly enabled: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly domains: ReadonlyArray<{ readonly ref: string, readonly domainUri: string }> };

export type AgentQueryVariables = Exact<{
  ref: string;
}>;


export type AgentQuery = { readonly agent: { readonly id: string, readonly ref: string, readonly name: string, readonly username: string, readonly secretSet: boolean, readonly privacy: Types.Privacy | null, readonly maxContacts: number | null, readonly callerNumberRef: string | null, readonly enabled: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly domains: ReadonlyArray<{ readonly ref: string, readonly domainUri: string }> } | null };

export type AgentsQueryVariables = Exact<{
  where?: Types.AgentWhere | null | undefined;
  filter?: string | null | undefined;
  orderBy?: ReadonlyArray<Types.AgentOrder> | Types.AgentOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type AgentsQuery = { readonly agents: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly ref: string, readonly name: string, readonly username: string, readonly secretSet: boolean, readonly privacy: Types.Privacy | null, readonly maxContacts: number | null, readonly callerNumberRef: string | null, readonly enabled: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly domains: ReadonlyArray<{ readonly ref: string, readonly domainUri: string }> }> } };

export type CreateAgentMutationVariables = Exact<{
  input: Types.CreateAgentInput;
  dryRun?: boolean | null | undefined;
}>;


export type CreateAgentMutation = { readonly createAgent: { readonly id: string, readonly ref: string, readonly name: string, readonly username: string, readonly secretSet: boolean, readonly privacy: Types.Privacy | null, readonly maxContacts: number | null, readonly callerNumberRef: string | null, readonly enabled: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly domains: ReadonlyArray<{ readonly ref: string, readonly domainUri: string }> } };

export type UpdateAgentMutationVariables = Exact<{
  ref: string;
  input: Types.UpdateAgentInput;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type UpdateAgentMutation = { readonly updateAgent: { readonly id: string, readonly ref: string, readonly name: string, readonly username: string, readonly secretSet: boolean, readonly privacy: Types.Privacy | null, readonly maxContacts: number | null, readonly callerNumberRef: string | null, readonly enabled: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly domains: ReadonlyArray<{ readonly ref: string, readonly domainUri: string }> } };

export type DeleteAgentMutationVariables = Exact<{
  ref: string;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type DeleteAgentMutation = { readonly deleteAgent: string };

export type UpdateManyAgentsMutationVariables = Exact<{
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.AgentWhere | null | undefined;
  filter?: string | null | undefined;
  set: Types.UpdateAgentInput;
  expectedCount?: number | null | undefined;
  dryRun?: boolean;
}>;


export type UpdateManyAgentsMutation = { readonly updateManyAgents: { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type DeleteManyAgentsMutationVariables = Exact<{
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.AgentWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean;
}>;


export type DeleteManyAgentsMutation = { readonly deleteManyAgents: { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type PeerFieldsFragment = { readonly id: string, readonly ref: string, readonly name: string, readonly username: string, readonly secretSet: boolean, readonly device: string | null, readonly contactAddr: string | null, readonly sources: ReadonlyArray<string> | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly callerNumbers: ReadonlyArray<{ readonly ref: string }> };

export type PeerQueryVariables = Exact<{
  ref: string;
}>;


export type PeerQuery = { readonly peer: { readonly id: string, readonly ref: string, readonly name: string, readonly username: string, readonly secretSet: boolean, readonly device: string | null, readonly contactAddr: string | null, readonly sources: ReadonlyArray<string> | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly callerNumbers: ReadonlyArray<{ readonly ref: string }> } | null };

export type PeersQueryVariables = Exact<{
  where?: Types.PeerWhere | null | undefined;
  filter?: string | null | undefined;
  orderBy?: ReadonlyArray<Types.PeerOrder> | Types.PeerOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type PeersQuery = { readonly peers: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly ref: string, readonly name: string, readonly username: string, readonly secretSet: boolean, readonly device: string | null, readonly contactAddr: string | null, readonly sources: ReadonlyArray<string> | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly callerNumbers: ReadonlyArray<{ readonly ref: string }> }> } };

export type CreatePeerMutationVariables = Exact<{
  input: Types.CreatePeerInput;
  dryRun?: boolean | null | undefined;
}>;


export type CreatePeerMutation = { readonly createPeer: { readonly id: string, readonly ref: string, readonly name: string, readonly username: string, readonly secretSet: boolean, readonly device: string | null, readonly contactAddr: string | null, readonly sources: ReadonlyArray<string> | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly callerNumbers: ReadonlyArray<{ readonly ref: string }> } };

export type UpdatePeerMutationVariables = Exact<{
  ref: string;
  input: Types.UpdatePeerInput;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type UpdatePeerMutation = { readonly updatePeer: { readonly id: string, readonly ref: string, readonly name: string, readonly username: string, readonly secretSet: boolean, readonly device: string | null, readonly contactAddr: string | null, readonly sources: ReadonlyArray<string> | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly callerNumbers: ReadonlyArray<{ readonly ref: string }> } };

export type DeletePeerMutationVariables = Exact<{
  ref: string;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type DeletePeerMutation = { readonly deletePeer: string };

export type UpdateManyPeersMutationVariables = Exact<{
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.PeerWhere | null | undefined;
  filter?: string | null | undefined;
  set: Types.UpdatePeerInput;
  expectedCount?: number | null | undefined;
  dryRun?: boolean;
}>;


export type UpdateManyPeersMutation = { readonly updateManyPeers: { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type DeleteManyPeersMutationVariables = Exact<{
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.PeerWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean;
}>;


export type DeleteManyPeersMutation = { readonly deleteManyPeers: { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type DomainFieldsFragment = { readonly id: string, readonly ref: string, readonly name: string, readonly domainUri: string, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly egressPolicy: { readonly rule: string, readonly numberRef: string } | null, readonly accessControlList: { readonly allow: ReadonlyArray<string> | null, readonly deny: ReadonlyArray<string> | null } | null };

export type DomainQueryVariables = Exact<{
  ref: string;
}>;


export type DomainQuery = { readonly domain: { readonly id: string, readonly ref: string, readonly name: string, readonly domainUri: string, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly egressPolicy: { readonly rule: string, readonly numberRef: string } | null, readonly accessControlList: { readonly allow: ReadonlyArray<string> | null, readonly deny: ReadonlyArray<string> | null } | null } | null };

export type DomainsQueryVariables = Exact<{
  where?: Types.DomainWhere | null | undefined;
  filter?: string | null | undefined;
  orderBy?: ReadonlyArray<Types.DomainOrder> | Types.DomainOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type DomainsQuery = { readonly domains: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly ref: string, readonly name: string, readonly domainUri: string, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly egressPolicy: { readonly rule: string, readonly numberRef: string } | null, readonly accessControlList: { readonly allow: ReadonlyArray<string> | null, readonly deny: ReadonlyArray<string> | null } | null }> } };

export type CreateDomainMutationVariables = Exact<{
  input: Types.CreateDomainInput;
  dryRun?: boolean | null | undefined;
}>;


export type CreateDomainMutation = { readonly createDomain: { readonly id: string, readonly ref: string, readonly name: string, readonly domainUri: string, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly egressPolicy: { readonly rule: string, readonly numberRef: string } | null, readonly accessControlList: { readonly allow: ReadonlyArray<string> | null, readonly deny: ReadonlyArray<string> | null } | null } };

export type UpdateDomainMutationVariables = Exact<{
  ref: string;
  input: Types.UpdateDomainInput;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type UpdateDomainMutation = { readonly updateDomain: { readonly id: string, readonly ref: string, readonly name: string, readonly domainUri: string, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly egressPolicy: { readonly rule: string, readonly numberRef: string } | null, readonly accessControlList: { readonly allow: ReadonlyArray<string> | null, readonly deny: ReadonlyArray<string> | null } | null } };

export type DeleteDomainMutationVariables = Exact<{
  ref: string;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type DeleteDomainMutation = { readonly deleteDomain: string };

export type UpdateManyDomainsMutationVariables = Exact<{
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.DomainWhere | null | undefined;
  filter?: string | null | undefined;
  set: Types.UpdateDomainInput;
  expectedCount?: number | null | undefined;
  dryRun?: boolean;
}>;


export type UpdateManyDomainsMutation = { readonly updateManyDomains: { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type DeleteManyDomainsMutationVariables = Exact<{
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.DomainWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean;
}>;


export type DeleteManyDomainsMutation = { readonly deleteManyDomains: { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type DidFieldsFragment = { readonly id: string, readonly ref: string, readonly gatewayRef: string, readonly telUrl: string, readonly lastTelUrl: string | null, readonly aorLink: string, readonly enabled: boolean | null, readonly furtherTargets: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly geoInfo: { readonly city: string | null, readonly country: string | null, readonly countryISOCode: string | null } | null };

export type DidQueryVariables = Exact<{
  ref: string;
}>;


export type DidQuery = { readonly did: { readonly id: string, readonly ref: string, readonly gatewayRef: string, readonly telUrl: string, readonly lastTelUrl: string | null, readonly aorLink: string, readonly enabled: boolean | null, readonly furtherTargets: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly geoInfo: { readonly city: string | null, readonly country: string | null, readonly countryISOCode: string | null } | null } | null };

export type DidsQueryVariables = Exact<{
  where?: Types.DidWhere | null | undefined;
  filter?: string | null | undefined;
  orderBy?: ReadonlyArray<Types.DidOrder> | Types.DidOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type DidsQuery = { readonly dids: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly ref: string, readonly gatewayRef: string, readonly telUrl: string, readonly lastTelUrl: string | null, readonly aorLink: string, readonly enabled: boolean | null, readonly furtherTargets: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly geoInfo: { readonly city: string | null, readonly country: string | null, readonly countryISOCode: string | null } | null }> } };

export type CreateDidMutationVariables = Exact<{
  input: Types.CreateDidInput;
  dryRun?: boolean | null | undefined;
}>;


export type CreateDidMutation = { readonly createDID: { readonly id: string, readonly ref: string, readonly gatewayRef: string, readonly telUrl: string, readonly lastTelUrl: string | null, readonly aorLink: string, readonly enabled: boolean | null, readonly furtherTargets: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly geoInfo: { readonly city: string | null, readonly country: string | null, readonly countryISOCode: string | null } | null } };

export type UpdateDidMutationVariables = Exact<{
  ref: string;
  input: Types.UpdateDidInput;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type UpdateDidMutation = { readonly updateDID: { readonly id: string, readonly ref: string, readonly gatewayRef: string, readonly telUrl: string, readonly lastTelUrl: string | null, readonly aorLink: string, readonly enabled: boolean | null, readonly furtherTargets: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly geoInfo: { readonly city: string | null, readonly country: string | null, readonly countryISOCode: string | null } | null } };

export type DeleteDidMutationVariables = Exact<{
  ref: string;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type DeleteDidMutation = { readonly deleteDID: string };

export type UpdateManyDiDsMutationVariables = Exact<{
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.DidWhere | null | undefined;
  filter?: string | null | undefined;
  set: Types.UpdateDidInput;
  expectedCount?: number | null | undefined;
  dryRun?: boolean;
}>;


export type UpdateManyDiDsMutation = { readonly updateManyDIDs: { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type DeleteManyDiDsMutationVariables = Exact<{
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.DidWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean;
}>;


export type DeleteManyDiDsMutation = { readonly deleteManyDIDs: { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type NumberFieldsFragment = { readonly id: string, readonly ref: string, readonly gatewayRef: string, readonly telUrl: string, readonly lastTelUrl: string | null, readonly aorLink: string, readonly enabled: boolean | null, readonly furtherTargets: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly geoInfo: { readonly city: string | null, readonly country: string | null, readonly countryISOCode: string | null } | null };

export type NumberQueryVariables = Exact<{
  ref: string;
}>;


export type NumberQuery = { readonly number: { readonly id: string, readonly ref: string, readonly gatewayRef: string, readonly telUrl: string, readonly lastTelUrl: string | null, readonly aorLink: string, readonly enabled: boolean | null, readonly furtherTargets: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly geoInfo: { readonly city: string | null, readonly country: string | null, readonly countryISOCode: string | null } | null } | null };

export type NumbersQueryVariables = Exact<{
  where?: Types.NumberWhere | null | undefined;
  filter?: string | null | undefined;
  orderBy?: ReadonlyArray<Types.NumberOrder> | Types.NumberOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type NumbersQuery = { readonly numbers: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly ref: string, readonly gatewayRef: string, readonly telUrl: string, readonly lastTelUrl: string | null, readonly aorLink: string, readonly enabled: boolean | null, readonly furtherTargets: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly geoInfo: { readonly city: string | null, readonly country: string | null, readonly countryISOCode: string | null } | null }> } };

export type CreateNumberMutationVariables = Exact<{
  input: Types.CreateNumberInput;
  dryRun?: boolean | null | undefined;
}>;


export type CreateNumberMutation = { readonly createNumber: { readonly id: string, readonly ref: string, readonly gatewayRef: string, readonly telUrl: string, readonly lastTelUrl: string | null, readonly aorLink: string, readonly enabled: boolean | null, readonly furtherTargets: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly geoInfo: { readonly city: string | null, readonly country: string | null, readonly countryISOCode: string | null } | null } };

export type UpdateNumberMutationVariables = Exact<{
  ref: string;
  input: Types.UpdateNumberInput;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type UpdateNumberMutation = { readonly updateNumber: { readonly id: string, readonly ref: string, readonly gatewayRef: string, readonly telUrl: string, readonly lastTelUrl: string | null, readonly aorLink: string, readonly enabled: boolean | null, readonly furtherTargets: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly geoInfo: { readonly city: string | null, readonly country: string | null, readonly countryISOCode: string | null } | null } };

export type DeleteNumberMutationVariables = Exact<{
  ref: string;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type DeleteNumberMutation = { readonly deleteNumber: string };

export type UpdateManyNumbersMutationVariables = Exact<{
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.NumberWhere | null | undefined;
  filter?: string | null | undefined;
  set: Types.UpdateNumberInput;
  expectedCount?: number | null | undefined;
  dryRun?: boolean;
}>;


export type UpdateManyNumbersMutation = { readonly updateManyNumbers: { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type DeleteManyNumbersMutationVariables = Exact<{
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.NumberWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean;
}>;


export type DeleteManyNumbersMutation = { readonly deleteManyNumbers: { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type RouteFieldsFragment = { readonly id: string, readonly ref: string, readonly name: string, readonly domainRef: string, readonly prefix: string, readonly emergency: boolean | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly numbers: ReadonlyArray<{ readonly ref: string }>, readonly shares: ReadonlyArray<{ readonly priority: number, readonly weight: number | null }> | null };

export type RouteQueryVariables = Exact<{
  ref: string;
}>;


export type RouteQuery = { readonly route: { readonly id: string, readonly ref: string, readonly name: string, readonly domainRef: string, readonly prefix: string, readonly emergency: boolean | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly numbers: ReadonlyArray<{ readonly ref: string }>, readonly shares: ReadonlyArray<{ readonly priority: number, readonly weight: number | null }> | null } | null };

export type RoutesQueryVariables = Exact<{
  where?: Types.RouteWhere | null | undefined;
  filter?: string | null | undefined;
  orderBy?: ReadonlyArray<Types.RouteOrder> | Types.RouteOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type RoutesQuery = { readonly routes: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly ref: string, readonly name: string, readonly domainRef: string, readonly prefix: string, readonly emergency: boolean | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly numbers: ReadonlyArray<{ readonly ref: string }>, readonly shares: ReadonlyArray<{ readonly priority: number, readonly weight: number | null }> | null }> } };

export type CreateRouteMutationVariables = Exact<{
  input: Types.CreateRouteInput;
  dryRun?: boolean | null | undefined;
}>;


export type CreateRouteMutation = { readonly createRoute: { readonly id: string, readonly ref: string, readonly name: string, readonly domainRef: string, readonly prefix: string, readonly emergency: boolean | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly numbers: ReadonlyArray<{ readonly ref: string }>, readonly shares: ReadonlyArray<{ readonly priority: number, readonly weight: number | null }> | null } };

export type UpdateRouteMutationVariables = Exact<{
  ref: string;
  input: Types.UpdateRouteInput;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type UpdateRouteMutation = { readonly updateRoute: { readonly id: string, readonly ref: string, readonly name: string, readonly domainRef: string, readonly prefix: string, readonly emergency: boolean | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly numbers: ReadonlyArray<{ readonly ref: string }>, readonly shares: ReadonlyArray<{ readonly priority: number, readonly weight: number | null }> | null } };

export type DeleteRouteMutationVariables = Exact<{
  ref: string;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type DeleteRouteMutation = { readonly deleteRoute: string };

export type UpdateManyRoutesMutationVariables = Exact<{
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.RouteWhere | null | undefined;
  filter?: string | null | undefined;
  set: Types.UpdateRouteInput;
  expectedCount?: number | null | undefined;
  dryRun?: boolean;
}>;


export type UpdateManyRoutesMutation = { readonly updateManyRoutes: { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type DeleteManyRoutesMutationVariables = Exact<{
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.RouteWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean;
}>;


export type DeleteManyRoutesMutation = { readonly deleteManyRoutes: { readonly count: number, readonly changed: number, readonly request: string | null, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }> } };

export type WebhookFieldsFragment = { readonly ref: string, readonly url: string, readonly events: ReadonlyArray<Types.WebhookEvent>, readonly kinds: ReadonlyArray<Types.ResourceKind> | null, readonly refs: ReadonlyArray<string> | null, readonly after: number, readonly note: string | null, readonly madeBy: string, readonly createdOn: string, readonly pausedOn: string | null, readonly pausedReason: string | null, readonly previousSecretUntil: string | null, readonly failedCalls: { readonly gatewayRef: string | null, readonly agentRef: string | null, readonly peerRef: string | null, readonly domainRef: string | null, readonly routeRef: string | null, readonly digits: string | null, readonly direction: Types.CallDirection | null, readonly minStatus: number | null, readonly reason: string | null, readonly count: number, readonly minutes: number } | null };

export type WebhooksQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhooksQuery = { readonly webhooks: ReadonlyArray<{ readonly ref: string, readonly url: string, readonly events: ReadonlyArray<Types.WebhookEvent>, readonly kinds: ReadonlyArray<Types.ResourceKind> | null, readonly refs: ReadonlyArray<string> | null, readonly after: number, readonly note: string | null, readonly madeBy: string, readonly createdOn: string, readonly pausedOn: string | null, readonly pausedReason: string | null, readonly previousSecretUntil: string | null, readonly failedCalls: { readonly gatewayRef: string | null, readonly agentRef: string | null, readonly peerRef: string | null, readonly domainRef: string | null, readonly routeRef: string | null, readonly digits: string | null, readonly direction: Types.CallDirection | null, readonly minStatus: number | null, readonly reason: string | null, readonly count: number, readonly minutes: number } | null }> };

export type WebhookAttemptsQueryVariables = Exact<{
  by?: Types.WebhookAttemptInterval | null | undefined;
}>;


export type WebhookAttemptsQuery = { readonly webhooks: ReadonlyArray<{ readonly ref: string, readonly attempts: ReadonlyArray<{ readonly from: string, readonly succeeded: number, readonly failed: number }> }> };

export type WebhookDeliveriesQueryVariables = Exact<{
  ref: string;
}>;


export type WebhookDeliveriesQuery = { readonly webhookDeliveries: ReadonlyArray<{ readonly id: string, readonly payload: string, readonly createdOn: string, readonly attempts: number, readonly outcome: string | null, readonly deliveredOn: string | null, readonly nextAttemptOn: string | null }> };

export type CreateWebhookMutationVariables = Exact<{
  url: string;
  events: ReadonlyArray<Types.WebhookEvent> | Types.WebhookEvent;
  kinds?: ReadonlyArray<Types.ResourceKind> | Types.ResourceKind | null | undefined;
  refs?: ReadonlyArray<string> | string | null | undefined;
  after?: number | null | undefined;
  failedCalls?: Types.FailedCallRuleInput | null | undefined;
  note?: string | null | undefined;
}>;


export type CreateWebhookMutation = { readonly createWebhook: { readonly secret: string, readonly webhook: { readonly ref: string, readonly url: string, readonly events: ReadonlyArray<Types.WebhookEvent>, readonly kinds: ReadonlyArray<Types.ResourceKind> | null, readonly refs: ReadonlyArray<string> | null, readonly after: number, readonly note: string | null, readonly madeBy: string, readonly createdOn: string, readonly pausedOn: string | null, readonly pausedReason: string | null, readonly previousSecretUntil: string | null, readonly failedCalls: { readonly gatewayRef: string | null, readonly agentRef: string | null, readonly peerRef: string | null, readonly domainRef: string | null, readonly routeRef: string | null, readonly digits: string | null, readonly direction: Types.CallDirection | null, readonly minStatus: number | null, readonly reason: string | null, readonly count: number, readonly minutes: number } | null } } };

export type UpdateWebhookMutationVariables = Exact<{
  ref: string;
  url?: string | null | undefined;
  events?: ReadonlyArray<Types.WebhookEvent> | Types.WebhookEvent | null | undefined;
  kinds?: ReadonlyArray<Types.ResourceKind> | Types.ResourceKind | null | undefined;
  refs?: ReadonlyArray<string> | string | null | undefined;
  after?: number | null | undefined;
  failedCalls?: Types.FailedCallRuleInput | null | undefined;
  note?: string | null | undefined;
  paused?: boolean | null | undefined;
}>;


export type UpdateWebhookMutation = { readonly updateWebhook: { readonly ref: string, readonly url: string, readonly events: ReadonlyArray<Types.WebhookEvent>, readonly kinds: ReadonlyArray<Types.ResourceKind> | null, readonly refs: ReadonlyArray<string> | null, readonly after: number, readonly note: string | null, readonly madeBy: string, readonly createdOn: string, readonly pausedOn: string | null, readonly pausedReason: string | null, readonly previousSecretUntil: string | null, readonly failedCalls: { readonly gatewayRef: string | null, readonly agentRef: string | null, readonly peerRef: string | null, readonly domainRef: string | null, readonly routeRef: string | null, readonly digits: string | null, readonly direction: Types.CallDirection | null, readonly minStatus: number | null, readonly reason: string | null, readonly count: number, readonly minutes: number } | null } };

export type RotateWebhookSecretMutationVariables = Exact<{
  ref: string;
  overlap?: number | null | undefined;
}>;


export type RotateWebhookSecretMutation = { readonly rotateWebhookSecret: { readonly secret: string, readonly webhook: { readonly ref: string, readonly url: string, readonly events: ReadonlyArray<Types.WebhookEvent>, readonly kinds: ReadonlyArray<Types.ResourceKind> | null, readonly refs: ReadonlyArray<string> | null, readonly after: number, readonly note: string | null, readonly madeBy: string, readonly createdOn: string, readonly pausedOn: string | null, readonly pausedReason: string | null, readonly previousSecretUntil: string | null, readonly failedCalls: { readonly gatewayRef: string | null, readonly agentRef: string | null, readonly peerRef: string | null, readonly domainRef: string | null, readonly routeRef: string | null, readonly digits: string | null, readonly direction: Types.CallDirection | null, readonly minStatus: number | null, readonly reason: string | null, readonly count: number, readonly minutes: number } | null } } };

export type DeleteWebhookMutationVariables = Exact<{
  ref: string;
}>;


export type DeleteWebhookMutation = { readonly deleteWebhook: string };

export type ResumeWebhookMutationVariables = Exact<{
  ref: string;
  skipMissed?: boolean | null | undefined;
}>;


export type ResumeWebhookMutation = { readonly resumeWebhook: { readonly ref: string, readonly url: string, readonly events: ReadonlyArray<Types.WebhookEvent>, readonly kinds: ReadonlyArray<Types.ResourceKind> | null, readonly refs: ReadonlyArray<string> | null, readonly after: number, readonly note: string | null, readonly madeBy: string, readonly createdOn: string, readonly pausedOn: string | null, readonly pausedReason: string | null, readonly previousSecretUntil: string | null, readonly failedCalls: { readonly gatewayRef: string | null, readonly agentRef: string | null, readonly peerRef: string | null, readonly domainRef: string | null, readonly routeRef: string | null, readonly digits: string | null, readonly direction: Types.CallDirection | null, readonly minStatus: number | null, readonly reason: string | null, readonly count: number, readonly minutes: number } | null } };

export type PingWebhookMutationVariables = Exact<{
  ref: string;
}>;


export type PingWebhookMutation = { readonly pingWebhook: { readonly delivered: boolean, readonly outcome: string, readonly status: number | null, readonly roundTrip: number, readonly body: string } };

export type RedeliverMutationVariables = Exact<{
  id: string | number;
}>;


export type RedeliverMutation = { readonly redeliver: string };

export const UserFieldsFragmentDoc = new TypedDocumentString(`
    fragment UserFields on User {
  ref
  username
  role
  createdOn
  modifiedOn
}
    `, {"fragmentName":"UserFields"});
export const ApiTokenFieldsFragmentDoc = new TypedDocumentString(`
    fragment ApiTokenFields on ApiToken {
  ref
  name
  note
  role
  username
  createdOn
  expiresOn
  lastUsedOn
  lastUsedFrom
}
    `, {"fragmentName":"ApiTokenFields"});
export const PageFieldsFragmentDoc = new TypedDocumentString(`
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
    `, {"fragmentName":"PageFields"});
export const ManyFieldsFragmentDoc = new TypedDocumentString(`
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}
    `, {"fragmentName":"ManyFields"});
export const ImportFieldsFragmentDoc = new TypedDocumentString(`
    fragment ImportFields on ImportResult {
  imported
  request
  created: count(outcome: CREATED)
  updated: count(outcome: UPDATED)
  unchanged: count(outcome: UNCHANGED)
  failed: count(outcome: FAILED)
  rows(outcomes: $outcomes) {
    line
    outcome
    kind
    ref
    errors {
      field
      value
      message
    }
  }
}
    `, {"fragmentName":"ImportFields"});
export const ContactFieldsFragmentDoc = new TypedDocumentString(`
    fragment ContactFields on Contact {
  id
  addressOfRecord
  uri
  transport
  nat
  expires
  expiresOn
  userAgent
}
    `, {"fragmentName":"ContactFields"});
export const RegistrationFieldsFragmentDoc = new TypedDocumentString(`
    fragment RegistrationFields on Registration {
  id
  gatewayRef
  username
  host
  ip
  port
  transport
  expires
  registeredOn
  expiresOn
  state
  lastResponse
  nextAttemptAt
}
    `, {"fragmentName":"RegistrationFields"});
export const GatewayFieldsFragmentDoc = new TypedDocumentString(`
    fragment GatewayFields on Gateway {
  id
  ref
  name
  host
  username
  secretSet
  transport
  port
  expires
  sendRegister
  registries
  sources
  outboundProxy
  fromDomain
  authUsername
  numberFormat
  technicalPrefix
  destinations {
    host
    port
    transport
    priority
    weight
    enabled
    draining
  }
  enabled
  draining
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  labels
  note
  createdOn
  modifiedOn
}
    `, {"fragmentName":"GatewayFields"});
export const AgentFieldsFragmentDoc = new TypedDocumentString(`
    fragment AgentFields on Agent {
  id
  ref
  name
  username
  secretSet
  domains {
    ref
    domainUri
  }
  privacy
  maxContacts
  callerNumberRef
  enabled
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  labels
  note
  createdOn
  modifiedOn
}
    `, {"fragmentName":"AgentFields"});
export const PeerFieldsFragmentDoc = new TypedDocumentString(`
    fragment PeerFields on Peer {
  id
  ref
  name
  username
  secretSet
  device
  contactAddr
  callerNumbers {
    ref
    ref
  }
  sources
  enabled
  labels
  note
  createdOn
  modifiedOn
}
    `, {"fragmentName":"PeerFields"});
export const DomainFieldsFragmentDoc = new TypedDocumentString(`
    fragment DomainFields on Domain {
  id
  ref
  name
  domainUri
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  enabled
  labels
  note
  egressPolicy {
    rule
    numberRef
  }
  accessControlList {
    allow
    deny
  }
  createdOn
  modifiedOn
}
    `, {"fragmentName":"DomainFields"});
export const DidFieldsFragmentDoc = new TypedDocumentString(`
    fragment DIDFields on DID {
  id
  ref
  gatewayRef
  telUrl
  lastTelUrl
  aorLink
  enabled
  furtherTargets
  labels
  note
  geoInfo {
    city
    country
    countryISOCode
  }
  createdOn
  modifiedOn
}
    `, {"fragmentName":"DIDFields"});
export const NumberFieldsFragmentDoc = new TypedDocumentString(`
    fragment NumberFields on Number {
  id
  ref
  gatewayRef
  telUrl
  lastTelUrl
  aorLink
  enabled
  furtherTargets
  labels
  note
  geoInfo {
    city
    country
    countryISOCode
  }
  createdOn
  modifiedOn
}
    `, {"fragmentName":"NumberFields"});
export const RouteFieldsFragmentDoc = new TypedDocumentString(`
    fragment RouteFields on Route {
  id
  ref
  name
  domainRef
  prefix
  numbers {
    ref
    ref
  }
  shares {
    priority
    weight
  }
  emergency
  enabled
  labels
  note
  createdOn
  modifiedOn
}
    `, {"fragmentName":"RouteFields"});
export const WebhookFieldsFragmentDoc = new TypedDocumentString(`
    fragment WebhookFields on Webhook {
  ref
  url
  events
  kinds
  refs
  after
  failedCalls {
    gatewayRef
    agentRef
    peerRef
    domainRef
    routeRef
    digits
    direction
    minStatus
    reason
    count
    minutes
  }
  note
  madeBy
  createdOn
  pausedOn
  pausedReason
  previousSecretUntil
}
    `, {"fragmentName":"WebhookFields"});
export const ViewerDocument = new TypedDocumentString(`
    query viewer {
  viewer {
    ref
    username
    role
  }
}
    `);
export const UsersDocument = new TypedDocumentString(`
    query users($first: Int, $after: String, $last: Int, $before: String) {
  users(first: $first, after: $after, last: $last, before: $before) {
    totalCount
    pageInfo {
      ...PageFields
    }
    nodes {
      ...UserFields
    }
  }
}
    fragment UserFields on User {
  ref
  username
  role
  createdOn
  modifiedOn
}
fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`);
export const CreateTokenDocument = new TypedDocumentString(`
    mutation createToken($username: String!, $secret: String!) {
  createToken(username: $username, secret: $secret) {
    token
    expiresOn
    role
  }
}
    `);
export const CreateUserDocument = new TypedDocumentString(`
    mutation createUser($input: CreateUserInput!) {
  createUser(input: $input) {
    ...UserFields
  }
}
    fragment UserFields on User {
  ref
  username
  role
  createdOn
  modifiedOn
}`);
export const SetUserSecretDocument = new TypedDocumentString(`
    mutation setUserSecret($ref: String!, $secret: String!) {
  setUserSecret(ref: $ref, secret: $secret) {
    ...UserFields
  }
}
    fragment UserFields on User {
  ref
  username
  role
  createdOn
  modifiedOn
}`);
export const ChangeSecretDocument = new TypedDocumentString(`
    mutation changeSecret($oldSecret: String!, $newSecret: String!) {
  changeSecret(oldSecret: $oldSecret, newSecret: $newSecret)
}
    `);
export const SetUserRoleDocument = new TypedDocumentString(`
    mutation setUserRole($ref: String!, $role: Role!) {
  setUserRole(ref: $ref, role: $role) {
    ...UserFields
  }
}
    fragment UserFields on User {
  ref
  username
  role
  createdOn
  modifiedOn
}`);
export const DeleteUserDocument = new TypedDocumentString(`
    mutation deleteUser($ref: String!) {
  deleteUser(ref: $ref)
}
    `);
export const ApiTokensDocument = new TypedDocumentString(`
    query apiTokens($userRef: String) {
  apiTokens(userRef: $userRef) {
    ...ApiTokenFields
  }
}
    fragment ApiTokenFields on ApiToken {
  ref
  name
  note
  role
  username
  createdOn
  expiresOn
  lastUsedOn
  lastUsedFrom
}`);
export const CreateApiTokenDocument = new TypedDocumentString(`
    mutation createApiToken($name: String!, $role: Role!, $expiresOn: DateTimeISO, $note: String, $documents: [String!], $userRef: String) {
  createApiToken(
    name: $name
    role: $role
    expiresOn: $expiresOn
    note: $note
    documents: $documents
    userRef: $userRef
  ) {
    token
    apiToken {
      ...ApiTokenFields
    }
  }
}
    fragment ApiTokenFields on ApiToken {
  ref
  name
  note
  role
  username
  createdOn
  expiresOn
  lastUsedOn
  lastUsedFrom
}`);
export const DeleteApiTokenDocument = new TypedDocumentString(`
    mutation deleteApiToken($ref: String!) {
  deleteApiToken(ref: $ref)
}
    `);
export const UserSessionsDocument = new TypedDocumentString(`
    query userSessions($userRef: String!) {
  userSessions(userRef: $userRef) {
    id
    address
    device
    userAgent
    createdOn
    expiresOn
    current
  }
}
    `);
export const SessionsDocument = new TypedDocumentString(`
    query sessions {
  viewer {
    sessions {
      id
      address
      device
      userAgent
      createdOn
      expiresOn
      current
    }
  }
}
    `);
export const EndSessionDocument = new TypedDocumentString(`
    mutation endSession($id: ID!) {
  endSession(id: $id)
}
    `);
export const EndAllSessionsDocument = new TypedDocumentString(`
    mutation endAllSessions($userRef: String) {
  endAllSessions(userRef: $userRef)
}
    `);
export const ApplyChangesDocument = new TypedDocumentString(`
    mutation applyChanges($changes: [ChangeInput!]!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  applyChanges(
    changes: $changes
    ifUnchangedSince: $ifUnchangedSince
    dryRun: $dryRun
  ) {
    request
    changes {
      outcome
      kind
      ref
      localRef
      changes {
        field
        before
        after
        isSecret
      }
    }
  }
}
    `);
export const NodeDocument = new TypedDocumentString(`
    query node($id: ID!) {
  node(id: $id) {
    __typename
    id
    ... on Resource {
      ref
      kind
    }
  }
}
    `);
export const NodesDocument = new TypedDocumentString(`
    query nodes($ids: [ID!]!) {
  nodes(ids: $ids) {
    __typename
    id
    ... on Resource {
      ref
      kind
    }
  }
}
    `);
export const SystemInfoDocument = new TypedDocumentString(`
    query systemInfo {
  systemInfo {
    version
    apiVersion
    apiPath
    env {
      var
      value
    }
  }
}
    `);
export const ImportNumbersDocument = new TypedDocumentString(`
    mutation importNumbers($csv: String!, $kind: NumberKind! = Number, $dryRun: Boolean! = false, $progressId: ID, $outcomes: [ImportOutcome!]) {
  importNumbers(csv: $csv, kind: $kind, dryRun: $dryRun, progressId: $progressId) {
    ...ImportFields
  }
}
    fragment ImportFields on ImportResult {
  imported
  request
  created: count(outcome: CREATED)
  updated: count(outcome: UPDATED)
  unchanged: count(outcome: UNCHANGED)
  failed: count(outcome: FAILED)
  rows(outcomes: $outcomes) {
    line
    outcome
    kind
    ref
    errors {
      field
      value
      message
    }
  }
}`);
export const ImportCsvDocument = new TypedDocumentString(`
    mutation importCsv($kind: ResourceKind!, $csv: String!, $dryRun: Boolean! = false, $progressId: ID, $outcomes: [ImportOutcome!]) {
  importCsv(kind: $kind, csv: $csv, dryRun: $dryRun, progressId: $progressId) {
    ...ImportFields
  }
}
    fragment ImportFields on ImportResult {
  imported
  request
  created: count(outcome: CREATED)
  updated: count(outcome: UPDATED)
  unchanged: count(outcome: UNCHANGED)
  failed: count(outcome: FAILED)
  rows(outcomes: $outcomes) {
    line
    outcome
    kind
    ref
    errors {
      field
      value
      message
    }
  }
}`);
export const ImportDocumentsDocument = new TypedDocumentString(`
    mutation importDocuments($text: String!, $dryRun: Boolean! = false, $progressId: ID, $outcomes: [ImportOutcome!]) {
  importDocuments(text: $text, dryRun: $dryRun, progressId: $progressId) {
    ...ImportFields
  }
}
    fragment ImportFields on ImportResult {
  imported
  request
  created: count(outcome: CREATED)
  updated: count(outcome: UPDATED)
  unchanged: count(outcome: UNCHANGED)
  failed: count(outcome: FAILED)
  rows(outcomes: $outcomes) {
    line
    outcome
    kind
    ref
    errors {
      field
      value
      message
    }
  }
}`);
export const ImportProgressDocument = new TypedDocumentString(`
    subscription importProgress($progressId: ID!) {
  importProgress(progressId: $progressId) {
    phase
    done
    total
  }
}
    `);
export const ContactsDocument = new TypedDocumentString(`
    query contacts($first: Int, $after: String, $last: Int, $before: String) {
  contacts(first: $first, after: $after, last: $last, before: $before) {
    totalCount
    pageInfo {
      ...PageFields
    }
    nodes {
      ...ContactFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment ContactFields on Contact {
  id
  addressOfRecord
  uri
  transport
  nat
  expires
  expiresOn
  userAgent
}`);
export const RegistrationsDocument = new TypedDocumentString(`
    query registrations($first: Int, $after: String, $last: Int, $before: String) {
  registrations(first: $first, after: $after, last: $last, before: $before) {
    totalCount
    pageInfo {
      ...PageFields
    }
    nodes {
      ...RegistrationFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment RegistrationFields on Registration {
  id
  gatewayRef
  username
  host
  ip
  port
  transport
  expires
  registeredOn
  expiresOn
  state
  lastResponse
  nextAttemptAt
}`);
export const ChangeCursorDocument = new TypedDocumentString(`
    query changeCursor {
  changeCursor
}
    `);
export const ExplainNumberDocument = new TypedDocumentString(`
    query explainNumber($telUrl: String!) {
  explainNumber(telUrl: $telUrl) {
    telUrl
    digits
    state
    reachable
    summary
    steps {
      __typename
      state
      summary
    }
  }
}
    `);
export const NumberHealthDocument = new TypedDocumentString(`
    query numberHealth($states: [NumberState!], $gatewayRef: String, $first: Int, $after: String, $last: Int, $before: String) {
  numberHealth(
    states: $states
    gatewayRef: $gatewayRef
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    pageInfo {
      ...PageFields
    }
    nodes {
      state
      reachable
      summary
      kind
      ref
      telUrl
      aorLink
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`);
export const EvictContactDocument = new TypedDocumentString(`
    mutation evictContact($addressOfRecord: String!) {
  evictContact(addressOfRecord: $addressOfRecord)
}
    `);
export const ResourceChangedDocument = new TypedDocumentString(`
    subscription resourceChanged($kinds: [ResourceKind!], $refs: [String!], $since: String) {
  resourceChanged(kinds: $kinds, refs: $refs, since: $since) {
    cursor
    at
    event
    kind
    ref
    id
    resource {
      __typename
      id
      ... on Gateway {
        name
        host
      }
      ... on Agent {
        name
      }
      ... on Peer {
        name
      }
      ... on Domain {
        name
        domainUri
      }
      ... on DID {
        telUrl
        aorLink
      }
      ... on Number {
        telUrl
        aorLink
      }
    }
  }
}
    `);
export const RegistrationsChangedDocument = new TypedDocumentString(`
    subscription registrationsChanged($since: String) {
  registrationsChanged(since: $since) {
    cursor
    at
    state
    gatewayRef
    gateway {
      ...GatewayFields
      registration {
        ...RegistrationFields
      }
    }
  }
}
    fragment RegistrationFields on Registration {
  id
  gatewayRef
  username
  host
  ip
  port
  transport
  expires
  registeredOn
  expiresOn
  state
  lastResponse
  nextAttemptAt
}
fragment GatewayFields on Gateway {
  id
  ref
  name
  host
  username
  secretSet
  transport
  port
  expires
  sendRegister
  registries
  sources
  outboundProxy
  fromDomain
  authUsername
  numberFormat
  technicalPrefix
  destinations {
    host
    port
    transport
    priority
    weight
    enabled
    draining
  }
  enabled
  draining
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  labels
  note
  createdOn
  modifiedOn
}`);
export const GatewayHealthChangedDocument = new TypedDocumentString(`
    subscription gatewayHealthChanged($since: String) {
  gatewayHealthChanged(since: $since) {
    cursor
    at
    state
    gatewayRef
    gateway {
      ...GatewayFields
      health {
        state
        since
        roundTrip
        lastStatus
        checkedOn
      }
    }
  }
}
    fragment GatewayFields on Gateway {
  id
  ref
  name
  host
  username
  secretSet
  transport
  port
  expires
  sendRegister
  registries
  sources
  outboundProxy
  fromDomain
  authUsername
  numberFormat
  technicalPrefix
  destinations {
    host
    port
    transport
    priority
    weight
    enabled
    draining
  }
  enabled
  draining
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  labels
  note
  createdOn
  modifiedOn
}`);
export const DestinationHealthChangedDocument = new TypedDocumentString(`
    subscription destinationHealthChanged($since: String) {
  destinationHealthChanged(since: $since) {
    cursor
    at
    state
    gatewayRef
    destination {
      host
      port
      transport
      state
      since
      lastStatus
    }
    gateway {
      ...GatewayFields
    }
  }
}
    fragment GatewayFields on Gateway {
  id
  ref
  name
  host
  username
  secretSet
  transport
  port
  expires
  sendRegister
  registries
  sources
  outboundProxy
  fromDomain
  authUsername
  numberFormat
  technicalPrefix
  destinations {
    host
    port
    transport
    priority
    weight
    enabled
    draining
  }
  enabled
  draining
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  labels
  note
  createdOn
  modifiedOn
}`);
export const TestGatewayDocument = new TypedDocumentString(`
    mutation testGateway($ref: String!) {
  testGateway(ref: $ref) {
    outcome
    address
    status
    reason
    roundTrip
  }
}
    `);
export const ContactsChangedDocument = new TypedDocumentString(`
    subscription contactsChanged($aor: String, $since: String) {
  contactsChanged(aor: $aor, since: $since) {
    cursor
    at
    event
    addressOfRecord
    contacts {
      ...ContactFields
    }
  }
}
    fragment ContactFields on Contact {
  id
  addressOfRecord
  uri
  transport
  nat
  expires
  expiresOn
  userAgent
}`);
export const CallAlertDocument = new TypedDocumentString(`
    subscription callAlert($since: String) {
  callAlert(since: $since) {
    cursor
    at
    event
    alert {
      at
      ref
      limit
      used
      most
      number
      agentRef
      peerRef
      resource {
        kind
        ref
      }
      gateway {
        ref
        name
      }
    }
  }
}
    `);
export const GatewayDocument = new TypedDocumentString(`
    query gateway($ref: String!) {
  gateway(ref: $ref) {
    ...GatewayFields
  }
}
    fragment GatewayFields on Gateway {
  id
  ref
  name
  host
  username
  secretSet
  transport
  port
  expires
  sendRegister
  registries
  sources
  outboundProxy
  fromDomain
  authUsername
  numberFormat
  technicalPrefix
  destinations {
    host
    port
    transport
    priority
    weight
    enabled
    draining
  }
  enabled
  draining
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  labels
  note
  createdOn
  modifiedOn
}`);
export const GatewaysDocument = new TypedDocumentString(`
    query gateways($where: GatewayWhere, $filter: String, $orderBy: [GatewayOrder!], $first: Int, $after: String, $last: Int, $before: String) {
  gateways(
    where: $where
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      ...PageFields
    }
    nodes {
      ...GatewayFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment GatewayFields on Gateway {
  id
  ref
  name
  host
  username
  secretSet
  transport
  port
  expires
  sendRegister
  registries
  sources
  outboundProxy
  fromDomain
  authUsername
  numberFormat
  technicalPrefix
  destinations {
    host
    port
    transport
    priority
    weight
    enabled
    draining
  }
  enabled
  draining
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  labels
  note
  createdOn
  modifiedOn
}`);
export const CreateGatewayDocument = new TypedDocumentString(`
    mutation createGateway($input: CreateGatewayInput!, $dryRun: Boolean) {
  createGateway(input: $input, dryRun: $dryRun) {
    ...GatewayFields
  }
}
    fragment GatewayFields on Gateway {
  id
  ref
  name
  host
  username
  secretSet
  transport
  port
  expires
  sendRegister
  registries
  sources
  outboundProxy
  fromDomain
  authUsername
  numberFormat
  technicalPrefix
  destinations {
    host
    port
    transport
    priority
    weight
    enabled
    draining
  }
  enabled
  draining
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  labels
  note
  createdOn
  modifiedOn
}`);
export const UpdateGatewayDocument = new TypedDocumentString(`
    mutation updateGateway($ref: String!, $input: UpdateGatewayInput!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  updateGateway(
    ref: $ref
    input: $input
    ifUnchangedSince: $ifUnchangedSince
    dryRun: $dryRun
  ) {
    ...GatewayFields
  }
}
    fragment GatewayFields on Gateway {
  id
  ref
  name
  host
  username
  secretSet
  transport
  port
  expires
  sendRegister
  registries
  sources
  outboundProxy
  fromDomain
  authUsername
  numberFormat
  technicalPrefix
  destinations {
    host
    port
    transport
    priority
    weight
    enabled
    draining
  }
  enabled
  draining
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  labels
  note
  createdOn
  modifiedOn
}`);
export const DeleteGatewayDocument = new TypedDocumentString(`
    mutation deleteGateway($ref: String!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  deleteGateway(ref: $ref, ifUnchangedSince: $ifUnchangedSince, dryRun: $dryRun)
}
    `);
export const UpdateManyGatewaysDocument = new TypedDocumentString(`
    mutation updateManyGateways($refs: [String!], $where: GatewayWhere, $filter: String, $set: UpdateGatewayInput!, $expectedCount: Int, $dryRun: Boolean! = false) {
  updateManyGateways(
    refs: $refs
    where: $where
    filter: $filter
    set: $set
    expectedCount: $expectedCount
    dryRun: $dryRun
  ) {
    ...ManyFields
  }
}
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}`);
export const DeleteManyGatewaysDocument = new TypedDocumentString(`
    mutation deleteManyGateways($refs: [String!], $where: GatewayWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean! = false) {
  deleteManyGateways(
    refs: $refs
    where: $where
    filter: $filter
    expectedCount: $expectedCount
    dryRun: $dryRun
  ) {
    ...ManyFields
  }
}
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}`);
export const AgentDocument = new TypedDocumentString(`
    query agent($ref: String!) {
  agent(ref: $ref) {
    ...AgentFields
  }
}
    fragment AgentFields on Agent {
  id
  ref
  name
  username
  secretSet
  domains {
    ref
    domainUri
  }
  privacy
  maxContacts
  callerNumberRef
  enabled
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  labels
  note
  createdOn
  modifiedOn
}`);
export const AgentsDocument = new TypedDocumentString(`
    query agents($where: AgentWhere, $filter: String, $orderBy: [AgentOrder!], $first: Int, $after: String, $last: Int, $before: String) {
  agents(
    where: $where
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      ...PageFields
    }
    nodes {
      ...AgentFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment AgentFields on Agent {
  id
  ref
  name
  username
  secretSet
  domains {
    ref
    domainUri
  }
  privacy
  maxContacts
  callerNumberRef
  enabled
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  labels
  note
  createdOn
  modifiedOn
}`);
export const CreateAgentDocument = new TypedDocumentString(`
    mutation createAgent($input: CreateAgentInput!, $dryRun: Boolean) {
  createAgent(input: $input, dryRun: $dryRun) {
    ...AgentFields
  }
}
    fragment AgentFields on Agent {
  id
  ref
  name
  username
  secretSet
  domains {
    ref
    domainUri
  }
  privacy
  maxContacts
  callerNumberRef
  enabled
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  labels
  note
  createdOn
  modifiedOn
}`);
export const UpdateAgentDocument = new TypedDocumentString(`
    mutation updateAgent($ref: String!, $input: UpdateAgentInput!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  updateAgent(
    ref: $ref
    input: $input
    ifUnchangedSince: $ifUnchangedSince
    dryRun: $dryRun
  ) {
    ...AgentFields
  }
}
    fragment AgentFields on Agent {
  id
  ref
  name
  username
  secretSet
  domains {
    ref
    domainUri
  }
  privacy
  maxContacts
  callerNumberRef
  enabled
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  labels
  note
  createdOn
  modifiedOn
}`);
export const DeleteAgentDocument = new TypedDocumentString(`
    mutation deleteAgent($ref: String!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  deleteAgent(ref: $ref, ifUnchangedSince: $ifUnchangedSince, dryRun: $dryRun)
}
    `);
export const UpdateManyAgentsDocument = new TypedDocumentString(`
    mutation updateManyAgents($refs: [String!], $where: AgentWhere, $filter: String, $set: UpdateAgentInput!, $expectedCount: Int, $dryRun: Boolean! = false) {
  updateManyAgents(
    refs: $refs
    where: $where
    filter: $filter
    set: $set
    expectedCount: $expectedCount
    dryRun: $dryRun
  ) {
    ...ManyFields
  }
}
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}`);
export const DeleteManyAgentsDocument = new TypedDocumentString(`
    mutation deleteManyAgents($refs: [String!], $where: AgentWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean! = false) {
  deleteManyAgents(
    refs: $refs
    where: $where
    filter: $filter
    expectedCount: $expectedCount
    dryRun: $dryRun
  ) {
    ...ManyFields
  }
}
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}`);
export const PeerDocument = new TypedDocumentString(`
    query peer($ref: String!) {
  peer(ref: $ref) {
    ...PeerFields
  }
}
    fragment PeerFields on Peer {
  id
  ref
  name
  username
  secretSet
  device
  contactAddr
  callerNumbers {
    ref
    ref
  }
  sources
  enabled
  labels
  note
  createdOn
  modifiedOn
}`);
export const PeersDocument = new TypedDocumentString(`
    query peers($where: PeerWhere, $filter: String, $orderBy: [PeerOrder!], $first: Int, $after: String, $last: Int, $before: String) {
  peers(
    where: $where
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      ...PageFields
    }
    nodes {
      ...PeerFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment PeerFields on Peer {
  id
  ref
  name
  username
  secretSet
  device
  contactAddr
  callerNumbers {
    ref
    ref
  }
  sources
  enabled
  labels
  note
  createdOn
  modifiedOn
}`);
export const CreatePeerDocument = new TypedDocumentString(`
    mutation createPeer($input: CreatePeerInput!, $dryRun: Boolean) {
  createPeer(input: $input, dryRun: $dryRun) {
    ...PeerFields
  }
}
    fragment PeerFields on Peer {
  id
  ref
  name
  username
  secretSet
  device
  contactAddr
  callerNumbers {
    ref
    ref
  }
  sources
  enabled
  labels
  note
  createdOn
  modifiedOn
}`);
export const UpdatePeerDocument = new TypedDocumentString(`
    mutation updatePeer($ref: String!, $input: UpdatePeerInput!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  updatePeer(
    ref: $ref
    input: $input
    ifUnchangedSince: $ifUnchangedSince
    dryRun: $dryRun
  ) {
    ...PeerFields
  }
}
    fragment PeerFields on Peer {
  id
  ref
  name
  username
  secretSet
  device
  contactAddr
  callerNumbers {
    ref
    ref
  }
  sources
  enabled
  labels
  note
  createdOn
  modifiedOn
}`);
export const DeletePeerDocument = new TypedDocumentString(`
    mutation deletePeer($ref: String!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  deletePeer(ref: $ref, ifUnchangedSince: $ifUnchangedSince, dryRun: $dryRun)
}
    `);
export const UpdateManyPeersDocument = new TypedDocumentString(`
    mutation updateManyPeers($refs: [String!], $where: PeerWhere, $filter: String, $set: UpdatePeerInput!, $expectedCount: Int, $dryRun: Boolean! = false) {
  updateManyPeers(
    refs: $refs
    where: $where
    filter: $filter
    set: $set
    expectedCount: $expectedCount
    dryRun: $dryRun
  ) {
    ...ManyFields
  }
}
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}`);
export const DeleteManyPeersDocument = new TypedDocumentString(`
    mutation deleteManyPeers($refs: [String!], $where: PeerWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean! = false) {
  deleteManyPeers(
    refs: $refs
    where: $where
    filter: $filter
    expectedCount: $expectedCount
    dryRun: $dryRun
  ) {
    ...ManyFields
  }
}
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}`);
export const DomainDocument = new TypedDocumentString(`
    query domain($ref: String!) {
  domain(ref: $ref) {
    ...DomainFields
  }
}
    fragment DomainFields on Domain {
  id
  ref
  name
  domainUri
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  enabled
  labels
  note
  egressPolicy {
    rule
    numberRef
  }
  accessControlList {
    allow
    deny
  }
  createdOn
  modifiedOn
}`);
export const DomainsDocument = new TypedDocumentString(`
    query domains($where: DomainWhere, $filter: String, $orderBy: [DomainOrder!], $first: Int, $after: String, $last: Int, $before: String) {
  domains(
    where: $where
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      ...PageFields
    }
    nodes {
      ...DomainFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment DomainFields on Domain {
  id
  ref
  name
  domainUri
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  enabled
  labels
  note
  egressPolicy {
    rule
    numberRef
  }
  accessControlList {
    allow
    deny
  }
  createdOn
  modifiedOn
}`);
export const CreateDomainDocument = new TypedDocumentString(`
    mutation createDomain($input: CreateDomainInput!, $dryRun: Boolean) {
  createDomain(input: $input, dryRun: $dryRun) {
    ...DomainFields
  }
}
    fragment DomainFields on Domain {
  id
  ref
  name
  domainUri
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  enabled
  labels
  note
  egressPolicy {
    rule
    numberRef
  }
  accessControlList {
    allow
    deny
  }
  createdOn
  modifiedOn
}`);
export const UpdateDomainDocument = new TypedDocumentString(`
    mutation updateDomain($ref: String!, $input: UpdateDomainInput!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  updateDomain(
    ref: $ref
    input: $input
    ifUnchangedSince: $ifUnchangedSince
    dryRun: $dryRun
  ) {
    ...DomainFields
  }
}
    fragment DomainFields on Domain {
  id
  ref
  name
  domainUri
  maxCalls
  maxCallsPerSecond
  dailyMinutes
  enabled
  labels
  note
  egressPolicy {
    rule
    numberRef
  }
  accessControlList {
    allow
    deny
  }
  createdOn
  modifiedOn
}`);
export const DeleteDomainDocument = new TypedDocumentString(`
    mutation deleteDomain($ref: String!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  deleteDomain(ref: $ref, ifUnchangedSince: $ifUnchangedSince, dryRun: $dryRun)
}
    `);
export const UpdateManyDomainsDocument = new TypedDocumentString(`
    mutation updateManyDomains($refs: [String!], $where: DomainWhere, $filter: String, $set: UpdateDomainInput!, $expectedCount: Int, $dryRun: Boolean! = false) {
  updateManyDomains(
    refs: $refs
    where: $where
    filter: $filter
    set: $set
    expectedCount: $expectedCount
    dryRun: $dryRun
  ) {
    ...ManyFields
  }
}
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}`);
export const DeleteManyDomainsDocument = new TypedDocumentString(`
    mutation deleteManyDomains($refs: [String!], $where: DomainWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean! = false) {
  deleteManyDomains(
    refs: $refs
    where: $where
    filter: $filter
    expectedCount: $expectedCount
    dryRun: $dryRun
  ) {
    ...ManyFields
  }
}
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}`);
export const DidDocument = new TypedDocumentString(`
    query did($ref: String!) {
  did(ref: $ref) {
    ...DIDFields
  }
}
    fragment DIDFields on DID {
  id
  ref
  gatewayRef
  telUrl
  lastTelUrl
  aorLink
  enabled
  furtherTargets
  labels
  note
  geoInfo {
    city
    country
    countryISOCode
  }
  createdOn
  modifiedOn
}`);
export const DidsDocument = new TypedDocumentString(`
    query dids($where: DIDWhere, $filter: String, $orderBy: [DIDOrder!], $first: Int, $after: String, $last: Int, $before: String) {
  dids(
    where: $where
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      ...PageFields
    }
    nodes {
      ...DIDFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment DIDFields on DID {
  id
  ref
  gatewayRef
  telUrl
  lastTelUrl
  aorLink
  enabled
  furtherTargets
  labels
  note
  geoInfo {
    city
    country
    countryISOCode
  }
  createdOn
  modifiedOn
}`);
export const CreateDidDocument = new TypedDocumentString(`
    mutation createDID($input: CreateDIDInput!, $dryRun: Boolean) {
  createDID(input: $input, dryRun: $dryRun) {
    ...DIDFields
  }
}
    fragment DIDFields on DID {
  id
  ref
  gatewayRef
  telUrl
  lastTelUrl
  aorLink
  enabled
  furtherTargets
  labels
  note
  geoInfo {
    city
    country
    countryISOCode
  }
  createdOn
  modifiedOn
}`);
export const UpdateDidDocument = new TypedDocumentString(`
    mutation updateDID($ref: String!, $input: UpdateDIDInput!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  updateDID(
    ref: $ref
    input: $input
    ifUnchangedSince: $ifUnchangedSince
    dryRun: $dryRun
  ) {
    ...DIDFields
  }
}
    fragment DIDFields on DID {
  id
  ref
  gatewayRef
  telUrl
  lastTelUrl
  aorLink
  enabled
  furtherTargets
  labels
  note
  geoInfo {
    city
    country
    countryISOCode
  }
  createdOn
  modifiedOn
}`);
export const DeleteDidDocument = new TypedDocumentString(`
    mutation deleteDID($ref: String!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  deleteDID(ref: $ref, ifUnchangedSince: $ifUnchangedSince, dryRun: $dryRun)
}
    `);
export const UpdateManyDiDsDocument = new TypedDocumentString(`
    mutation updateManyDIDs($refs: [String!], $where: DIDWhere, $filter: String, $set: UpdateDIDInput!, $expectedCount: Int, $dryRun: Boolean! = false) {
  updateManyDIDs(
    refs: $refs
    where: $where
    filter: $filter
    set: $set
    expectedCount: $expectedCount
    dryRun: $dryRun
  ) {
    ...ManyFields
  }
}
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}`);
export const DeleteManyDiDsDocument = new TypedDocumentString(`
    mutation deleteManyDIDs($refs: [String!], $where: DIDWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean! = false) {
  deleteManyDIDs(
    refs: $refs
    where: $where
    filter: $filter
    expectedCount: $expectedCount
    dryRun: $dryRun
  ) {
    ...ManyFields
  }
}
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}`);
export const NumberDocument = new TypedDocumentString(`
    query number($ref: String!) {
  number(ref: $ref) {
    ...NumberFields
  }
}
    fragment NumberFields on Number {
  id
  ref
  gatewayRef
  telUrl
  lastTelUrl
  aorLink
  enabled
  furtherTargets
  labels
  note
  geoInfo {
    city
    country
    countryISOCode
  }
  createdOn
  modifiedOn
}`);
export const NumbersDocument = new TypedDocumentString(`
    query numbers($where: NumberWhere, $filter: String, $orderBy: [NumberOrder!], $first: Int, $after: String, $last: Int, $before: String) {
  numbers(
    where: $where
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      ...PageFields
    }
    nodes {
      ...NumberFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment NumberFields on Number {
  id
  ref
  gatewayRef
  telUrl
  lastTelUrl
  aorLink
  enabled
  furtherTargets
  labels
  note
  geoInfo {
    city
    country
    countryISOCode
  }
  createdOn
  modifiedOn
}`);
export const CreateNumberDocument = new TypedDocumentString(`
    mutation createNumber($input: CreateNumberInput!, $dryRun: Boolean) {
  createNumber(input: $input, dryRun: $dryRun) {
    ...NumberFields
  }
}
    fragment NumberFields on Number {
  id
  ref
  gatewayRef
  telUrl
  lastTelUrl
  aorLink
  enabled
  furtherTargets
  labels
  note
  geoInfo {
    city
    country
    countryISOCode
  }
  createdOn
  modifiedOn
}`);
export const UpdateNumberDocument = new TypedDocumentString(`
    mutation updateNumber($ref: String!, $input: UpdateNumberInput!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  updateNumber(
    ref: $ref
    input: $input
    ifUnchangedSince: $ifUnchangedSince
    dryRun: $dryRun
  ) {
    ...NumberFields
  }
}
    fragment NumberFields on Number {
  id
  ref
  gatewayRef
  telUrl
  lastTelUrl
  aorLink
  enabled
  furtherTargets
  labels
  note
  geoInfo {
    city
    country
    countryISOCode
  }
  createdOn
  modifiedOn
}`);
export const DeleteNumberDocument = new TypedDocumentString(`
    mutation deleteNumber($ref: String!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  deleteNumber(ref: $ref, ifUnchangedSince: $ifUnchangedSince, dryRun: $dryRun)
}
    `);
export const UpdateManyNumbersDocument = new TypedDocumentString(`
    mutation updateManyNumbers($refs: [String!], $where: NumberWhere, $filter: String, $set: UpdateNumberInput!, $expectedCount: Int, $dryRun: Boolean! = false) {
  updateManyNumbers(
    refs: $refs
    where: $where
    filter: $filter
    set: $set
    expectedCount: $expectedCount
    dryRun: $dryRun
  ) {
    ...ManyFields
  }
}
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}`);
export const DeleteManyNumbersDocument = new TypedDocumentString(`
    mutation deleteManyNumbers($refs: [String!], $where: NumberWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean! = false) {
  deleteManyNumbers(
    refs: $refs
    where: $where
    filter: $filter
    expectedCount: $expectedCount
    dryRun: $dryRun
  ) {
    ...ManyFields
  }
}
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}`);
export const RouteDocument = new TypedDocumentString(`
    query route($ref: String!) {
  route(ref: $ref) {
    ...RouteFields
  }
}
    fragment RouteFields on Route {
  id
  ref
  name
  domainRef
  prefix
  numbers {
    ref
    ref
  }
  shares {
    priority
    weight
  }
  emergency
  enabled
  labels
  note
  createdOn
  modifiedOn
}`);
export const RoutesDocument = new TypedDocumentString(`
    query routes($where: RouteWhere, $filter: String, $orderBy: [RouteOrder!], $first: Int, $after: String, $last: Int, $before: String) {
  routes(
    where: $where
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      ...PageFields
    }
    nodes {
      ...RouteFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment RouteFields on Route {
  id
  ref
  name
  domainRef
  prefix
  numbers {
    ref
    ref
  }
  shares {
    priority
    weight
  }
  emergency
  enabled
  labels
  note
  createdOn
  modifiedOn
}`);
export const CreateRouteDocument = new TypedDocumentString(`
    mutation createRoute($input: CreateRouteInput!, $dryRun: Boolean) {
  createRoute(input: $input, dryRun: $dryRun) {
    ...RouteFields
  }
}
    fragment RouteFields on Route {
  id
  ref
  name
  domainRef
  prefix
  numbers {
    ref
    ref
  }
  shares {
    priority
    weight
  }
  emergency
  enabled
  labels
  note
  createdOn
  modifiedOn
}`);
export const UpdateRouteDocument = new TypedDocumentString(`
    mutation updateRoute($ref: String!, $input: UpdateRouteInput!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  updateRoute(
    ref: $ref
    input: $input
    ifUnchangedSince: $ifUnchangedSince
    dryRun: $dryRun
  ) {
    ...RouteFields
  }
}
    fragment RouteFields on Route {
  id
  ref
  name
  domainRef
  prefix
  numbers {
    ref
    ref
  }
  shares {
    priority
    weight
  }
  emergency
  enabled
  labels
  note
  createdOn
  modifiedOn
}`);
export const DeleteRouteDocument = new TypedDocumentString(`
    mutation deleteRoute($ref: String!, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean) {
  deleteRoute(ref: $ref, ifUnchangedSince: $ifUnchangedSince, dryRun: $dryRun)
}
    `);
export const UpdateManyRoutesDocument = new TypedDocumentString(`
    mutation updateManyRoutes($refs: [String!], $where: RouteWhere, $filter: String, $set: UpdateRouteInput!, $expectedCount: Int, $dryRun: Boolean! = false) {
  updateManyRoutes(
    refs: $refs
    where: $where
    filter: $filter
    set: $set
    expectedCount: $expectedCount
    dryRun: $dryRun
  ) {
    ...ManyFields
  }
}
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}`);
export const DeleteManyRoutesDocument = new TypedDocumentString(`
    mutation deleteManyRoutes($refs: [String!], $where: RouteWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean! = false) {
  deleteManyRoutes(
    refs: $refs
    where: $where
    filter: $filter
    expectedCount: $expectedCount
    dryRun: $dryRun
  ) {
    ...ManyFields
  }
}
    fragment ManyFields on ManyResult {
  count
  changed
  request
  sample {
    ref
    changes {
      field
      before
      after
      isSecret
    }
  }
}`);
export const WebhooksDocument = new TypedDocumentString(`
    query webhooks {
  webhooks {
    ...WebhookFields
  }
}
    fragment WebhookFields on Webhook {
  ref
  url
  events
  kinds
  refs
  after
  failedCalls {
    gatewayRef
    agentRef
    peerRef
    domainRef
    routeRef
    digits
    direction
    minStatus
    reason
    count
    minutes
  }
  note
  madeBy
  createdOn
  pausedOn
  pausedReason
  previousSecretUntil
}`);
export const WebhookAttemptsDocument = new TypedDocumentString(`
    query webhookAttempts($by: WebhookAttemptInterval) {
  webhooks {
    ref
    attempts(by: $by) {
      from
      succeeded
      failed
    }
  }
}
    `);
export const WebhookDeliveriesDocument = new TypedDocumentString(`
    query webhookDeliveries($ref: String!) {
  webhookDeliveries(ref: $ref) {
    id
    payload
    createdOn
    attempts
    outcome
    deliveredOn
    nextAttemptOn
  }
}
    `);
export const CreateWebhookDocument = new TypedDocumentString(`
    mutation createWebhook($url: String!, $events: [WebhookEvent!]!, $kinds: [ResourceKind!], $refs: [String!], $after: Int, $failedCalls: FailedCallRuleInput, $note: String) {
  createWebhook(
    url: $url
    events: $events
    kinds: $kinds
    refs: $refs
    after: $after
    failedCalls: $failedCalls
    note: $note
  ) {
    secret
    webhook {
      ...WebhookFields
    }
  }
}
    fragment WebhookFields on Webhook {
  ref
  url
  events
  kinds
  refs
  after
  failedCalls {
    gatewayRef
    agentRef
    peerRef
    domainRef
    routeRef
    digits
    direction
    minStatus
    reason
    count
    minutes
  }
  note
  madeBy
  createdOn
  pausedOn
  pausedReason
  previousSecretUntil
}`);
export const UpdateWebhookDocument = new TypedDocumentString(`
    mutation updateWebhook($ref: String!, $url: String, $events: [WebhookEvent!], $kinds: [ResourceKind!], $refs: [String!], $after: Int, $failedCalls: FailedCallRuleInput, $note: String, $paused: Boolean) {
  updateWebhook(
    ref: $ref
    url: $url
    events: $events
    kinds: $kinds
    refs: $refs
    after: $after
    failedCalls: $failedCalls
    note: $note
    paused: $paused
  ) {
    ...WebhookFields
  }
}
    fragment WebhookFields on Webhook {
  ref
  url
  events
  kinds
  refs
  after
  failedCalls {
    gatewayRef
    agentRef
    peerRef
    domainRef
    routeRef
    digits
    direction
    minStatus
    reason
    count
    minutes
  }
  note
  madeBy
  createdOn
  pausedOn
  pausedReason
  previousSecretUntil
}`);
export const RotateWebhookSecretDocument = new TypedDocumentString(`
    mutation rotateWebhookSecret($ref: String!, $overlap: Int) {
  rotateWebhookSecret(ref: $ref, overlap: $overlap) {
    secret
    webhook {
      ...WebhookFields
    }
  }
}
    fragment WebhookFields on Webhook {
  ref
  url
  events
  kinds
  refs
  after
  failedCalls {
    gatewayRef
    agentRef
    peerRef
    domainRef
    routeRef
    digits
    direction
    minStatus
    reason
    count
    minutes
  }
  note
  madeBy
  createdOn
  pausedOn
  pausedReason
  previousSecretUntil
}`);
export const DeleteWebhookDocument = new TypedDocumentString(`
    mutation deleteWebhook($ref: String!) {
  deleteWebhook(ref: $ref)
}
    `);
export const ResumeWebhookDocument = new TypedDocumentString(`
    mutation resumeWebhook($ref: String!, $skipMissed: Boolean) {
  resumeWebhook(ref: $ref, skipMissed: $skipMissed) {
    ...WebhookFields
  }
}
    fragment WebhookFields on Webhook {
  ref
  url
  events
  kinds
  refs
  after
  failedCalls {
    gatewayRef
    agentRef
    peerRef
    domainRef
    routeRef
    digits
    direction
    minStatus
    reason
    count
    minutes
  }
  note
  madeBy
  createdOn
  pausedOn
  pausedReason
  previousSecretUntil
}`);
export const PingWebhookDocument = new TypedDocumentString(`
    mutation pingWebhook($ref: String!) {
  pingWebhook(ref: $ref) {
    delivered
    outcome
    status
    roundTrip
    body
  }
}
    `);
export const RedeliverDocument = new TypedDocumentString(`
    mutation redeliver($id: ID!) {
  redeliver(id: $id)
}
    `);
export type Requester<C = {}> = <R, V>(doc: string, vars?: V, options?: C) => Promise<R> | AsyncIterable<R>
export function getSdk<C>(requester: Requester<C>) {
  return {
    viewer(variables?: ViewerQueryVariables, options?: C): Promise<ViewerQuery> {
      return requester<ViewerQuery, ViewerQueryVariables>(ViewerDocument, variables, options) as Promise<ViewerQuery>;
    },
    users(variables?: UsersQueryVariables, options?: C): Promise<UsersQuery> {
      return requester<UsersQuery, UsersQueryVariables>(UsersDocument, variables, options) as Promise<UsersQuery>;
    },
    createToken(variables: CreateTokenMutationVariables, options?: C): Promise<CreateTokenMutation> {
      return requester<CreateTokenMutation, CreateTokenMutationVariables>(CreateTokenDocument, variables, options) as Promise<CreateTokenMutation>;
    },
    createUser(variables: CreateUserMutationVariables, options?: C): Promise<CreateUserMutation> {
      return requester<CreateUserMutation, CreateUserMutationVariables>(CreateUserDocument, variables, options) as Promise<CreateUserMutation>;
    },
    setUserSecret(variables: SetUserSecretMutationVariables, options?: C): Promise<SetUserSecretMutation> {
      return requester<SetUserSecretMutation, SetUserSecretMutationVariables>(SetUserSecretDocument, variables, options) as Promise<SetUserSecretMutation>;
    },
    changeSecret(variables: ChangeSecretMutationVariables, options?: C): Promise<ChangeSecretMutation> {
      return requester<ChangeSecretMutation, ChangeSecretMutationVariables>(ChangeSecretDocument, variables, options) as Promise<ChangeSecretMutation>;
    },
    setUserRole(variables: SetUserRoleMutationVariables, options?: C): Promise<SetUserRoleMutation> {
      return requester<SetUserRoleMutation, SetUserRoleMutationVariables>(SetUserRoleDocument, variables, options) as Promise<SetUserRoleMutation>;
    },
    deleteUser(variables: DeleteUserMutationVariables, options?: C): Promise<DeleteUserMutation> {
      return requester<DeleteUserMutation, DeleteUserMutationVariables>(DeleteUserDocument, variables, options) as Promise<DeleteUserMutation>;
    },
    apiTokens(variables?: ApiTokensQueryVariables, options?: C): Promise<ApiTokensQuery> {
      return requester<ApiTokensQuery, ApiTokensQueryVariables>(ApiTokensDocument, variables, options) as Promise<ApiTokensQuery>;
    },
    createApiToken(variables: CreateApiTokenMutationVariables, options?: C): Promise<CreateApiTokenMutation> {
      return requester<CreateApiTokenMutation, CreateApiTokenMutationVariables>(CreateApiTokenDocument, variables, options) as Promise<CreateApiTokenMutation>;
    },
    deleteApiToken(variables: DeleteApiTokenMutationVariables, options?: C): Promise<DeleteApiTokenMutation> {
      return requester<DeleteApiTokenMutation, DeleteApiTokenMutationVariables>(DeleteApiTokenDocument, variables, options) as Promise<DeleteApiTokenMutation>;
    },
    userSessions(variables: UserSessionsQueryVariables, options?: C): Promise<UserSessionsQuery> {
      return requester<UserSessionsQuery, UserSessionsQueryVariables>(UserSessionsDocument, variables, options) as Promise<UserSessionsQuery>;
    },
    sessions(variables?: SessionsQueryVariables, options?: C): Promise<SessionsQuery> {
      return requester<SessionsQuery, SessionsQueryVariables>(SessionsDocument, variables, options) as Promise<SessionsQuery>;
    },
    endSession(variables: EndSessionMutationVariables, options?: C): Promise<EndSessionMutation> {
      return requester<EndSessionMutation, EndSessionMutationVariables>(EndSessionDocument, variables, options) as Promise<EndSessionMutation>;
    },
    endAllSessions(variables?: EndAllSessionsMutationVariables, options?: C): Promise<EndAllSessionsMutation> {
      return requester<EndAllSessionsMutation, EndAllSessionsMutationVariables>(EndAllSessionsDocument, variables, options) as Promise<EndAllSessionsMutation>;
    },
    applyChanges(variables: ApplyChangesMutationVariables, options?: C): Promise<ApplyChangesMutation> {
      return requester<ApplyChangesMutation, ApplyChangesMutationVariables>(ApplyChangesDocument, variables, options) as Promise<ApplyChangesMutation>;
    },
    node(variables: NodeQueryVariables, options?: C): Promise<NodeQuery> {
      return requester<NodeQuery, NodeQueryVariables>(NodeDocument, variables, options) as Promise<NodeQuery>;
    },
    nodes(variables: NodesQueryVariables, options?: C): Promise<NodesQuery> {
      return requester<NodesQuery, NodesQueryVariables>(NodesDocument, variables, options) as Promise<NodesQuery>;
    },
    systemInfo(variables?: SystemInfoQueryVariables, options?: C): Promise<SystemInfoQuery> {
      return requester<SystemInfoQuery, SystemInfoQueryVariables>(SystemInfoDocument, variables, options) as Promise<SystemInfoQuery>;
    },
    importNumbers(variables: ImportNumbersMutationVariables, options?: C): Promise<ImportNumbersMutation> {
      return requester<ImportNumbersMutation, ImportNumbersMutationVariables>(ImportNumbersDocument, variables, options) as Promise<ImportNumbersMutation>;
    },
    importCsv(variables: ImportCsvMutationVariables, options?: C): Promise<ImportCsvMutation> {
      return requester<ImportCsvMutation, ImportCsvMutationVariables>(ImportCsvDocument, variables, options) as Promise<ImportCsvMutation>;
    },
    importDocuments(variables: ImportDocumentsMutationVariables, options?: C): Promise<ImportDocumentsMutation> {
      return requester<ImportDocumentsMutation, ImportDocumentsMutationVariables>(ImportDocumentsDocument, variables, options) as Promise<ImportDocumentsMutation>;
    },
    importProgress(variables: ImportProgressSubscriptionVariables, options?: C): AsyncIterable<ImportProgressSubscription> {
      return requester<ImportProgressSubscription, ImportProgressSubscriptionVariables>(ImportProgressDocument, variables, options) as AsyncIterable<ImportProgressSubscription>;
    },
    contacts(variables?: ContactsQueryVariables, options?: C): Promise<ContactsQuery> {
      return requester<ContactsQuery, ContactsQueryVariables>(ContactsDocument, variables, options) as Promise<ContactsQuery>;
    },
    registrations(variables?: RegistrationsQueryVariables, options?: C): Promise<RegistrationsQuery> {
      return requester<RegistrationsQuery, RegistrationsQueryVariables>(RegistrationsDocument, variables, options) as Promise<RegistrationsQuery>;
    },
    changeCursor(variables?: ChangeCursorQueryVariables, options?: C): Promise<ChangeCursorQuery> {
      return requester<ChangeCursorQuery, ChangeCursorQueryVariables>(ChangeCursorDocument, variables, options) as Promise<ChangeCursorQuery>;
    },
    explainNumber(variables: ExplainNumberQueryVariables, options?: C): Promise<ExplainNumberQuery> {
      return requester<ExplainNumberQuery, ExplainNumberQueryVariables>(ExplainNumberDocument, variables, options) as Promise<ExplainNumberQuery>;
    },
    numberHealth(variables?: NumberHealthQueryVariables, options?: C): Promise<NumberHealthQuery> {
      return requester<NumberHealthQuery, NumberHealthQueryVariables>(NumberHealthDocument, variables, options) as Promise<NumberHealthQuery>;
    },
    evictContact(variables: EvictContactMutationVariables, options?: C): Promise<EvictContactMutation> {
      return requester<EvictContactMutation, EvictContactMutationVariables>(EvictContactDocument, variables, options) as Promise<EvictContactMutation>;
    },
    resourceChanged(variables?: ResourceChangedSubscriptionVariables, options?: C): AsyncIterable<ResourceChangedSubscription> {
      return requester<ResourceChangedSubscription, ResourceChangedSubscriptionVariables>(ResourceChangedDocument, variables, options) as AsyncIterable<ResourceChangedSubscription>;
    },
    registrationsChanged(variables?: RegistrationsChangedSubscriptionVariables, options?: C): AsyncIterable<RegistrationsChangedSubscription> {
      return requester<RegistrationsChangedSubscription, RegistrationsChangedSubscriptionVariables>(RegistrationsChangedDocument, variables, options) as AsyncIterable<RegistrationsChangedSubscription>;
    },
    gatewayHealthChanged(variables?: GatewayHealthChangedSubscriptionVariables, options?: C): AsyncIterable<GatewayHealthChangedSubscription> {
      return requester<GatewayHealthChangedSubscription, GatewayHealthChangedSubscriptionVariables>(GatewayHealthChangedDocument, variables, options) as AsyncIterable<GatewayHealthChangedSubscription>;
    },
    destinationHealthChanged(variables?: DestinationHealthChangedSubscriptionVariables, options?: C): AsyncIterable<DestinationHealthChangedSubscription> {
      return requester<DestinationHealthChangedSubscription, DestinationHealthChangedSubscriptionVariables>(DestinationHealthChangedDocument, variables, options) as AsyncIterable<DestinationHealthChangedSubscription>;
    },
    testGateway(variables: TestGatewayMutationVariables, options?: C): Promise<TestGatewayMutation> {
      return requester<TestGatewayMutation, TestGatewayMutationVariables>(TestGatewayDocument, variables, options) as Promise<TestGatewayMutation>;
    },
    contactsChanged(variables?: ContactsChangedSubscriptionVariables, options?: C): AsyncIterable<ContactsChangedSubscription> {
      return requester<ContactsChangedSubscription, ContactsChangedSubscriptionVariables>(ContactsChangedDocument, variables, options) as AsyncIterable<ContactsChangedSubscription>;
    },
    callAlert(variables?: CallAlertSubscriptionVariables, options?: C): AsyncIterable<CallAlertSubscription> {
      return requester<CallAlertSubscription, CallAlertSubscriptionVariables>(CallAlertDocument, variables, options) as AsyncIterable<CallAlertSubscription>;
    },
    gateway(variables: GatewayQueryVariables, options?: C): Promise<GatewayQuery> {
      return requester<GatewayQuery, GatewayQueryVariables>(GatewayDocument, variables, options) as Promise<GatewayQuery>;
    },
    gateways(variables?: GatewaysQueryVariables, options?: C): Promise<GatewaysQuery> {
      return requester<GatewaysQuery, GatewaysQueryVariables>(GatewaysDocument, variables, options) as Promise<GatewaysQuery>;
    },
    createGateway(variables: CreateGatewayMutationVariables, options?: C): Promise<CreateGatewayMutation> {
      return requester<CreateGatewayMutation, CreateGatewayMutationVariables>(CreateGatewayDocument, variables, options) as Promise<CreateGatewayMutation>;
    },
    updateGateway(variables: UpdateGatewayMutationVariables, options?: C): Promise<UpdateGatewayMutation> {
      return requester<UpdateGatewayMutation, UpdateGatewayMutationVariables>(UpdateGatewayDocument, variables, options) as Promise<UpdateGatewayMutation>;
    },
    deleteGateway(variables: DeleteGatewayMutationVariables, options?: C): Promise<DeleteGatewayMutation> {
      return requester<DeleteGatewayMutation, DeleteGatewayMutationVariables>(DeleteGatewayDocument, variables, options) as Promise<DeleteGatewayMutation>;
    },
    updateManyGateways(variables: UpdateManyGatewaysMutationVariables, options?: C): Promise<UpdateManyGatewaysMutation> {
      return requester<UpdateManyGatewaysMutation, UpdateManyGatewaysMutationVariables>(UpdateManyGatewaysDocument, variables, options) as Promise<UpdateManyGatewaysMutation>;
    },
    deleteManyGateways(variables?: DeleteManyGatewaysMutationVariables, options?: C): Promise<DeleteManyGatewaysMutation> {
      return requester<DeleteManyGatewaysMutation, DeleteManyGatewaysMutationVariables>(DeleteManyGatewaysDocument, variables, options) as Promise<DeleteManyGatewaysMutation>;
    },
    agent(variables: AgentQueryVariables, options?: C): Promise<AgentQuery> {
      return requester<AgentQuery, AgentQueryVariables>(AgentDocument, variables, options) as Promise<AgentQuery>;
    },
    agents(variables?: AgentsQueryVariables, options?: C): Promise<AgentsQuery> {
      return requester<AgentsQuery, AgentsQueryVariables>(AgentsDocument, variables, options) as Promise<AgentsQuery>;
    },
    createAgent(variables: CreateAgentMutationVariables, options?: C): Promise<CreateAgentMutation> {
      return requester<CreateAgentMutation, CreateAgentMutationVariables>(CreateAgentDocument, variables, options) as Promise<CreateAgentMutation>;
    },
    updateAgent(variables: UpdateAgentMutationVariables, options?: C): Promise<UpdateAgentMutation> {
      return requester<UpdateAgentMutation, UpdateAgentMutationVariables>(UpdateAgentDocument, variables, options) as Promise<UpdateAgentMutation>;
    },
    deleteAgent(variables: DeleteAgentMutationVariables, options?: C): Promise<DeleteAgentMutation> {
      return requester<DeleteAgentMutation, DeleteAgentMutationVariables>(DeleteAgentDocument, variables, options) as Promise<DeleteAgentMutation>;
    },
    updateManyAgents(variables: UpdateManyAgentsMutationVariables, options?: C): Promise<UpdateManyAgentsMutation> {
      return requester<UpdateManyAgentsMutation, UpdateManyAgentsMutationVariables>(UpdateManyAgentsDocument, variables, options) as Promise<UpdateManyAgentsMutation>;
    },
    deleteManyAgents(variables?: DeleteManyAgentsMutationVariables, options?: C): Promise<DeleteManyAgentsMutation> {
      return requester<DeleteManyAgentsMutation, DeleteManyAgentsMutationVariables>(DeleteManyAgentsDocument, variables, options) as Promise<DeleteManyAgentsMutation>;
    },
    peer(variables: PeerQueryVariables, options?: C): Promise<PeerQuery> {
      return requester<PeerQuery, PeerQueryVariables>(PeerDocument, variables, options) as Promise<PeerQuery>;
    },
    peers(variables?: PeersQueryVariables, options?: C): Promise<PeersQuery> {
      return requester<PeersQuery, PeersQueryVariables>(PeersDocument, variables, options) as Promise<PeersQuery>;
    },
    createPeer(variables: CreatePeerMutationVariables, options?: C): Promise<CreatePeerMutation> {
      return requester<CreatePeerMutation, CreatePeerMutationVariables>(CreatePeerDocument, variables, options) as Promise<CreatePeerMutation>;
    },
    updatePeer(variables: UpdatePeerMutationVariables, options?: C): Promise<UpdatePeerMutation> {
      return requester<UpdatePeerMutation, UpdatePeerMutationVariables>(UpdatePeerDocument, variables, options) as Promise<UpdatePeerMutation>;
    },
    deletePeer(variables: DeletePeerMutationVariables, options?: C): Promise<DeletePeerMutation> {
      return requester<DeletePeerMutation, DeletePeerMutationVariables>(DeletePeerDocument, variables, options) as Promise<DeletePeerMutation>;
    },
    updateManyPeers(variables: UpdateManyPeersMutationVariables, options?: C): Promise<UpdateManyPeersMutation> {
      return requester<UpdateManyPeersMutation, UpdateManyPeersMutationVariables>(UpdateManyPeersDocument, variables, options) as Promise<UpdateManyPeersMutation>;
    },
    deleteManyPeers(variables?: DeleteManyPeersMutationVariables, options?: C): Promise<DeleteManyPeersMutation> {
      return requester<DeleteManyPeersMutation, DeleteManyPeersMutationVariables>(DeleteManyPeersDocument, variables, options) as Promise<DeleteManyPeersMutation>;
    },
    domain(variables: DomainQueryVariables, options?: C): Promise<DomainQuery> {
      return requester<DomainQuery, DomainQueryVariables>(DomainDocument, variables, options) as Promise<DomainQuery>;
    },
    domains(variables?: DomainsQueryVariables, options?: C): Promise<DomainsQuery> {
      return requester<DomainsQuery, DomainsQueryVariables>(DomainsDocument, variables, options) as Promise<DomainsQuery>;
    },
    createDomain(variables: CreateDomainMutationVariables, options?: C): Promise<CreateDomainMutation> {
      return requester<CreateDomainMutation, CreateDomainMutationVariables>(CreateDomainDocument, variables, options) as Promise<CreateDomainMutation>;
    },
    updateDomain(variables: UpdateDomainMutationVariables, options?: C): Promise<UpdateDomainMutation> {
      return requester<UpdateDomainMutation, UpdateDomainMutationVariables>(UpdateDomainDocument, variables, options) as Promise<UpdateDomainMutation>;
    },
    deleteDomain(variables: DeleteDomainMutationVariables, options?: C): Promise<DeleteDomainMutation> {
      return requester<DeleteDomainMutation, DeleteDomainMutationVariables>(DeleteDomainDocument, variables, options) as Promise<DeleteDomainMutation>;
    },
    updateManyDomains(variables: UpdateManyDomainsMutationVariables, options?: C): Promise<UpdateManyDomainsMutation> {
      return requester<UpdateManyDomainsMutation, UpdateManyDomainsMutationVariables>(UpdateManyDomainsDocument, variables, options) as Promise<UpdateManyDomainsMutation>;
    },
    deleteManyDomains(variables?: DeleteManyDomainsMutationVariables, options?: C): Promise<DeleteManyDomainsMutation> {
      return requester<DeleteManyDomainsMutation, DeleteManyDomainsMutationVariables>(DeleteManyDomainsDocument, variables, options) as Promise<DeleteManyDomainsMutation>;
    },
    did(variables: DidQueryVariables, options?: C): Promise<DidQuery> {
      return requester<DidQuery, DidQueryVariables>(DidDocument, variables, options) as Promise<DidQuery>;
    },
    dids(variables?: DidsQueryVariables, options?: C): Promise<DidsQuery> {
      return requester<DidsQuery, DidsQueryVariables>(DidsDocument, variables, options) as Promise<DidsQuery>;
    },
    createDID(variables: CreateDidMutationVariables, options?: C): Promise<CreateDidMutation> {
      return requester<CreateDidMutation, CreateDidMutationVariables>(CreateDidDocument, variables, options) as Promise<CreateDidMutation>;
    },
    updateDID(variables: UpdateDidMutationVariables, options?: C): Promise<UpdateDidMutation> {
      return requester<UpdateDidMutation, UpdateDidMutationVariables>(UpdateDidDocument, variables, options) as Promise<UpdateDidMutation>;
    },
    deleteDID(variables: DeleteDidMutationVariables, options?: C): Promise<DeleteDidMutation> {
      return requester<DeleteDidMutation, DeleteDidMutationVariables>(DeleteDidDocument, variables, options) as Promise<DeleteDidMutation>;
    },
    updateManyDIDs(variables: UpdateManyDiDsMutationVariables, options?: C): Promise<UpdateManyDiDsMutation> {
      return requester<UpdateManyDiDsMutation, UpdateManyDiDsMutationVariables>(UpdateManyDiDsDocument, variables, options) as Promise<UpdateManyDiDsMutation>;
    },
    deleteManyDIDs(variables?: DeleteManyDiDsMutationVariables, options?: C): Promise<DeleteManyDiDsMutation> {
      return requester<DeleteManyDiDsMutation, DeleteManyDiDsMutationVariables>(DeleteManyDiDsDocument, variables, options) as Promise<DeleteManyDiDsMutation>;
    },
    number(variables: NumberQueryVariables, options?: C): Promise<NumberQuery> {
      return requester<NumberQuery, NumberQueryVariables>(NumberDocument, variables, options) as Promise<NumberQuery>;
    },
    numbers(variables?: NumbersQueryVariables, options?: C): Promise<NumbersQuery> {
      return requester<NumbersQuery, NumbersQueryVariables>(NumbersDocument, variables, options) as Promise<NumbersQuery>;
    },
    createNumber(variables: CreateNumberMutationVariables, options?: C): Promise<CreateNumberMutation> {
      return requester<CreateNumberMutation, CreateNumberMutationVariables>(CreateNumberDocument, variables, options) as Promise<CreateNumberMutation>;
    },
    updateNumber(variables: UpdateNumberMutationVariables, options?: C): Promise<UpdateNumberMutation> {
      return requester<UpdateNumberMutation, UpdateNumberMutationVariables>(UpdateNumberDocument, variables, options) as Promise<UpdateNumberMutation>;
    },
    deleteNumber(variables: DeleteNumberMutationVariables, options?: C): Promise<DeleteNumberMutation> {
      return requester<DeleteNumberMutation, DeleteNumberMutationVariables>(DeleteNumberDocument, variables, options) as Promise<DeleteNumberMutation>;
    },
    updateManyNumbers(variables: UpdateManyNumbersMutationVariables, options?: C): Promise<UpdateManyNumbersMutation> {
      return requester<UpdateManyNumbersMutation, UpdateManyNumbersMutationVariables>(UpdateManyNumbersDocument, variables, options) as Promise<UpdateManyNumbersMutation>;
    },
    deleteManyNumbers(variables?: DeleteManyNumbersMutationVariables, options?: C): Promise<DeleteManyNumbersMutation> {
      return requester<DeleteManyNumbersMutation, DeleteManyNumbersMutationVariables>(DeleteManyNumbersDocument, variables, options) as Promise<DeleteManyNumbersMutation>;
    },
    route(variables: RouteQueryVariables, options?: C): Promise<RouteQuery> {
      return requester<RouteQuery, RouteQueryVariables>(RouteDocument, variables, options) as Promise<RouteQuery>;
    },
    routes(variables?: RoutesQueryVariables, options?: C): Promise<RoutesQuery> {
      return requester<RoutesQuery, RoutesQueryVariables>(RoutesDocument, variables, options) as Promise<RoutesQuery>;
    },
    createRoute(variables: CreateRouteMutationVariables, options?: C): Promise<CreateRouteMutation> {
      return requester<CreateRouteMutation, CreateRouteMutationVariables>(CreateRouteDocument, variables, options) as Promise<CreateRouteMutation>;
    },
    updateRoute(variables: UpdateRouteMutationVariables, options?: C): Promise<UpdateRouteMutation> {
      return requester<UpdateRouteMutation, UpdateRouteMutationVariables>(UpdateRouteDocument, variables, options) as Promise<UpdateRouteMutation>;
    },
    deleteRoute(variables: DeleteRouteMutationVariables, options?: C): Promise<DeleteRouteMutation> {
      return requester<DeleteRouteMutation, DeleteRouteMutationVariables>(DeleteRouteDocument, variables, options) as Promise<DeleteRouteMutation>;
    },
    updateManyRoutes(variables: UpdateManyRoutesMutationVariables, options?: C): Promise<UpdateManyRoutesMutation> {
      return requester<UpdateManyRoutesMutation, UpdateManyRoutesMutationVariables>(UpdateManyRoutesDocument, variables, options) as Promise<UpdateManyRoutesMutation>;
    },
    deleteManyRoutes(variables?: DeleteManyRoutesMutationVariables, options?: C): Promise<DeleteManyRoutesMutation> {
      return requester<DeleteManyRoutesMutation, DeleteManyRoutesMutationVariables>(DeleteManyRoutesDocument, variables, options) as Promise<DeleteManyRoutesMutation>;
    },
    webhooks(variables?: WebhooksQueryVariables, options?: C): Promise<WebhooksQuery> {
      return requester<WebhooksQuery, WebhooksQueryVariables>(WebhooksDocument, variables, options) as Promise<WebhooksQuery>;
    },
    webhookAttempts(variables?: WebhookAttemptsQueryVariables, options?: C): Promise<WebhookAttemptsQuery> {
      return requester<WebhookAttemptsQuery, WebhookAttemptsQueryVariables>(WebhookAttemptsDocument, variables, options) as Promise<WebhookAttemptsQuery>;
    },
    webhookDeliveries(variables: WebhookDeliveriesQueryVariables, options?: C): Promise<WebhookDeliveriesQuery> {
      return requester<WebhookDeliveriesQuery, WebhookDeliveriesQueryVariables>(WebhookDeliveriesDocument, variables, options) as Promise<WebhookDeliveriesQuery>;
    },
    createWebhook(variables: CreateWebhookMutationVariables, options?: C): Promise<CreateWebhookMutation> {
      return requester<CreateWebhookMutation, CreateWebhookMutationVariables>(CreateWebhookDocument, variables, options) as Promise<CreateWebhookMutation>;
    },
    updateWebhook(variables: UpdateWebhookMutationVariables, options?: C): Promise<UpdateWebhookMutation> {
      return requester<UpdateWebhookMutation, UpdateWebhookMutationVariables>(UpdateWebhookDocument, variables, options) as Promise<UpdateWebhookMutation>;
    },
    rotateWebhookSecret(variables: RotateWebhookSecretMutationVariables, options?: C): Promise<RotateWebhookSecretMutation> {
      return requester<RotateWebhookSecretMutation, RotateWebhookSecretMutationVariables>(RotateWebhookSecretDocument, variables, options) as Promise<RotateWebhookSecretMutation>;
    },
    deleteWebhook(variables: DeleteWebhookMutationVariables, options?: C): Promise<DeleteWebhookMutation> {
      return requester<DeleteWebhookMutation, DeleteWebhookMutationVariables>(DeleteWebhookDocument, variables, options) as Promise<DeleteWebhookMutation>;
    },
    resumeWebhook(variables: ResumeWebhookMutationVariables, options?: C): Promise<ResumeWebhookMutation> {
      return requester<ResumeWebhookMutation, ResumeWebhookMutationVariables>(ResumeWebhookDocument, variables, options) as Promise<ResumeWebhookMutation>;
    },
    pingWebhook(variables: PingWebhookMutationVariables, options?: C): Promise<PingWebhookMutation> {
      return requester<PingWebhookMutation, PingWebhookMutationVariables>(PingWebhookDocument, variables, options) as Promise<PingWebhookMutation>;
    },
    redeliver(variables: RedeliverMutationVariables, options?: C): Promise<RedeliverMutation> {
      return requester<RedeliverMutation, RedeliverMutationVariables>(RedeliverDocument, variables, options) as Promise<RedeliverMutation>;
    }
  };
}
export type Sdk = ReturnType<typeof getSdk>;