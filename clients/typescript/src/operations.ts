/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type * as Types from './schema-types.js';

import type { DocumentNode } from 'graphql';
import { gql } from './document.js';
export type SessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type SessionsQuery = { readonly viewer: { readonly sessions: ReadonlyArray<SessionFieldsFragment> } };

export type WebhookAttemptsQueryVariables = Exact<{
  by?: Types.WebhookAttemptInterval | null | undefined;
}>;


export type WebhookAttemptsQuery = { readonly webhooks: ReadonlyArray<{ readonly ref: string, readonly attempts: ReadonlyArray<{ readonly from: string, readonly succeeded: number, readonly failed: number }> }> };

export type ViewerFieldsFragment = { readonly ref: string, readonly username: string, readonly role: Types.Role };

export type UserFieldsFragment = { readonly ref: string, readonly username: string, readonly role: Types.Role, readonly createdOn: string, readonly modifiedOn: string };

export type PageFieldsFragment = { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null };

export type SessionFieldsFragment = { readonly id: string, readonly address: string, readonly device: string | null, readonly userAgent: string | null, readonly createdOn: string, readonly expiresOn: string, readonly current: boolean };

export type ApiTokenFieldsFragment = { readonly ref: string, readonly name: string, readonly note: string | null, readonly role: Types.Role, readonly username: string, readonly createdOn: string, readonly expiresOn: string | null, readonly lastUsedOn: string | null, readonly lastUsedFrom: string | null, readonly documents: ReadonlyArray<{ readonly name: string, readonly sha256Hash: string }> | null };

export type CallFieldsFragment = { readonly id: string, readonly callId: string, readonly fromTag: string, readonly state: Types.CallState, readonly direction: Types.CallDirection | null, readonly from: string | null, readonly to: string | null, readonly called: string | null, readonly digits: string | null, readonly gatewayRef: string | null, readonly domainRef: string | null, readonly routeRef: string | null, readonly begunOn: string, readonly ringingOn: string | null, readonly answeredOn: string | null, readonly endedOn: string | null, readonly endedBy: Types.CallEnd | null, readonly status: number | null, readonly reason: string | null, readonly reasonHeader: string | null, readonly source: string | null, readonly node: string, readonly callerRef: string | null, readonly calleeRef: string | null, readonly traceUrl: string | null, readonly attempts: ReadonlyArray<{ readonly gatewayRef: string | null, readonly destination: string | null, readonly at: string | null, readonly duration: number | null, readonly status: number | null, readonly reason: string | null, readonly reasonHeader: string | null }>, readonly number:
    | { readonly __typename: 'DID', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
    | { readonly __typename: 'Number', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
   | null, readonly former: ReadonlyArray<{ readonly kind: Types.ResourceKind, readonly ref: string, readonly name: string | null }> };

export type CallCountFieldsFragment = { readonly status: number | null, readonly gatewayRef: string | null, readonly hour: string | null, readonly calls: number, readonly answered: number, readonly answerSeizureRatio: number, readonly averageDuration: number | null, readonly averagePostDialDelay: number | null, readonly postDialDelayP50: number | null, readonly postDialDelayP95: number | null };

export type HistoryEntryFieldsFragment = { readonly entry: string, readonly at: string, readonly event: Types.HistoryEvent, readonly kind: Types.HistoryKind, readonly ref: string, readonly way: Types.HistoryWay | null, readonly address: string | null, readonly request: string | null, readonly reverts: string | null, readonly count: number | null, readonly reason: string | null, readonly who: { readonly username: string, readonly ref: string | null, readonly apiToken: string | null } | null, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }>, readonly former: { readonly kind: Types.ResourceKind, readonly ref: string, readonly name: string | null } | null };

export type HistoryRequestFieldsFragment = { readonly request: string | null, readonly entry: string, readonly at: string, readonly way: Types.HistoryWay | null, readonly address: string | null, readonly isRevert: boolean, readonly reason: string | null, readonly isWhole: boolean, readonly who: { readonly username: string, readonly ref: string | null, readonly apiToken: string | null } | null, readonly parts: ReadonlyArray<{ readonly kind: Types.HistoryKind, readonly event: Types.HistoryEvent, readonly count: number, readonly ref: string, readonly times: number | null, readonly shared: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }>, readonly former: { readonly kind: Types.ResourceKind, readonly ref: string, readonly name: string | null } | null }> };

export type HistoryRequestPageFieldsFragment = { readonly hasNextPage: boolean, readonly endCursor: string | null, readonly nodes: ReadonlyArray<HistoryRequestFieldsFragment> };

export type NumberExplanationFieldsFragment = { readonly state: Types.NumberState, readonly reachable: boolean, readonly summary: string, readonly telUrl: string, readonly digits: string, readonly at: string | null, readonly unknown: ReadonlyArray<string>, readonly steps: ReadonlyArray<
    | { readonly __typename: 'AccessStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'AorStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'CallerStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'ContactsStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'DomainStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'GatewayStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'LimitStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'NumberStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'RouteStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'SourceStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'TargetStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
  >, readonly others: ReadonlyArray<
    | { readonly __typename: 'DID', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
    | { readonly __typename: 'Number', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
  >, readonly change: { readonly entry: string, readonly at: string, readonly event: Types.HistoryEvent, readonly kind: Types.HistoryKind, readonly ref: string, readonly way: Types.HistoryWay | null, readonly address: string | null, readonly request: string | null, readonly reverts: string | null, readonly count: number | null, readonly reason: string | null, readonly who: { readonly username: string, readonly ref: string | null, readonly apiToken: string | null } | null, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }>, readonly former: { readonly kind: Types.ResourceKind, readonly ref: string, readonly name: string | null } | null } | null, readonly event: { readonly id: string, readonly at: string, readonly event: Types.RegistrationTransition, readonly addressOfRecord: string | null, readonly host: string | null, readonly port: number | null, readonly transport: string | null, readonly userAgent: string | null, readonly node: string | null, readonly devices: number | null, readonly status: number | null, readonly reason: string | null, readonly target:
      | { readonly __typename: 'Agent', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
      | { readonly __typename: 'Peer', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
     | null, readonly gateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly transport: Types.Transport } | null } | null, readonly former: ReadonlyArray<{ readonly kind: Types.ResourceKind, readonly ref: string, readonly name: string | null }> };

export type AddressExplanationFieldsFragment = { readonly state: Types.NumberState, readonly reachable: boolean, readonly summary: string, readonly addressOfRecord: string, readonly steps: ReadonlyArray<
    | { readonly __typename: 'AccessStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'AorStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'CallerStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'ContactsStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'DomainStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'GatewayStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'LimitStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'NumberStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'RouteStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'SourceStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'TargetStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
  > };

export type CallExplanationFieldsFragment = { readonly outcome: Types.CallOutcome, readonly status: number | null, readonly reason: string | null, readonly summary: string, readonly at: string | null, readonly unknown: ReadonlyArray<string>, readonly steps: ReadonlyArray<
    | { readonly __typename: 'AccessStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'AorStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'CallerStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'ContactsStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'DomainStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'GatewayStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'LimitStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'NumberStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'RouteStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'SourceStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
    | { readonly __typename: 'TargetStep', readonly state: Types.StepState, readonly summary: string, readonly suggestion: string | null, readonly broken: boolean }
  >, readonly attempts: ReadonlyArray<{ readonly order: number, readonly after: number | null, readonly health: Types.GatewayHealthState | null, readonly share: number | null, readonly requestUri: string, readonly nextHop: string | null, readonly from: string | null, readonly assertedIdentity: string | null, readonly diversion: string | null, readonly contact: { readonly id: string, readonly addressOfRecord: string, readonly uri: string, readonly transport: string, readonly nat: boolean, readonly expires: number, readonly expiresOn: string, readonly userAgent: string | null, readonly node: string | null, readonly target:
        | { readonly __typename: 'Agent', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
        | { readonly __typename: 'Peer', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
       | null, readonly domain: { readonly id: string, readonly ref: string, readonly name: string, readonly domainUri: string } | null } | null, readonly gateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly transport: Types.Transport } | null, readonly number: { readonly id: string, readonly ref: string, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string } | null }>, readonly change: { readonly entry: string, readonly at: string, readonly event: Types.HistoryEvent, readonly kind: Types.HistoryKind, readonly ref: string, readonly way: Types.HistoryWay | null, readonly address: string | null, readonly request: string | null, readonly reverts: string | null, readonly count: number | null, readonly reason: string | null, readonly who: { readonly username: string, readonly ref: string | null, readonly apiToken: string | null } | null, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }>, readonly former: { readonly kind: Types.ResourceKind, readonly ref: string, readonly name: string | null } | null } | null, readonly event: { readonly id: string, readonly at: string, readonly event: Types.RegistrationTransition, readonly addressOfRecord: string | null, readonly host: string | null, readonly port: number | null, readonly transport: string | null, readonly userAgent: string | null, readonly node: string | null, readonly devices: number | null, readonly status: number | null, readonly reason: string | null, readonly target:
      | { readonly __typename: 'Agent', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
      | { readonly __typename: 'Peer', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
     | null, readonly gateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly transport: Types.Transport } | null } | null, readonly former: ReadonlyArray<{ readonly kind: Types.ResourceKind, readonly ref: string, readonly name: string | null }> };

export type NumberHealthCountsFieldsFragment = { readonly examined: number, readonly hasNextPage: boolean, readonly endCursor: string, readonly states: ReadonlyArray<{ readonly state: Types.NumberState, readonly count: number }> };

export type NumberFlowsFieldsFragment = { readonly by: Types.NumberFlowEnd, readonly gateways: number, readonly ends: number, readonly examined: number, readonly hasNextPage: boolean, readonly endCursor: string, readonly flows: ReadonlyArray<{ readonly count: number, readonly state: Types.NumberState, readonly host: string | null, readonly addressOfRecord: string | null, readonly gateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly transport: Types.Transport } | null, readonly domain: { readonly id: string, readonly ref: string, readonly name: string, readonly domainUri: string } | null, readonly target:
      | { readonly __typename: 'Agent', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
      | { readonly __typename: 'Peer', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
     | null }> };

export type NumberHealthFieldsFragment = { readonly state: Types.NumberState, readonly reachable: boolean, readonly summary: string, readonly kind: Types.ResourceKind, readonly ref: string, readonly telUrl: string, readonly aorLink: string, readonly gateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly transport: Types.Transport } };

export type ReplayFieldsFragment = { readonly calls: number, readonly same: number, readonly later: number, readonly differ: number, readonly unknown: number, readonly ignored: number, readonly invalid: number, readonly invalidRecord: string | null, readonly differences: ReadonlyArray<{ readonly count: number, readonly line: number, readonly from: string, readonly to: string, readonly source: string | null, readonly was: string, readonly now: string }> };

export type ContactFieldsFragment = { readonly id: string, readonly addressOfRecord: string, readonly uri: string, readonly transport: string, readonly nat: boolean, readonly expires: number, readonly expiresOn: string, readonly userAgent: string | null, readonly node: string | null, readonly target:
    | { readonly __typename: 'Agent', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
    | { readonly __typename: 'Peer', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
   | null, readonly domain: { readonly id: string, readonly ref: string, readonly name: string, readonly domainUri: string } | null };

export type RegistrationFieldsFragment = { readonly id: string, readonly gatewayRef: string, readonly username: string, readonly host: string, readonly ip: string, readonly port: number, readonly transport: string, readonly expires: number, readonly registeredOn: string | null, readonly expiresOn: string | null, readonly state: Types.RegistrationState, readonly lastResponse: string | null, readonly nextAttemptAt: string | null };

export type PendingChangesFieldsFragment = { readonly id: string, readonly state: Types.PendingState, readonly username: string, readonly count: number, readonly confirmWithin: number | null, readonly watchedNumbers: number, readonly watchedGateways: number, readonly createdOn: string, readonly appliedOn: string | null, readonly dueOn: string | null, readonly finishedOn: string | null, readonly finishedBy: string | null, readonly reason: string | null, readonly revertedBy: string | null, readonly revertIf: { readonly numbersStopped: number | null, readonly gatewaysLost: number | null, readonly failedCallsPercent: number | null, readonly minCalls: number | null }, readonly figures: { readonly numbersStopped: number, readonly gatewaysLost: number, readonly newCalls: number, readonly failedCalls: number } | null };

export type RegistrationEventFieldsFragment = { readonly id: string, readonly at: string, readonly event: Types.RegistrationTransition, readonly addressOfRecord: string | null, readonly host: string | null, readonly port: number | null, readonly transport: string | null, readonly userAgent: string | null, readonly node: string | null, readonly devices: number | null, readonly status: number | null, readonly reason: string | null, readonly target:
    | { readonly __typename: 'Agent', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
    | { readonly __typename: 'Peer', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
   | null, readonly gateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly transport: Types.Transport } | null };

export type TrunkFieldsFragment = { readonly state: Types.TrunkState, readonly since: string | null, readonly registration: { readonly id: string, readonly gatewayRef: string, readonly username: string, readonly host: string, readonly ip: string, readonly port: number, readonly transport: string, readonly expires: number, readonly registeredOn: string | null, readonly expiresOn: string | null, readonly state: Types.RegistrationState, readonly lastResponse: string | null, readonly nextAttemptAt: string | null } | null, readonly gateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly transport: Types.Transport } };

export type RefusedCallerFieldsFragment = { readonly ip: string | null, readonly calls: number, readonly firstOn: string, readonly lastOn: string, readonly digits: string, readonly gateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly transport: Types.Transport } };

export type RefusedSourceFieldsFragment = { readonly ip: string | null, readonly calls: number, readonly firstOn: string, readonly lastOn: string, readonly digits: string | null, readonly gateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly transport: Types.Transport } | null };

export type TrunkCountFieldsFragment = { readonly state: Types.TrunkState, readonly count: number, readonly silent: number };

export type SamplesFieldsFragment = { readonly resolution: Types.SampleResolution, readonly times: ReadonlyArray<string>, readonly numbersCountedOn: ReadonlyArray<string | null>, readonly series: ReadonlyArray<{ readonly series: Types.SampleSeries, readonly values: ReadonlyArray<number | null> }> };

export type SystemFieldsFragment = { readonly version: string, readonly apiVersion: string, readonly apiPath: string, readonly homeCountry: string | null, readonly env: ReadonlyArray<{ readonly var: string, readonly value: string }> };

export type SipServerFieldsFragment = { readonly reachable: boolean, readonly version: string | null, readonly uptime: number | null };

export type TaskFieldsFragment = { readonly ref: string, readonly type: Types.TaskType, readonly state: Types.TaskState, readonly done: number, readonly total: number | null, readonly written: number, readonly request: string | null, readonly problem: string | null, readonly createdOn: string, readonly finishedOn: string | null, readonly move: { readonly request: string | null, readonly moved: boolean, readonly failed: number, readonly skippedCount: number, readonly kinds: ReadonlyArray<{ readonly kind: string, readonly created: number, readonly updated: number, readonly unchanged: number, readonly failed: number }>, readonly missing: ReadonlyArray<{ readonly what: string, readonly count: number, readonly first: string }>, readonly checks: ReadonlyArray<{ readonly what: string, readonly count: number, readonly first: string }>, readonly failures: ReadonlyArray<{ readonly place: string, readonly kind: string, readonly message: string }>, readonly skipped: ReadonlyArray<{ readonly place: string, readonly kind: string, readonly message: string }>, readonly pending: { readonly id: string, readonly state: Types.PendingState, readonly username: string, readonly count: number, readonly confirmWithin: number | null, readonly watchedNumbers: number, readonly watchedGateways: number, readonly createdOn: string, readonly appliedOn: string | null, readonly dueOn: string | null, readonly finishedOn: string | null, readonly finishedBy: string | null, readonly reason: string | null, readonly revertedBy: string | null, readonly revertIf: { readonly numbersStopped: number | null, readonly gatewaysLost: number | null, readonly failedCallsPercent: number | null, readonly minCalls: number | null }, readonly figures: { readonly numbersStopped: number, readonly gatewaysLost: number, readonly newCalls: number, readonly failedCalls: number } | null } | null } | null };

export type ViewFieldsFragment = { readonly ref: string, readonly list: string, readonly name: string, readonly content: string };

export type WebhookFieldsFragment = { readonly ref: string, readonly url: string, readonly events: ReadonlyArray<Types.WebhookEvent>, readonly kinds: ReadonlyArray<Types.ResourceKind> | null, readonly refs: ReadonlyArray<string> | null, readonly after: number, readonly note: string | null, readonly madeBy: string, readonly createdOn: string, readonly pausedOn: string | null, readonly pausedReason: string | null, readonly previousSecretUntil: string | null, readonly failedCalls: { readonly direction: Types.CallDirection | null, readonly agentRef: string | null, readonly peerRef: string | null, readonly gatewayRef: string | null, readonly domainRef: string | null, readonly routeRef: string | null, readonly reason: string | null, readonly digits: string | null, readonly minStatus: number | null, readonly count: number, readonly minutes: number } | null };

export type WebhookDeliveryFieldsFragment = { readonly id: string, readonly payload: string, readonly createdOn: string, readonly attempts: number, readonly outcome: string | null, readonly deliveredOn: string | null, readonly nextAttemptOn: string | null };

export type GatewayFieldsFragment = { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly username: string | null, readonly secretSet: boolean, readonly transport: Types.Transport, readonly port: number | null, readonly expires: number | null, readonly sendRegister: boolean | null, readonly registries: ReadonlyArray<string> | null, readonly sources: ReadonlyArray<string> | null, readonly outboundProxy: string | null, readonly fromDomain: string | null, readonly authUsername: string | null, readonly numberFormat: string | null, readonly technicalPrefix: string | null, readonly enabled: boolean | null, readonly draining: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly destinations: ReadonlyArray<{ readonly host: string, readonly port: number | null, readonly transport: Types.Transport | null, readonly priority: number | null, readonly weight: number | null, readonly enabled: boolean | null, readonly draining: boolean | null }> | null };

export type AgentFieldsFragment = { readonly id: string, readonly ref: string, readonly name: string, readonly username: string, readonly secretSet: boolean, readonly privacy: Types.Privacy | null, readonly maxContacts: number | null, readonly callerNumberRef: string | null, readonly enabled: boolean | null, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly domains: ReadonlyArray<{ readonly ref: string, readonly domainUri: string }> };

export type PeerFieldsFragment = { readonly id: string, readonly ref: string, readonly name: string, readonly username: string, readonly secretSet: boolean, readonly device: string | null, readonly contactAddr: string | null, readonly sources: ReadonlyArray<string> | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly callerNumbers: ReadonlyArray<{ readonly ref: string }> };

export type DomainFieldsFragment = { readonly id: string, readonly ref: string, readonly name: string, readonly domainUri: string, readonly maxCalls: number | null, readonly maxCallsPerSecond: number | null, readonly dailyMinutes: ReadonlyArray<string> | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly egressPolicy: { readonly rule: string, readonly numberRef: string } | null, readonly accessControlList: { readonly allow: ReadonlyArray<string> | null, readonly deny: ReadonlyArray<string> | null } | null };

export type DidFieldsFragment = { readonly id: string, readonly ref: string, readonly gatewayRef: string, readonly telUrl: string, readonly lastTelUrl: string | null, readonly aorLink: string, readonly enabled: boolean | null, readonly furtherTargets: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly geoInfo: { readonly city: string | null, readonly country: string | null, readonly countryISOCode: string | null } | null };

export type NumberFieldsFragment = { readonly id: string, readonly ref: string, readonly gatewayRef: string, readonly telUrl: string, readonly lastTelUrl: string | null, readonly aorLink: string, readonly enabled: boolean | null, readonly furtherTargets: ReadonlyArray<string> | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly geoInfo: { readonly city: string | null, readonly country: string | null, readonly countryISOCode: string | null } | null };

export type RouteFieldsFragment = { readonly id: string, readonly ref: string, readonly name: string, readonly domainRef: string, readonly prefix: string, readonly emergency: boolean | null, readonly enabled: boolean | null, readonly labels: ReadonlyArray<string> | null, readonly note: string | null, readonly createdOn: string, readonly modifiedOn: string, readonly numbers: ReadonlyArray<{ readonly ref: string }>, readonly shares: ReadonlyArray<{ readonly priority: number, readonly weight: number | null }> | null };

export type ExportFieldsFragment = { readonly ref: string, readonly source: string, readonly format: Types.ExportFormat, readonly state: Types.ExportState, readonly rows: number, readonly total: number | null, readonly size: number, readonly problem: string | null, readonly createdOn: string, readonly finishedOn: string | null, readonly address: string | null, readonly expiresOn: string | null };

export type TokenFieldsFragment = { readonly token: string, readonly expiresOn: string, readonly role: Types.Role };

export type CreatedApiTokenFieldsFragment = { readonly token: string, readonly apiToken: { readonly ref: string, readonly name: string, readonly note: string | null, readonly role: Types.Role, readonly username: string, readonly createdOn: string, readonly expiresOn: string | null, readonly lastUsedOn: string | null, readonly lastUsedFrom: string | null, readonly documents: ReadonlyArray<{ readonly name: string, readonly sha256Hash: string }> | null } };

export type RevertedChangeFieldsFragment = { readonly entry: string, readonly event: Types.HistoryEvent, readonly kind: Types.HistoryKind, readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> };

export type ImportFieldsFragment = { readonly request: string | null, readonly imported: boolean, readonly created: number, readonly updated: number, readonly unchanged: number, readonly failed: number, readonly pending: { readonly id: string, readonly state: Types.PendingState, readonly username: string, readonly count: number, readonly confirmWithin: number | null, readonly watchedNumbers: number, readonly watchedGateways: number, readonly createdOn: string, readonly appliedOn: string | null, readonly dueOn: string | null, readonly finishedOn: string | null, readonly finishedBy: string | null, readonly reason: string | null, readonly revertedBy: string | null, readonly revertIf: { readonly numbersStopped: number | null, readonly gatewaysLost: number | null, readonly failedCallsPercent: number | null, readonly minCalls: number | null }, readonly figures: { readonly numbersStopped: number, readonly gatewaysLost: number, readonly newCalls: number, readonly failedCalls: number } | null } | null, readonly warnings: ReadonlyArray<{ readonly state: Types.NumberState, readonly count: number, readonly line: number, readonly summary: string }>, readonly rows: ReadonlyArray<{ readonly line: number, readonly outcome: Types.ImportOutcome, readonly kind: Types.ResourceKind | null, readonly ref: string | null, readonly errors: ReadonlyArray<{ readonly field: string | null, readonly value: string | null, readonly message: string }> }> };

export type MoveFieldsFragment = { readonly request: string | null, readonly moved: boolean, readonly failed: number, readonly skippedCount: number, readonly kinds: ReadonlyArray<{ readonly kind: string, readonly created: number, readonly updated: number, readonly unchanged: number, readonly failed: number }>, readonly missing: ReadonlyArray<{ readonly what: string, readonly count: number, readonly first: string }>, readonly checks: ReadonlyArray<{ readonly what: string, readonly count: number, readonly first: string }>, readonly failures: ReadonlyArray<{ readonly place: string, readonly kind: string, readonly message: string }>, readonly skipped: ReadonlyArray<{ readonly place: string, readonly kind: string, readonly message: string }>, readonly pending: { readonly id: string, readonly state: Types.PendingState, readonly username: string, readonly count: number, readonly confirmWithin: number | null, readonly watchedNumbers: number, readonly watchedGateways: number, readonly createdOn: string, readonly appliedOn: string | null, readonly dueOn: string | null, readonly finishedOn: string | null, readonly finishedBy: string | null, readonly reason: string | null, readonly revertedBy: string | null, readonly revertIf: { readonly numbersStopped: number | null, readonly gatewaysLost: number | null, readonly failedCallsPercent: number | null, readonly minCalls: number | null }, readonly figures: { readonly numbersStopped: number, readonly gatewaysLost: number, readonly newCalls: number, readonly failedCalls: number } | null } | null };

export type GatewayTestFieldsFragment = { readonly address: string | null, readonly status: number | null, readonly reason: string | null, readonly roundTrip: number | null, readonly outcome: Types.GatewayTestOutcome, readonly destinations: ReadonlyArray<{ readonly address: string | null, readonly status: number | null, readonly reason: string | null, readonly roundTrip: number | null, readonly host: string, readonly port: number | null, readonly transport: string, readonly outcome: Types.GatewayTestOutcome | null }> };

export type CreatedWebhookFieldsFragment = { readonly secret: string, readonly webhook: { readonly ref: string, readonly url: string, readonly events: ReadonlyArray<Types.WebhookEvent>, readonly kinds: ReadonlyArray<Types.ResourceKind> | null, readonly refs: ReadonlyArray<string> | null, readonly after: number, readonly note: string | null, readonly madeBy: string, readonly createdOn: string, readonly pausedOn: string | null, readonly pausedReason: string | null, readonly previousSecretUntil: string | null, readonly failedCalls: { readonly direction: Types.CallDirection | null, readonly agentRef: string | null, readonly peerRef: string | null, readonly gatewayRef: string | null, readonly domainRef: string | null, readonly routeRef: string | null, readonly reason: string | null, readonly digits: string | null, readonly minStatus: number | null, readonly count: number, readonly minutes: number } | null } };

export type WebhookPingFieldsFragment = { readonly delivered: boolean, readonly outcome: string, readonly status: number | null, readonly roundTrip: number, readonly body: string };

export type ManyFieldsFragment = { readonly request: string | null, readonly count: number, readonly changed: number, readonly sample: ReadonlyArray<{ readonly ref: string, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }>, readonly pending: { readonly id: string, readonly state: Types.PendingState, readonly username: string, readonly count: number, readonly confirmWithin: number | null, readonly watchedNumbers: number, readonly watchedGateways: number, readonly createdOn: string, readonly appliedOn: string | null, readonly dueOn: string | null, readonly finishedOn: string | null, readonly finishedBy: string | null, readonly reason: string | null, readonly revertedBy: string | null, readonly revertIf: { readonly numbersStopped: number | null, readonly gatewaysLost: number | null, readonly failedCallsPercent: number | null, readonly minCalls: number | null }, readonly figures: { readonly numbersStopped: number, readonly gatewaysLost: number, readonly newCalls: number, readonly failedCalls: number } | null } | null };

export type AppliedChangesFieldsFragment = { readonly request: string | null, readonly changes: ReadonlyArray<{ readonly outcome: Types.ChangeOutcome, readonly kind: Types.ResourceKind, readonly ref: string, readonly localRef: string | null, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }>, readonly pending: { readonly id: string, readonly state: Types.PendingState, readonly username: string, readonly count: number, readonly confirmWithin: number | null, readonly watchedNumbers: number, readonly watchedGateways: number, readonly createdOn: string, readonly appliedOn: string | null, readonly dueOn: string | null, readonly finishedOn: string | null, readonly finishedBy: string | null, readonly reason: string | null, readonly revertedBy: string | null, readonly revertIf: { readonly numbersStopped: number | null, readonly gatewaysLost: number | null, readonly failedCallsPercent: number | null, readonly minCalls: number | null }, readonly figures: { readonly numbersStopped: number, readonly gatewaysLost: number, readonly newCalls: number, readonly failedCalls: number } | null } | null };

export type SimulationFieldsFragment = { readonly changes: ReadonlyArray<{ readonly outcome: Types.ChangeOutcome, readonly kind: Types.ResourceKind, readonly ref: string, readonly localRef: string | null, readonly changes: ReadonlyArray<{ readonly field: string, readonly before: string | null, readonly after: string | null, readonly isSecret: boolean }> }>, readonly calls: { readonly waysOutCount: number, readonly emergencyCount: number, readonly lostWaysCount: number, readonly shadowedCount: number, readonly examined: number, readonly endCursor: string | null, readonly counts: { readonly stops: number, readonly starts: number, readonly moves: number, readonly other: number }, readonly numbers: ReadonlyArray<{ readonly effect: Types.CallEffect, readonly kind: Types.ResourceKind, readonly ref: string, readonly telUrl: string, readonly before: { readonly state: Types.NumberState, readonly summary: string, readonly gateway: string | null, readonly targets: ReadonlyArray<string> }, readonly after: { readonly state: Types.NumberState, readonly summary: string, readonly gateway: string | null, readonly targets: ReadonlyArray<string> } }>, readonly waysOut: ReadonlyArray<{ readonly domainUri: string, readonly prefix: string | null, readonly emergency: boolean, readonly before: ReadonlyArray<string> | null, readonly after: ReadonlyArray<string> | null, readonly caller: { readonly kind: Types.ResourceKind, readonly ref: string, readonly user: string } | null }>, readonly lostWays: ReadonlyArray<{ readonly kind: Types.ResourceKind, readonly ref: string, readonly name: string, readonly lost: Types.Loss, readonly sources: ReadonlyArray<string> | null }>, readonly shadowed: ReadonlyArray<{ readonly kind: Types.ResourceKind, readonly ref: string, readonly rule: string, readonly by: string, readonly byRef: string, readonly isWhole: boolean }> } };

export type ResourceChangeFieldsFragment = { readonly cursor: string, readonly at: string, readonly event: Types.ResourceEvent, readonly kind: Types.ResourceKind, readonly ref: string, readonly resourceId: string, readonly former: { readonly kind: Types.ResourceKind, readonly ref: string, readonly name: string | null } | null, readonly resource:
    | { readonly __typename: 'Agent', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
    | { readonly __typename: 'DID', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
    | { readonly __typename: 'Domain', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly domainUri: string }
    | { readonly __typename: 'Gateway', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly host: string, readonly transport: Types.Transport }
    | { readonly __typename: 'Number', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
    | { readonly __typename: 'Peer', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
    | { readonly __typename: 'Route', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly domainRef: string, readonly prefix: string }
   | null };

export type RegistrationChangeFieldsFragment = { readonly cursor: string, readonly at: string, readonly gatewayRef: string, readonly state: Types.RegistrationState | null, readonly former: { readonly kind: Types.ResourceKind, readonly ref: string, readonly name: string | null } | null, readonly gateway: (
    { readonly registration: RegistrationFieldsFragment | null }
    & GatewayFieldsFragment
  ) | null };

export type GatewayHealthChangeFieldsFragment = { readonly cursor: string, readonly at: string, readonly gatewayRef: string, readonly state: Types.GatewayHealthState, readonly former: { readonly kind: Types.ResourceKind, readonly ref: string, readonly name: string | null } | null, readonly gateway: (
    { readonly health: { readonly state: Types.GatewayHealthState, readonly since: string | null, readonly roundTrip: number | null, readonly lastStatus: number | null, readonly checkedOn: string | null } }
    & GatewayFieldsFragment
  ) | null };

export type DestinationHealthChangeFieldsFragment = { readonly cursor: string, readonly at: string, readonly gatewayRef: string, readonly state: Types.GatewayHealthState, readonly destination: { readonly host: string, readonly port: number | null, readonly transport: string, readonly state: Types.GatewayHealthState, readonly since: string | null, readonly lastStatus: number | null } | null, readonly former: { readonly kind: Types.ResourceKind, readonly ref: string, readonly name: string | null } | null, readonly gateway: GatewayFieldsFragment | null };

export type ContactsChangeFieldsFragment = { readonly cursor: string, readonly at: string, readonly event: Types.ContactEvent, readonly addressOfRecord: string, readonly contacts: ReadonlyArray<{ readonly id: string, readonly addressOfRecord: string, readonly uri: string, readonly transport: string, readonly nat: boolean, readonly expires: number, readonly expiresOn: string, readonly userAgent: string | null, readonly node: string | null, readonly target:
      | { readonly __typename: 'Agent', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
      | { readonly __typename: 'Peer', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
     | null, readonly domain: { readonly id: string, readonly ref: string, readonly name: string, readonly domainUri: string } | null }> };

export type CallAlertChangeFieldsFragment = { readonly cursor: string, readonly at: string, readonly event: Types.CallAlertEvent, readonly alert: { readonly at: string, readonly ref: string | null, readonly limit: Types.CallLimit | null, readonly used: number | null, readonly most: number | null, readonly number: string | null, readonly agentRef: string | null, readonly peerRef: string | null, readonly former: ReadonlyArray<{ readonly kind: Types.ResourceKind, readonly ref: string, readonly name: string | null }>, readonly resource:
      | { readonly __typename: 'Agent', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
      | { readonly __typename: 'DID', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
      | { readonly __typename: 'Domain', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly domainUri: string }
      | { readonly __typename: 'Gateway', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly host: string, readonly transport: Types.Transport }
      | { readonly __typename: 'Number', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
      | { readonly __typename: 'Peer', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
      | { readonly __typename: 'Route', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly domainRef: string, readonly prefix: string }
     | null, readonly gateway: { readonly id: string, readonly ref: string, readonly name: string, readonly host: string, readonly transport: Types.Transport } | null } | null };

export type CallsChangeFieldsFragment = { readonly event: Types.CallEvent, readonly call: { readonly id: string, readonly callId: string, readonly fromTag: string, readonly state: Types.CallState, readonly direction: Types.CallDirection | null, readonly from: string | null, readonly to: string | null, readonly called: string | null, readonly digits: string | null, readonly gatewayRef: string | null, readonly domainRef: string | null, readonly routeRef: string | null, readonly begunOn: string, readonly ringingOn: string | null, readonly answeredOn: string | null, readonly endedOn: string | null, readonly endedBy: Types.CallEnd | null, readonly status: number | null, readonly reason: string | null, readonly reasonHeader: string | null, readonly source: string | null, readonly node: string, readonly callerRef: string | null, readonly calleeRef: string | null, readonly traceUrl: string | null, readonly attempts: ReadonlyArray<{ readonly gatewayRef: string | null, readonly destination: string | null, readonly at: string | null, readonly duration: number | null, readonly status: number | null, readonly reason: string | null, readonly reasonHeader: string | null }>, readonly number:
      | { readonly __typename: 'DID', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
      | { readonly __typename: 'Number', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
     | null, readonly former: ReadonlyArray<{ readonly kind: Types.ResourceKind, readonly ref: string, readonly name: string | null }> } | null };

export type ImportProgressFieldsFragment = { readonly phase: Types.ImportPhase, readonly done: number, readonly total: number };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { readonly viewer: ViewerFieldsFragment };

export type UsersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type UsersQuery = { readonly users: { readonly totalCount: number, readonly nodes: ReadonlyArray<UserFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type UserSessionsQueryVariables = Exact<{
  userRef: string;
}>;


export type UserSessionsQuery = { readonly userSessions: ReadonlyArray<SessionFieldsFragment> };

export type ApiTokensQueryVariables = Exact<{
  userRef?: string | null | undefined;
}>;


export type ApiTokensQuery = { readonly apiTokens: ReadonlyArray<ApiTokenFieldsFragment> };

export type SearchQueryVariables = Exact<{
  first?: number | null | undefined;
  text: string;
}>;


export type SearchQuery = { readonly search: ReadonlyArray<
    | { readonly __typename: 'Agent', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
    | { readonly __typename: 'DID', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
    | { readonly __typename: 'Domain', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly domainUri: string }
    | { readonly __typename: 'Gateway', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly host: string, readonly transport: Types.Transport }
    | { readonly __typename: 'Number', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
    | { readonly __typename: 'Peer', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
    | { readonly __typename: 'Route', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly domainRef: string, readonly prefix: string }
  > };

export type ChangeCursorQueryVariables = Exact<{ [key: string]: never; }>;


export type ChangeCursorQuery = { readonly changeCursor: string };

export type CallsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  where?: Types.CallWhere | null | undefined;
  orderBy?: Types.CallOrder | null | undefined;
}>;


export type CallsQuery = { readonly calls: { readonly nodes: ReadonlyArray<CallFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type CallQueryVariables = Exact<{
  id: string | number;
}>;


export type CallQuery = { readonly call: CallFieldsFragment | null };

export type CallCountsQueryVariables = Exact<{
  by: Types.CallGroup;
  from?: string | null | undefined;
  to?: string | null | undefined;
  first?: number | null | undefined;
}>;


export type CallCountsQuery = { readonly callCounts: ReadonlyArray<CallCountFieldsFragment> };

export type HistoryQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  where?: Types.HistoryWhere | null | undefined;
}>;


export type HistoryQuery = { readonly history: { readonly nodes: ReadonlyArray<HistoryEntryFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type HistoryRequestsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  where?: Types.HistoryWhere | null | undefined;
}>;


export type HistoryRequestsQuery = { readonly historyRequests: HistoryRequestPageFieldsFragment };

export type ExplainNumberQueryVariables = Exact<{
  at?: string | null | undefined;
  telUrl: string;
}>;


export type ExplainNumberQuery = { readonly explainNumber: NumberExplanationFieldsFragment };

export type ExplainAddressQueryVariables = Exact<{
  addressOfRecord: string;
}>;


export type ExplainAddressQuery = { readonly explainAddress: AddressExplanationFieldsFragment };

export type ExplainCallQueryVariables = Exact<{
  from?: string | null | undefined;
  to?: string | null | undefined;
  sourceAddress?: string | null | undefined;
  at?: string | null | undefined;
  call?: string | number | null | undefined;
}>;


export type ExplainCallQuery = { readonly explainCall: CallExplanationFieldsFragment };

export type NumberHealthCountsQueryVariables = Exact<{
  gatewayRef?: string | null | undefined;
  agentRef?: string | null | undefined;
  peerRef?: string | null | undefined;
  domainRef?: string | null | undefined;
  addressOfRecord?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type NumberHealthCountsQuery = { readonly numberHealthCounts: NumberHealthCountsFieldsFragment };

export type NumberFlowsQueryVariables = Exact<{
  gatewayRef?: string | null | undefined;
  agentRef?: string | null | undefined;
  peerRef?: string | null | undefined;
  domainRef?: string | null | undefined;
  addressOfRecord?: string | null | undefined;
  states?: ReadonlyArray<Types.NumberState> | Types.NumberState | null | undefined;
  by?: Types.NumberFlowEnd | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type NumberFlowsQuery = { readonly numberFlows: NumberFlowsFieldsFragment };

export type NumberHealthQueryVariables = Exact<{
  gatewayRef?: string | null | undefined;
  agentRef?: string | null | undefined;
  peerRef?: string | null | undefined;
  domainRef?: string | null | undefined;
  addressOfRecord?: string | null | undefined;
  states?: ReadonlyArray<Types.NumberState> | Types.NumberState | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type NumberHealthQuery = { readonly numberHealth: { readonly nodes: ReadonlyArray<NumberHealthFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type ReplayCallsQueryVariables = Exact<{
  csv: string;
}>;


export type ReplayCallsQuery = { readonly replayCalls: ReplayFieldsFragment };

export type ContactsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  where?: Types.ContactWhere | null | undefined;
}>;


export type ContactsQuery = { readonly contacts: { readonly totalCount: number, readonly nodes: ReadonlyArray<ContactFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type RegistrationsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type RegistrationsQuery = { readonly registrations: { readonly totalCount: number, readonly nodes: ReadonlyArray<RegistrationFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type PendingChangesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  states?: ReadonlyArray<Types.PendingState> | Types.PendingState | null | undefined;
}>;


export type PendingChangesQuery = { readonly pendingChanges: { readonly totalCount: number, readonly nodes: ReadonlyArray<PendingChangesFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type RegistrationEventsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  where?: Types.RegistrationEventWhere | null | undefined;
}>;


export type RegistrationEventsQuery = { readonly registrationEvents: { readonly nodes: ReadonlyArray<RegistrationEventFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type TrunksQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  states?: ReadonlyArray<Types.TrunkState> | Types.TrunkState | null | undefined;
  search?: string | null | undefined;
}>;


export type TrunksQuery = { readonly trunks: { readonly totalCount: number, readonly nodes: ReadonlyArray<TrunkFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type RefusedCallersQueryVariables = Exact<{
  gatewayRef?: string | null | undefined;
}>;


export type RefusedCallersQuery = { readonly refusedCallers: ReadonlyArray<RefusedCallerFieldsFragment> };

export type RefusedSourcesQueryVariables = Exact<{ [key: string]: never; }>;


export type RefusedSourcesQuery = { readonly refusedSources: ReadonlyArray<RefusedSourceFieldsFragment> };

export type TrunkCountsQueryVariables = Exact<{ [key: string]: never; }>;


export type TrunkCountsQuery = { readonly trunkCounts: ReadonlyArray<TrunkCountFieldsFragment> };

export type SamplesQueryVariables = Exact<{
  from?: string | null | undefined;
  to?: string | null | undefined;
  series: ReadonlyArray<Types.SampleSeries> | Types.SampleSeries;
  resolution?: Types.SampleResolution | null | undefined;
}>;


export type SamplesQuery = { readonly samples: SamplesFieldsFragment };

export type SystemInfoQueryVariables = Exact<{ [key: string]: never; }>;


export type SystemInfoQuery = { readonly systemInfo: SystemFieldsFragment };

export type SipServerQueryVariables = Exact<{ [key: string]: never; }>;


export type SipServerQuery = { readonly sipServer: SipServerFieldsFragment | null };

export type TaskQueryVariables = Exact<{ [key: string]: never; }>;


export type TaskQuery = { readonly task: TaskFieldsFragment | null };

export type ViewsQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewsQuery = { readonly views: ReadonlyArray<ViewFieldsFragment> };

export type WebhooksQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhooksQuery = { readonly webhooks: ReadonlyArray<WebhookFieldsFragment> };

export type WebhookDeliveriesQueryVariables = Exact<{
  ref: string;
}>;


export type WebhookDeliveriesQuery = { readonly webhookDeliveries: ReadonlyArray<WebhookDeliveryFieldsFragment> };

export type NodeQueryVariables = Exact<{
  id: string | number;
}>;


export type NodeQuery = { readonly node:
    | { readonly __typename: 'Agent', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
    | { readonly __typename: 'DID', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
    | { readonly __typename: 'Domain', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly domainUri: string }
    | { readonly __typename: 'Gateway', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly host: string, readonly transport: Types.Transport }
    | { readonly __typename: 'Number', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
    | { readonly __typename: 'Peer', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
    | { readonly __typename: 'Route', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly domainRef: string, readonly prefix: string }
   | null };

export type NodesQueryVariables = Exact<{
  ids: ReadonlyArray<string | number> | string | number;
}>;


export type NodesQuery = { readonly nodes: ReadonlyArray<
    | { readonly __typename: 'Agent', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
    | { readonly __typename: 'DID', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
    | { readonly __typename: 'Domain', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly domainUri: string }
    | { readonly __typename: 'Gateway', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly host: string, readonly transport: Types.Transport }
    | { readonly __typename: 'Number', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly gatewayRef: string, readonly telUrl: string, readonly aorLink: string }
    | { readonly __typename: 'Peer', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly username: string }
    | { readonly __typename: 'Route', readonly id: string, readonly ref: string, readonly kind: Types.ResourceKind, readonly name: string, readonly domainRef: string, readonly prefix: string }
   | null> };

export type GatewayQueryVariables = Exact<{
  asOf?: string | null | undefined;
  ref: string;
}>;


export type GatewayQuery = { readonly gateway: GatewayFieldsFragment | null };

export type GatewaysQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: string | null | undefined;
  where?: Types.GatewayWhere | null | undefined;
  orderBy?: ReadonlyArray<Types.GatewayOrder> | Types.GatewayOrder | null | undefined;
}>;


export type GatewaysQuery = { readonly gateways: { readonly totalCount: number, readonly nodes: ReadonlyArray<GatewayFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type AgentQueryVariables = Exact<{
  ref: string;
}>;


export type AgentQuery = { readonly agent: AgentFieldsFragment | null };

export type AgentsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: string | null | undefined;
  where?: Types.AgentWhere | null | undefined;
  orderBy?: ReadonlyArray<Types.AgentOrder> | Types.AgentOrder | null | undefined;
}>;


export type AgentsQuery = { readonly agents: { readonly totalCount: number, readonly nodes: ReadonlyArray<AgentFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type PeerQueryVariables = Exact<{
  ref: string;
}>;


export type PeerQuery = { readonly peer: PeerFieldsFragment | null };

export type PeersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: string | null | undefined;
  where?: Types.PeerWhere | null | undefined;
  orderBy?: ReadonlyArray<Types.PeerOrder> | Types.PeerOrder | null | undefined;
}>;


export type PeersQuery = { readonly peers: { readonly totalCount: number, readonly nodes: ReadonlyArray<PeerFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type DomainQueryVariables = Exact<{
  asOf?: string | null | undefined;
  ref: string;
}>;


export type DomainQuery = { readonly domain: DomainFieldsFragment | null };

export type DomainsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: string | null | undefined;
  where?: Types.DomainWhere | null | undefined;
  orderBy?: ReadonlyArray<Types.DomainOrder> | Types.DomainOrder | null | undefined;
}>;


export type DomainsQuery = { readonly domains: { readonly totalCount: number, readonly nodes: ReadonlyArray<DomainFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type DidQueryVariables = Exact<{
  asOf?: string | null | undefined;
  ref: string;
}>;


export type DidQuery = { readonly did: DidFieldsFragment | null };

export type DidsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: string | null | undefined;
  where?: Types.DidWhere | null | undefined;
  orderBy?: ReadonlyArray<Types.DidOrder> | Types.DidOrder | null | undefined;
}>;


export type DidsQuery = { readonly dids: { readonly totalCount: number, readonly nodes: ReadonlyArray<DidFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type NumberQueryVariables = Exact<{
  asOf?: string | null | undefined;
  ref: string;
}>;


export type NumberQuery = { readonly number: NumberFieldsFragment | null };

export type NumbersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: string | null | undefined;
  where?: Types.NumberWhere | null | undefined;
  orderBy?: ReadonlyArray<Types.NumberOrder> | Types.NumberOrder | null | undefined;
}>;


export type NumbersQuery = { readonly numbers: { readonly totalCount: number, readonly nodes: ReadonlyArray<NumberFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type RouteQueryVariables = Exact<{
  ref: string;
}>;


export type RouteQuery = { readonly route: RouteFieldsFragment | null };

export type RoutesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: string | null | undefined;
  where?: Types.RouteWhere | null | undefined;
  orderBy?: ReadonlyArray<Types.RouteOrder> | Types.RouteOrder | null | undefined;
}>;


export type RoutesQuery = { readonly routes: { readonly totalCount: number, readonly nodes: ReadonlyArray<RouteFieldsFragment>, readonly pageInfo: PageFieldsFragment } };

export type ExportsQueryVariables = Exact<{ [key: string]: never; }>;


export type ExportsQuery = { readonly exports: ReadonlyArray<ExportFieldsFragment> };

export type CreateTokenMutationVariables = Exact<{
  secret: string;
  username: string;
}>;


export type CreateTokenMutation = { readonly createToken: TokenFieldsFragment };

export type CreateUserMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  input: Types.CreateUserInput;
}>;


export type CreateUserMutation = { readonly createUser: UserFieldsFragment };

export type SetUserSecretMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  secret: string;
  ref: string;
}>;


export type SetUserSecretMutation = { readonly setUserSecret: UserFieldsFragment };

export type SetUserRoleMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  role: Types.Role;
  ref: string;
}>;


export type SetUserRoleMutation = { readonly setUserRole: UserFieldsFragment };

export type DeleteUserMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type DeleteUserMutation = { readonly deleteUser: string };

export type ChangeSecretMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  newSecret: string;
  oldSecret: string;
}>;


export type ChangeSecretMutation = { readonly changeSecret: string };

export type EndSessionMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  id: string | number;
}>;


export type EndSessionMutation = { readonly endSession: string };

export type EndAllSessionsMutationVariables = Exact<{
  userRef?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type EndAllSessionsMutation = { readonly endAllSessions: string };

export type CreateApiTokenMutationVariables = Exact<{
  name: string;
  role: Types.Role;
  expiresOn?: string | null | undefined;
  note?: string | null | undefined;
  documents?: ReadonlyArray<string> | string | null | undefined;
  userRef?: string | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type CreateApiTokenMutation = { readonly createApiToken: CreatedApiTokenFieldsFragment };

export type DeleteApiTokenMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type DeleteApiTokenMutation = { readonly deleteApiToken: string };

export type RevertMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  secrets?: ReadonlyArray<Types.RevertSecretInput> | Types.RevertSecretInput | null | undefined;
  dryRun?: boolean | null | undefined;
  entry: string | number;
}>;


export type RevertMutation = { readonly revert: ReadonlyArray<RevertedChangeFieldsFragment> };

export type RevertRequestMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  secrets?: ReadonlyArray<Types.RevertSecretInput> | Types.RevertSecretInput | null | undefined;
  dryRun?: boolean | null | undefined;
  id: string;
}>;


export type RevertRequestMutation = { readonly revertRequest: ReadonlyArray<RevertedChangeFieldsFragment> };

export type ImportNumbersMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  progressId?: string | number | null | undefined;
  partOf?: string | number | null | undefined;
  kind?: Types.NumberKind | null | undefined;
  csv: string;
  outcomes?: ReadonlyArray<Types.ImportOutcome> | Types.ImportOutcome | null | undefined;
}>;


export type ImportNumbersMutation = { readonly importNumbers: ImportFieldsFragment };

export type ImportCsvMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  progressId?: string | number | null | undefined;
  partOf?: string | number | null | undefined;
  csv: string;
  kind: Types.ResourceKind;
  outcomes?: ReadonlyArray<Types.ImportOutcome> | Types.ImportOutcome | null | undefined;
}>;


export type ImportCsvMutation = { readonly importCsv: ImportFieldsFragment };

export type ImportDocumentsMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  progressId?: string | number | null | undefined;
  text: string;
  outcomes?: ReadonlyArray<Types.ImportOutcome> | Types.ImportOutcome | null | undefined;
}>;


export type ImportDocumentsMutation = { readonly importDocuments: ImportFieldsFragment };

export type ImportFromMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  system: Types.MovingSystem;
  gateway?: string | null | undefined;
  newSecrets?: boolean | null | undefined;
  skipInvalid?: boolean | null | undefined;
  dryRun?: boolean | null | undefined;
  source: string;
}>;


export type ImportFromMutation = { readonly importFrom: MoveFieldsFragment };

export type EvictContactMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  addressOfRecord: string;
}>;


export type EvictContactMutation = { readonly evictContact: number };

export type TestGatewayMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type TestGatewayMutation = { readonly testGateway: GatewayTestFieldsFragment };

export type ConfirmChangesMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  id: string;
}>;


export type ConfirmChangesMutation = { readonly confirmChanges: PendingChangesFieldsFragment };

export type CancelChangesMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  id: string;
}>;


export type CancelChangesMutation = { readonly cancelChanges: PendingChangesFieldsFragment };

export type UploadDumpMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  part: string;
  number: number;
  task?: string | number | null | undefined;
}>;


export type UploadDumpMutation = { readonly uploadDump: TaskFieldsFragment };

export type StartMoveMutationVariables = Exact<{
  system: Types.MovingSystem;
  gateway?: string | null | undefined;
  newSecrets?: boolean | null | undefined;
  skipInvalid?: boolean | null | undefined;
  dryRun?: boolean | null | undefined;
  task: string | number;
}>;


export type StartMoveMutation = { readonly startMove: TaskFieldsFragment };

export type StartRevertMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  request: string;
}>;


export type StartRevertMutation = { readonly startRevert: TaskFieldsFragment };

export type CancelTaskMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type CancelTaskMutation = { readonly cancelTask: TaskFieldsFragment };

export type SaveViewMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  list: string;
  name: string;
  content: string;
}>;


export type SaveViewMutation = { readonly saveView: ViewFieldsFragment };

export type DeleteViewMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type DeleteViewMutation = { readonly deleteView: string };

export type CreateWebhookMutationVariables = Exact<{
  kinds?: ReadonlyArray<Types.ResourceKind> | Types.ResourceKind | null | undefined;
  refs?: ReadonlyArray<string> | string | null | undefined;
  after?: number | null | undefined;
  failedCalls?: Types.FailedCallRuleInput | null | undefined;
  note?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  url: string;
  events: ReadonlyArray<Types.WebhookEvent> | Types.WebhookEvent;
}>;


export type CreateWebhookMutation = { readonly createWebhook: CreatedWebhookFieldsFragment };

export type UpdateWebhookMutationVariables = Exact<{
  kinds?: ReadonlyArray<Types.ResourceKind> | Types.ResourceKind | null | undefined;
  refs?: ReadonlyArray<string> | string | null | undefined;
  after?: number | null | undefined;
  failedCalls?: Types.FailedCallRuleInput | null | undefined;
  note?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  ref: string;
  url?: string | null | undefined;
  events?: ReadonlyArray<Types.WebhookEvent> | Types.WebhookEvent | null | undefined;
  paused?: boolean | null | undefined;
}>;


export type UpdateWebhookMutation = { readonly updateWebhook: WebhookFieldsFragment };

export type RotateWebhookSecretMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  overlap?: number | null | undefined;
  ref: string;
}>;


export type RotateWebhookSecretMutation = { readonly rotateWebhookSecret: CreatedWebhookFieldsFragment };

export type DeleteWebhookMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type DeleteWebhookMutation = { readonly deleteWebhook: string };

export type ResumeWebhookMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  skipMissed?: boolean | null | undefined;
  ref: string;
}>;


export type ResumeWebhookMutation = { readonly resumeWebhook: WebhookFieldsFragment };

export type PingWebhookMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type PingWebhookMutation = { readonly pingWebhook: WebhookPingFieldsFragment };

export type RedeliverMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  id: string | number;
}>;


export type RedeliverMutation = { readonly redeliver: string };

export type CreateGatewayMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  input: Types.CreateGatewayInput;
}>;


export type CreateGatewayMutation = { readonly createGateway: GatewayFieldsFragment };

export type UpdateGatewayMutationVariables = Exact<{
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  input: Types.UpdateGatewayInput;
  ref: string;
}>;


export type UpdateGatewayMutation = { readonly updateGateway: GatewayFieldsFragment };

export type DeleteGatewayMutationVariables = Exact<{
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type DeleteGatewayMutation = { readonly deleteGateway: string };

export type UpdateManyGatewaysMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  set: Types.UpdateGatewayInput;
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.GatewayWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type UpdateManyGatewaysMutation = { readonly updateManyGateways: ManyFieldsFragment };

export type DeleteManyGatewaysMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.GatewayWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type DeleteManyGatewaysMutation = { readonly deleteManyGateways: ManyFieldsFragment };

export type CreateAgentMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  input: Types.CreateAgentInput;
}>;


export type CreateAgentMutation = { readonly createAgent: AgentFieldsFragment };

export type UpdateAgentMutationVariables = Exact<{
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  input: Types.UpdateAgentInput;
  ref: string;
}>;


export type UpdateAgentMutation = { readonly updateAgent: AgentFieldsFragment };

export type DeleteAgentMutationVariables = Exact<{
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type DeleteAgentMutation = { readonly deleteAgent: string };

export type UpdateManyAgentsMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  set: Types.UpdateAgentInput;
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.AgentWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type UpdateManyAgentsMutation = { readonly updateManyAgents: ManyFieldsFragment };

export type DeleteManyAgentsMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.AgentWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type DeleteManyAgentsMutation = { readonly deleteManyAgents: ManyFieldsFragment };

export type CreatePeerMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  input: Types.CreatePeerInput;
}>;


export type CreatePeerMutation = { readonly createPeer: PeerFieldsFragment };

export type UpdatePeerMutationVariables = Exact<{
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  input: Types.UpdatePeerInput;
  ref: string;
}>;


export type UpdatePeerMutation = { readonly updatePeer: PeerFieldsFragment };

export type DeletePeerMutationVariables = Exact<{
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type DeletePeerMutation = { readonly deletePeer: string };

export type UpdateManyPeersMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  set: Types.UpdatePeerInput;
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.PeerWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type UpdateManyPeersMutation = { readonly updateManyPeers: ManyFieldsFragment };

export type DeleteManyPeersMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.PeerWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type DeleteManyPeersMutation = { readonly deleteManyPeers: ManyFieldsFragment };

export type CreateDomainMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  input: Types.CreateDomainInput;
}>;


export type CreateDomainMutation = { readonly createDomain: DomainFieldsFragment };

export type UpdateDomainMutationVariables = Exact<{
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  input: Types.UpdateDomainInput;
  ref: string;
}>;


export type UpdateDomainMutation = { readonly updateDomain: DomainFieldsFragment };

export type DeleteDomainMutationVariables = Exact<{
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type DeleteDomainMutation = { readonly deleteDomain: string };

export type UpdateManyDomainsMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  set: Types.UpdateDomainInput;
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.DomainWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type UpdateManyDomainsMutation = { readonly updateManyDomains: ManyFieldsFragment };

export type DeleteManyDomainsMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.DomainWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type DeleteManyDomainsMutation = { readonly deleteManyDomains: ManyFieldsFragment };

export type CreateDidMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  input: Types.CreateDidInput;
}>;


export type CreateDidMutation = { readonly createDID: DidFieldsFragment };

export type UpdateDidMutationVariables = Exact<{
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  input: Types.UpdateDidInput;
  ref: string;
}>;


export type UpdateDidMutation = { readonly updateDID: DidFieldsFragment };

export type DeleteDidMutationVariables = Exact<{
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type DeleteDidMutation = { readonly deleteDID: string };

export type UpdateManyDiDsMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  set: Types.UpdateDidInput;
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.DidWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type UpdateManyDiDsMutation = { readonly updateManyDIDs: ManyFieldsFragment };

export type DeleteManyDiDsMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.DidWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type DeleteManyDiDsMutation = { readonly deleteManyDIDs: ManyFieldsFragment };

export type CreateNumberMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  input: Types.CreateNumberInput;
}>;


export type CreateNumberMutation = { readonly createNumber: NumberFieldsFragment };

export type UpdateNumberMutationVariables = Exact<{
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  input: Types.UpdateNumberInput;
  ref: string;
}>;


export type UpdateNumberMutation = { readonly updateNumber: NumberFieldsFragment };

export type DeleteNumberMutationVariables = Exact<{
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type DeleteNumberMutation = { readonly deleteNumber: string };

export type UpdateManyNumbersMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  set: Types.UpdateNumberInput;
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.NumberWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type UpdateManyNumbersMutation = { readonly updateManyNumbers: ManyFieldsFragment };

export type DeleteManyNumbersMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.NumberWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type DeleteManyNumbersMutation = { readonly deleteManyNumbers: ManyFieldsFragment };

export type CreateRouteMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  input: Types.CreateRouteInput;
}>;


export type CreateRouteMutation = { readonly createRoute: RouteFieldsFragment };

export type UpdateRouteMutationVariables = Exact<{
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  input: Types.UpdateRouteInput;
  ref: string;
}>;


export type UpdateRouteMutation = { readonly updateRoute: RouteFieldsFragment };

export type DeleteRouteMutationVariables = Exact<{
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type DeleteRouteMutation = { readonly deleteRoute: string };

export type UpdateManyRoutesMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  set: Types.UpdateRouteInput;
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.RouteWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type UpdateManyRoutesMutation = { readonly updateManyRoutes: ManyFieldsFragment };

export type DeleteManyRoutesMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  refs?: ReadonlyArray<string> | string | null | undefined;
  where?: Types.RouteWhere | null | undefined;
  filter?: string | null | undefined;
  expectedCount?: number | null | undefined;
  dryRun?: boolean | null | undefined;
}>;


export type DeleteManyRoutesMutation = { readonly deleteManyRoutes: ManyFieldsFragment };

export type ApplyChangesMutationVariables = Exact<{
  confirmWithin?: number | null | undefined;
  revertIf?: Types.RevertLimitsInput | null | undefined;
  at?: string | null | undefined;
  ifUnchangedSince?: string | null | undefined;
  dryRun?: boolean | null | undefined;
  changes: ReadonlyArray<Types.ChangeInput> | Types.ChangeInput;
}>;


export type ApplyChangesMutation = { readonly applyChanges: AppliedChangesFieldsFragment };

export type SimulateMutationVariables = Exact<{
  after?: string | null | undefined;
  revert?: Types.SimulatedRevertInput | null | undefined;
  changes?: ReadonlyArray<Types.ChangeInput> | Types.ChangeInput | null | undefined;
}>;


export type SimulateMutation = { readonly simulate: SimulationFieldsFragment };

export type StartExportMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  format?: Types.ExportFormat | null | undefined;
  filter?: string | null | undefined;
  of: Types.ExportOf;
}>;


export type StartExportMutation = { readonly startExport: ExportFieldsFragment };

export type CancelExportMutationVariables = Exact<{
  dryRun?: boolean | null | undefined;
  ref: string;
}>;


export type CancelExportMutation = { readonly cancelExport: string };

export type ResourceChangedSubscriptionVariables = Exact<{
  kinds?: ReadonlyArray<Types.ResourceKind> | Types.ResourceKind | null | undefined;
  refs?: ReadonlyArray<string> | string | null | undefined;
  since?: string | null | undefined;
}>;


export type ResourceChangedSubscription = { readonly resourceChanged: ResourceChangeFieldsFragment };

export type RegistrationsChangedSubscriptionVariables = Exact<{
  since?: string | null | undefined;
}>;


export type RegistrationsChangedSubscription = { readonly registrationsChanged: RegistrationChangeFieldsFragment };

export type GatewayHealthChangedSubscriptionVariables = Exact<{
  since?: string | null | undefined;
}>;


export type GatewayHealthChangedSubscription = { readonly gatewayHealthChanged: GatewayHealthChangeFieldsFragment };

export type DestinationHealthChangedSubscriptionVariables = Exact<{
  since?: string | null | undefined;
}>;


export type DestinationHealthChangedSubscription = { readonly destinationHealthChanged: DestinationHealthChangeFieldsFragment };

export type ContactsChangedSubscriptionVariables = Exact<{
  since?: string | null | undefined;
  aor?: string | null | undefined;
}>;


export type ContactsChangedSubscription = { readonly contactsChanged: ContactsChangeFieldsFragment };

export type CallAlertSubscriptionVariables = Exact<{
  since?: string | null | undefined;
}>;


export type CallAlertSubscription = { readonly callAlert: CallAlertChangeFieldsFragment };

export type CallsChangedSubscriptionVariables = Exact<{
  where?: Types.CallWhere | null | undefined;
}>;


export type CallsChangedSubscription = { readonly callsChanged: CallsChangeFieldsFragment };

export type ImportProgressSubscriptionVariables = Exact<{
  progressId: string | number;
}>;


export type ImportProgressSubscription = { readonly importProgress: ImportProgressFieldsFragment };

export const ViewerFieldsFragmentDoc = gql`fragment ViewerFields on Viewer { ref username role } `;
export const UserFieldsFragmentDoc = gql`fragment UserFields on User { ref username role createdOn modifiedOn } `;
export const PageFieldsFragmentDoc = gql`fragment PageFields on PageInfo { hasNextPage hasPreviousPage startCursor endCursor } `;
export const SessionFieldsFragmentDoc = gql`fragment SessionFields on Session { id address device userAgent createdOn expiresOn current } `;
export const ApiTokenFieldsFragmentDoc = gql`fragment ApiTokenFields on ApiToken { ref name note role username createdOn expiresOn lastUsedOn lastUsedFrom documents { name sha256Hash } } `;
export const CallFieldsFragmentDoc = gql`fragment CallFields on Call { id callId fromTag state direction from to called digits gatewayRef domainRef routeRef begunOn ringingOn answeredOn endedOn endedBy status reason reasonHeader source node attempts { gatewayRef destination at duration status reason reasonHeader } callerRef calleeRef traceUrl number { __typename ... on Resource { id ref kind } ... on DID { gatewayRef telUrl aorLink } ... on Number { gatewayRef telUrl aorLink } } former { kind ref name } } `;
export const CallCountFieldsFragmentDoc = gql`fragment CallCountFields on CallCount { status gatewayRef hour calls answered answerSeizureRatio averageDuration averagePostDialDelay postDialDelayP50 postDialDelayP95 } `;
export const HistoryEntryFieldsFragmentDoc = gql`fragment HistoryEntryFields on HistoryEntry { entry at event kind ref who { username ref apiToken } way address request reverts count reason changes { field before after isSecret } former { kind ref name } } `;
export const HistoryRequestFieldsFragmentDoc = gql`fragment HistoryRequestFields on HistoryRequest { request entry at who { username ref apiToken } way address isRevert reason isWhole parts { kind event count ref times shared { field before after isSecret } former { kind ref name } } } `;
export const HistoryRequestPageFieldsFragmentDoc = gql`fragment HistoryRequestPageFields on HistoryRequestPage { nodes { ...HistoryRequestFields } hasNextPage endCursor } ${HistoryRequestFieldsFragmentDoc}`;
export const NumberExplanationFieldsFragmentDoc = gql`fragment NumberExplanationFields on NumberExplanation { state reachable summary telUrl digits steps { __typename state summary suggestion broken } others { __typename ... on Resource { id ref kind } ... on DID { gatewayRef telUrl aorLink } ... on Number { gatewayRef telUrl aorLink } } at change { entry at event kind ref who { username ref apiToken } way address request reverts count reason changes { field before after isSecret } former { kind ref name } } event { id at event addressOfRecord host port transport userAgent node devices status reason target { __typename ... on Resource { id ref kind } ... on Agent { name username } ... on Peer { name username } } gateway { id ref name host transport } } former { kind ref name } unknown } `;
export const AddressExplanationFieldsFragmentDoc = gql`fragment AddressExplanationFields on AddressExplanation { state reachable summary addressOfRecord steps { __typename state summary suggestion broken } } `;
export const CallExplanationFieldsFragmentDoc = gql`fragment CallExplanationFields on CallExplanation { outcome status reason summary steps { __typename state summary suggestion broken } attempts { order after health share contact { id addressOfRecord uri transport nat expires expiresOn userAgent node target { __typename ... on Resource { id ref kind } ... on Agent { name username } ... on Peer { name username } } domain { id ref name domainUri } } requestUri nextHop from assertedIdentity diversion gateway { id ref name host transport } number { id ref gatewayRef telUrl aorLink } } at change { entry at event kind ref who { username ref apiToken } way address request reverts count reason changes { field before after isSecret } former { kind ref name } } event { id at event addressOfRecord host port transport userAgent node devices status reason target { __typename ... on Resource { id ref kind } ... on Agent { name username } ... on Peer { name username } } gateway { id ref name host transport } } former { kind ref name } unknown } `;
export const NumberHealthCountsFieldsFragmentDoc = gql`fragment NumberHealthCountsFields on NumberHealthCounts { states { state count } examined hasNextPage endCursor } `;
export const NumberFlowsFieldsFragmentDoc = gql`fragment NumberFlowsFields on NumberFlows { flows { count state host addressOfRecord gateway { id ref name host transport } domain { id ref name domainUri } target { __typename ... on Resource { id ref kind } ... on Agent { name username } ... on Peer { name username } } } by gateways ends examined hasNextPage endCursor } `;
export const NumberHealthFieldsFragmentDoc = gql`fragment NumberHealthFields on NumberHealth { state reachable summary kind ref telUrl aorLink gateway { id ref name host transport } } `;
export const ReplayFieldsFragmentDoc = gql`fragment ReplayFields on ReplayResult { calls same later differ unknown ignored invalid invalidRecord differences { count line from to source was now } } `;
export const ContactFieldsFragmentDoc = gql`fragment ContactFields on Contact { id addressOfRecord uri transport nat expires expiresOn userAgent node target { __typename ... on Resource { id ref kind } ... on Agent { name username } ... on Peer { name username } } domain { id ref name domainUri } } `;
export const PendingChangesFieldsFragmentDoc = gql`fragment PendingChangesFields on PendingChanges { id state username count confirmWithin revertIf { numbersStopped gatewaysLost failedCallsPercent minCalls } figures { numbersStopped gatewaysLost newCalls failedCalls } watchedNumbers watchedGateways createdOn appliedOn dueOn finishedOn finishedBy reason revertedBy } `;
export const RegistrationEventFieldsFragmentDoc = gql`fragment RegistrationEventFields on RegistrationEvent { id at event addressOfRecord host port transport userAgent node devices status reason target { __typename ... on Resource { id ref kind } ... on Agent { name username } ... on Peer { name username } } gateway { id ref name host transport } } `;
export const TrunkFieldsFragmentDoc = gql`fragment TrunkFields on Trunk { state since registration { id gatewayRef username host ip port transport expires registeredOn expiresOn state lastResponse nextAttemptAt } gateway { id ref name host transport } } `;
export const RefusedCallerFieldsFragmentDoc = gql`fragment RefusedCallerFields on RefusedCaller { ip calls firstOn lastOn digits gateway { id ref name host transport } } `;
export const RefusedSourceFieldsFragmentDoc = gql`fragment RefusedSourceFields on RefusedSource { ip calls firstOn lastOn digits gateway { id ref name host transport } } `;
export const TrunkCountFieldsFragmentDoc = gql`fragment TrunkCountFields on TrunkCount { state count silent } `;
export const SamplesFieldsFragmentDoc = gql`fragment SamplesFields on Samples { resolution times numbersCountedOn series { series values } } `;
export const SystemFieldsFragmentDoc = gql`fragment SystemFields on SystemInfo { version apiVersion apiPath env { var value } homeCountry } `;
export const SipServerFieldsFragmentDoc = gql`fragment SipServerFields on SipServer { reachable version uptime } `;
export const TaskFieldsFragmentDoc = gql`fragment TaskFields on Task { ref type state done total written request problem move { request moved kinds { kind created updated unchanged failed } missing { what count first } checks { what count first } failures { place kind message } failed skipped { place kind message } skippedCount pending { id state username count confirmWithin revertIf { numbersStopped gatewaysLost failedCallsPercent minCalls } figures { numbersStopped gatewaysLost newCalls failedCalls } watchedNumbers watchedGateways createdOn appliedOn dueOn finishedOn finishedBy reason revertedBy } } createdOn finishedOn } `;
export const ViewFieldsFragmentDoc = gql`fragment ViewFields on View { ref list name content } `;
export const WebhookFieldsFragmentDoc = gql`fragment WebhookFields on Webhook { ref url events kinds refs after failedCalls { direction agentRef peerRef gatewayRef domainRef routeRef reason digits minStatus count minutes } note madeBy createdOn pausedOn pausedReason previousSecretUntil } `;
export const WebhookDeliveryFieldsFragmentDoc = gql`fragment WebhookDeliveryFields on WebhookDelivery { id payload createdOn attempts outcome deliveredOn nextAttemptOn } `;
export const AgentFieldsFragmentDoc = gql`fragment AgentFields on Agent { id ref name username secretSet domains { ref domainUri } privacy maxContacts callerNumberRef enabled maxCalls maxCallsPerSecond dailyMinutes labels note createdOn modifiedOn } `;
export const PeerFieldsFragmentDoc = gql`fragment PeerFields on Peer { id ref name username secretSet device contactAddr callerNumbers { ref } sources enabled labels note createdOn modifiedOn } `;
export const DomainFieldsFragmentDoc = gql`fragment DomainFields on Domain { id ref name domainUri maxCalls maxCallsPerSecond dailyMinutes enabled labels note egressPolicy { rule numberRef } accessControlList { allow deny } createdOn modifiedOn } `;
export const DidFieldsFragmentDoc = gql`fragment DIDFields on DID { id ref gatewayRef telUrl lastTelUrl aorLink enabled furtherTargets labels note geoInfo { city country countryISOCode } createdOn modifiedOn } `;
export const NumberFieldsFragmentDoc = gql`fragment NumberFields on Number { id ref gatewayRef telUrl lastTelUrl aorLink enabled furtherTargets labels note geoInfo { city country countryISOCode } createdOn modifiedOn } `;
export const RouteFieldsFragmentDoc = gql`fragment RouteFields on Route { id ref name domainRef prefix numbers { ref } shares { priority weight } emergency enabled labels note createdOn modifiedOn } `;
export const ExportFieldsFragmentDoc = gql`fragment ExportFields on Export { ref source format state rows total size problem createdOn finishedOn address expiresOn } `;
export const TokenFieldsFragmentDoc = gql`fragment TokenFields on Token { token expiresOn role } `;
export const CreatedApiTokenFieldsFragmentDoc = gql`fragment CreatedApiTokenFields on CreatedApiToken { token apiToken { ref name note role username createdOn expiresOn lastUsedOn lastUsedFrom documents { name sha256Hash } } } `;
export const RevertedChangeFieldsFragmentDoc = gql`fragment RevertedChangeFields on RevertedChange { entry event kind ref changes { field before after isSecret } } `;
export const ImportFieldsFragmentDoc = gql`fragment ImportFields on ImportResult { request imported pending { id state username count confirmWithin revertIf { numbersStopped gatewaysLost failedCallsPercent minCalls } figures { numbersStopped gatewaysLost newCalls failedCalls } watchedNumbers watchedGateways createdOn appliedOn dueOn finishedOn finishedBy reason revertedBy } warnings { state count line summary } created: count(outcome: CREATED) updated: count(outcome: UPDATED) unchanged: count(outcome: UNCHANGED) failed: count(outcome: FAILED) rows(outcomes: $outcomes) { line outcome kind ref errors { field value message } } } `;
export const MoveFieldsFragmentDoc = gql`fragment MoveFields on MoveResult { request moved kinds { kind created updated unchanged failed } missing { what count first } checks { what count first } failures { place kind message } failed skipped { place kind message } skippedCount pending { id state username count confirmWithin revertIf { numbersStopped gatewaysLost failedCallsPercent minCalls } figures { numbersStopped gatewaysLost newCalls failedCalls } watchedNumbers watchedGateways createdOn appliedOn dueOn finishedOn finishedBy reason revertedBy } } `;
export const GatewayTestFieldsFragmentDoc = gql`fragment GatewayTestFields on GatewayTest { address status reason roundTrip outcome destinations { address status reason roundTrip host port transport outcome } } `;
export const CreatedWebhookFieldsFragmentDoc = gql`fragment CreatedWebhookFields on CreatedWebhook { secret webhook { ref url events kinds refs after failedCalls { direction agentRef peerRef gatewayRef domainRef routeRef reason digits minStatus count minutes } note madeBy createdOn pausedOn pausedReason previousSecretUntil } } `;
export const WebhookPingFieldsFragmentDoc = gql`fragment WebhookPingFields on WebhookPing { delivered outcome status roundTrip body } `;
export const ManyFieldsFragmentDoc = gql`fragment ManyFields on ManyResult { request count changed sample { ref changes { field before after isSecret } } pending { id state username count confirmWithin revertIf { numbersStopped gatewaysLost failedCallsPercent minCalls } figures { numbersStopped gatewaysLost newCalls failedCalls } watchedNumbers watchedGateways createdOn appliedOn dueOn finishedOn finishedBy reason revertedBy } } `;
export const AppliedChangesFieldsFragmentDoc = gql`fragment AppliedChangesFields on AppliedChanges { request changes { outcome kind ref localRef changes { field before after isSecret } } pending { id state username count confirmWithin revertIf { numbersStopped gatewaysLost failedCallsPercent minCalls } figures { numbersStopped gatewaysLost newCalls failedCalls } watchedNumbers watchedGateways createdOn appliedOn dueOn finishedOn finishedBy reason revertedBy } } `;
export const SimulationFieldsFragmentDoc = gql`fragment SimulationFields on Simulation { changes { outcome kind ref localRef changes { field before after isSecret } } calls { counts { stops starts moves other } numbers { effect kind ref telUrl before { state summary gateway targets } after { state summary gateway targets } } waysOut { domainUri prefix emergency caller { kind ref user } before after } waysOutCount emergencyCount lostWays { kind ref name lost sources } lostWaysCount shadowed { kind ref rule by byRef isWhole } shadowedCount examined endCursor } } `;
export const ResourceChangeFieldsFragmentDoc = gql`fragment ResourceChangeFields on ResourceChange { cursor at event kind ref resourceId former { kind ref name } resource { __typename ... on Resource { id ref kind } ... on Gateway { name host transport } ... on Agent { name username } ... on Peer { name username } ... on Domain { name domainUri } ... on DID { gatewayRef telUrl aorLink } ... on Number { gatewayRef telUrl aorLink } ... on Route { name domainRef prefix } } } `;
export const GatewayFieldsFragmentDoc = gql`fragment GatewayFields on Gateway { id ref name host username secretSet transport port expires sendRegister registries sources outboundProxy fromDomain authUsername numberFormat technicalPrefix destinations { host port transport priority weight enabled draining } enabled draining maxCalls maxCallsPerSecond dailyMinutes labels note createdOn modifiedOn } `;
export const RegistrationFieldsFragmentDoc = gql`fragment RegistrationFields on Registration { id gatewayRef username host ip port transport expires registeredOn expiresOn state lastResponse nextAttemptAt } `;
export const RegistrationChangeFieldsFragmentDoc = gql`fragment RegistrationChangeFields on RegistrationChange { cursor at gatewayRef state former { kind ref name } gateway { ...GatewayFields registration { ...RegistrationFields } } } ${GatewayFieldsFragmentDoc} ${RegistrationFieldsFragmentDoc}`;
export const GatewayHealthChangeFieldsFragmentDoc = gql`fragment GatewayHealthChangeFields on GatewayHealthChange { cursor at gatewayRef state former { kind ref name } gateway { ...GatewayFields health { state since roundTrip lastStatus checkedOn } } } ${GatewayFieldsFragmentDoc}`;
export const DestinationHealthChangeFieldsFragmentDoc = gql`fragment DestinationHealthChangeFields on DestinationHealthChange { cursor at gatewayRef state destination { host port transport state since lastStatus } former { kind ref name } gateway { ...GatewayFields } } ${GatewayFieldsFragmentDoc}`;
export const ContactsChangeFieldsFragmentDoc = gql`fragment ContactsChangeFields on ContactsChange { cursor at event addressOfRecord contacts { id addressOfRecord uri transport nat expires expiresOn userAgent node target { __typename ... on Resource { id ref kind } ... on Agent { name username } ... on Peer { name username } } domain { id ref name domainUri } } } `;
export const CallAlertChangeFieldsFragmentDoc = gql`fragment CallAlertChangeFields on CallAlertChange { cursor at event alert { at ref limit used most number agentRef peerRef former { kind ref name } resource { __typename ... on Resource { id ref kind } ... on Gateway { name host transport } ... on Agent { name username } ... on Peer { name username } ... on Domain { name domainUri } ... on DID { gatewayRef telUrl aorLink } ... on Number { gatewayRef telUrl aorLink } ... on Route { name domainRef prefix } } gateway { id ref name host transport } } } `;
export const CallsChangeFieldsFragmentDoc = gql`fragment CallsChangeFields on CallsChange { event call { id callId fromTag state direction from to called digits gatewayRef domainRef routeRef begunOn ringingOn answeredOn endedOn endedBy status reason reasonHeader source node attempts { gatewayRef destination at duration status reason reasonHeader } callerRef calleeRef traceUrl number { __typename ... on Resource { id ref kind } ... on DID { gatewayRef telUrl aorLink } ... on Number { gatewayRef telUrl aorLink } } former { kind ref name } } } `;
export const ImportProgressFieldsFragmentDoc = gql`fragment ImportProgressFields on ImportProgress { phase done total } `;
export const SessionsDocument = gql`query sessions { viewer { sessions { ...SessionFields } } } ${SessionFieldsFragmentDoc}`;
export const WebhookAttemptsDocument = gql`query webhookAttempts($by: WebhookAttemptInterval) { webhooks { ref attempts(by: $by) { from succeeded failed } } } `;
export const ViewerDocument = gql`query viewer { viewer { ...ViewerFields } } ${ViewerFieldsFragmentDoc}`;
export const UsersDocument = gql`query users($first: Int, $after: String, $last: Int, $before: String) { users(first: $first, after: $after, last: $last, before: $before) { nodes { ...UserFields } pageInfo { ...PageFields } totalCount } } ${UserFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const UserSessionsDocument = gql`query userSessions($userRef: String!) { userSessions(userRef: $userRef) { ...SessionFields } } ${SessionFieldsFragmentDoc}`;
export const ApiTokensDocument = gql`query apiTokens($userRef: String) { apiTokens(userRef: $userRef) { ...ApiTokenFields } } ${ApiTokenFieldsFragmentDoc}`;
export const SearchDocument = gql`query search($first: Int, $text: String!) { search(first: $first, text: $text) { __typename ... on Resource { id ref kind } ... on Gateway { name host transport } ... on Agent { name username } ... on Peer { name username } ... on Domain { name domainUri } ... on DID { gatewayRef telUrl aorLink } ... on Number { gatewayRef telUrl aorLink } ... on Route { name domainRef prefix } } } `;
export const ChangeCursorDocument = gql`query changeCursor { changeCursor } `;
export const CallsDocument = gql`query calls($first: Int, $after: String, $last: Int, $before: String, $where: CallWhere, $orderBy: CallOrder) { calls( first: $first after: $after last: $last before: $before where: $where orderBy: $orderBy ) { nodes { ...CallFields } pageInfo { ...PageFields } } } ${CallFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const CallDocument = gql`query call($id: ID!) { call(id: $id) { ...CallFields } } ${CallFieldsFragmentDoc}`;
export const CallCountsDocument = gql`query callCounts($by: CallGroup!, $from: DateTimeISO, $to: DateTimeISO, $first: Int) { callCounts(by: $by, from: $from, to: $to, first: $first) { ...CallCountFields } } ${CallCountFieldsFragmentDoc}`;
export const HistoryDocument = gql`query history($first: Int, $after: String, $last: Int, $before: String, $where: HistoryWhere) { history( first: $first after: $after last: $last before: $before where: $where ) { nodes { ...HistoryEntryFields } pageInfo { ...PageFields } } } ${HistoryEntryFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const HistoryRequestsDocument = gql`query historyRequests($first: Int, $after: String, $where: HistoryWhere) { historyRequests(first: $first, after: $after, where: $where) { ...HistoryRequestPageFields } } ${HistoryRequestPageFieldsFragmentDoc}`;
export const ExplainNumberDocument = gql`query explainNumber($at: DateTimeISO, $telUrl: String!) { explainNumber(at: $at, telUrl: $telUrl) { ...NumberExplanationFields } } ${NumberExplanationFieldsFragmentDoc}`;
export const ExplainAddressDocument = gql`query explainAddress($addressOfRecord: String!) { explainAddress(addressOfRecord: $addressOfRecord) { ...AddressExplanationFields } } ${AddressExplanationFieldsFragmentDoc}`;
export const ExplainCallDocument = gql`query explainCall($from: String, $to: String, $sourceAddress: String, $at: DateTimeISO, $call: ID) { explainCall( from: $from to: $to sourceAddress: $sourceAddress at: $at call: $call ) { ...CallExplanationFields } } ${CallExplanationFieldsFragmentDoc}`;
export const NumberHealthCountsDocument = gql`query numberHealthCounts($gatewayRef: String, $agentRef: String, $peerRef: String, $domainRef: String, $addressOfRecord: String, $after: String) { numberHealthCounts( gatewayRef: $gatewayRef agentRef: $agentRef peerRef: $peerRef domainRef: $domainRef addressOfRecord: $addressOfRecord after: $after ) { ...NumberHealthCountsFields } } ${NumberHealthCountsFieldsFragmentDoc}`;
export const NumberFlowsDocument = gql`query numberFlows($gatewayRef: String, $agentRef: String, $peerRef: String, $domainRef: String, $addressOfRecord: String, $states: [NumberState!], $by: NumberFlowEnd, $first: Int, $after: String) { numberFlows( gatewayRef: $gatewayRef agentRef: $agentRef peerRef: $peerRef domainRef: $domainRef addressOfRecord: $addressOfRecord states: $states by: $by first: $first after: $after ) { ...NumberFlowsFields } } ${NumberFlowsFieldsFragmentDoc}`;
export const NumberHealthDocument = gql`query numberHealth($gatewayRef: String, $agentRef: String, $peerRef: String, $domainRef: String, $addressOfRecord: String, $states: [NumberState!], $first: Int, $after: String, $last: Int, $before: String) { numberHealth( gatewayRef: $gatewayRef agentRef: $agentRef peerRef: $peerRef domainRef: $domainRef addressOfRecord: $addressOfRecord states: $states first: $first after: $after last: $last before: $before ) { nodes { ...NumberHealthFields } pageInfo { ...PageFields } } } ${NumberHealthFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const ReplayCallsDocument = gql`query replayCalls($csv: String!) { replayCalls(csv: $csv) { ...ReplayFields } } ${ReplayFieldsFragmentDoc}`;
export const ContactsDocument = gql`query contacts($first: Int, $after: String, $last: Int, $before: String, $where: ContactWhere) { contacts( first: $first after: $after last: $last before: $before where: $where ) { nodes { ...ContactFields } pageInfo { ...PageFields } totalCount } } ${ContactFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const RegistrationsDocument = gql`query registrations($first: Int, $after: String, $last: Int, $before: String) { registrations(first: $first, after: $after, last: $last, before: $before) { nodes { ...RegistrationFields } pageInfo { ...PageFields } totalCount } } ${RegistrationFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const PendingChangesDocument = gql`query pendingChanges($first: Int, $after: String, $last: Int, $before: String, $states: [PendingState!]) { pendingChanges( first: $first after: $after last: $last before: $before states: $states ) { nodes { ...PendingChangesFields } pageInfo { ...PageFields } totalCount } } ${PendingChangesFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const RegistrationEventsDocument = gql`query registrationEvents($first: Int, $after: String, $last: Int, $before: String, $where: RegistrationEventWhere) { registrationEvents( first: $first after: $after last: $last before: $before where: $where ) { nodes { ...RegistrationEventFields } pageInfo { ...PageFields } } } ${RegistrationEventFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const TrunksDocument = gql`query trunks($first: Int, $after: String, $last: Int, $before: String, $states: [TrunkState!], $search: String) { trunks( first: $first after: $after last: $last before: $before states: $states search: $search ) { nodes { ...TrunkFields } pageInfo { ...PageFields } totalCount } } ${TrunkFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const RefusedCallersDocument = gql`query refusedCallers($gatewayRef: String) { refusedCallers(gatewayRef: $gatewayRef) { ...RefusedCallerFields } } ${RefusedCallerFieldsFragmentDoc}`;
export const RefusedSourcesDocument = gql`query refusedSources { refusedSources { ...RefusedSourceFields } } ${RefusedSourceFieldsFragmentDoc}`;
export const TrunkCountsDocument = gql`query trunkCounts { trunkCounts { ...TrunkCountFields } } ${TrunkCountFieldsFragmentDoc}`;
export const SamplesDocument = gql`query samples($from: DateTimeISO, $to: DateTimeISO, $series: [SampleSeries!]!, $resolution: SampleResolution) { samples(from: $from, to: $to, series: $series, resolution: $resolution) { ...SamplesFields } } ${SamplesFieldsFragmentDoc}`;
export const SystemInfoDocument = gql`query systemInfo { systemInfo { ...SystemFields } } ${SystemFieldsFragmentDoc}`;
export const SipServerDocument = gql`query sipServer { sipServer { ...SipServerFields } } ${SipServerFieldsFragmentDoc}`;
export const TaskDocument = gql`query task { task { ...TaskFields } } ${TaskFieldsFragmentDoc}`;
export const ViewsDocument = gql`query views { views { ...ViewFields } } ${ViewFieldsFragmentDoc}`;
export const WebhooksDocument = gql`query webhooks { webhooks { ...WebhookFields } } ${WebhookFieldsFragmentDoc}`;
export const WebhookDeliveriesDocument = gql`query webhookDeliveries($ref: String!) { webhookDeliveries(ref: $ref) { ...WebhookDeliveryFields } } ${WebhookDeliveryFieldsFragmentDoc}`;
export const NodeDocument = gql`query node($id: ID!) { node(id: $id) { __typename ... on Resource { id ref kind } ... on Gateway { name host transport } ... on Agent { name username } ... on Peer { name username } ... on Domain { name domainUri } ... on DID { gatewayRef telUrl aorLink } ... on Number { gatewayRef telUrl aorLink } ... on Route { name domainRef prefix } } } `;
export const NodesDocument = gql`query nodes($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on Resource { id ref kind } ... on Gateway { name host transport } ... on Agent { name username } ... on Peer { name username } ... on Domain { name domainUri } ... on DID { gatewayRef telUrl aorLink } ... on Number { gatewayRef telUrl aorLink } ... on Route { name domainRef prefix } } } `;
export const GatewayDocument = gql`query gateway($asOf: DateTimeISO, $ref: String!) { gateway(asOf: $asOf, ref: $ref) { ...GatewayFields } } ${GatewayFieldsFragmentDoc}`;
export const GatewaysDocument = gql`query gateways($first: Int, $after: String, $last: Int, $before: String, $filter: String, $where: GatewayWhere, $orderBy: [GatewayOrder!]) { gateways( first: $first after: $after last: $last before: $before filter: $filter where: $where orderBy: $orderBy ) { nodes { ...GatewayFields } pageInfo { ...PageFields } totalCount } } ${GatewayFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const AgentDocument = gql`query agent($ref: String!) { agent(ref: $ref) { ...AgentFields } } ${AgentFieldsFragmentDoc}`;
export const AgentsDocument = gql`query agents($first: Int, $after: String, $last: Int, $before: String, $filter: String, $where: AgentWhere, $orderBy: [AgentOrder!]) { agents( first: $first after: $after last: $last before: $before filter: $filter where: $where orderBy: $orderBy ) { nodes { ...AgentFields } pageInfo { ...PageFields } totalCount } } ${AgentFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const PeerDocument = gql`query peer($ref: String!) { peer(ref: $ref) { ...PeerFields } } ${PeerFieldsFragmentDoc}`;
export const PeersDocument = gql`query peers($first: Int, $after: String, $last: Int, $before: String, $filter: String, $where: PeerWhere, $orderBy: [PeerOrder!]) { peers( first: $first after: $after last: $last before: $before filter: $filter where: $where orderBy: $orderBy ) { nodes { ...PeerFields } pageInfo { ...PageFields } totalCount } } ${PeerFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const DomainDocument = gql`query domain($asOf: DateTimeISO, $ref: String!) { domain(asOf: $asOf, ref: $ref) { ...DomainFields } } ${DomainFieldsFragmentDoc}`;
export const DomainsDocument = gql`query domains($first: Int, $after: String, $last: Int, $before: String, $filter: String, $where: DomainWhere, $orderBy: [DomainOrder!]) { domains( first: $first after: $after last: $last before: $before filter: $filter where: $where orderBy: $orderBy ) { nodes { ...DomainFields } pageInfo { ...PageFields } totalCount } } ${DomainFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const DidDocument = gql`query did($asOf: DateTimeISO, $ref: String!) { did(asOf: $asOf, ref: $ref) { ...DIDFields } } ${DidFieldsFragmentDoc}`;
export const DidsDocument = gql`query dids($first: Int, $after: String, $last: Int, $before: String, $filter: String, $where: DIDWhere, $orderBy: [DIDOrder!]) { dids( first: $first after: $after last: $last before: $before filter: $filter where: $where orderBy: $orderBy ) { nodes { ...DIDFields } pageInfo { ...PageFields } totalCount } } ${DidFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const NumberDocument = gql`query number($asOf: DateTimeISO, $ref: String!) { number(asOf: $asOf, ref: $ref) { ...NumberFields } } ${NumberFieldsFragmentDoc}`;
export const NumbersDocument = gql`query numbers($first: Int, $after: String, $last: Int, $before: String, $filter: String, $where: NumberWhere, $orderBy: [NumberOrder!]) { numbers( first: $first after: $after last: $last before: $before filter: $filter where: $where orderBy: $orderBy ) { nodes { ...NumberFields } pageInfo { ...PageFields } totalCount } } ${NumberFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const RouteDocument = gql`query route($ref: String!) { route(ref: $ref) { ...RouteFields } } ${RouteFieldsFragmentDoc}`;
export const RoutesDocument = gql`query routes($first: Int, $after: String, $last: Int, $before: String, $filter: String, $where: RouteWhere, $orderBy: [RouteOrder!]) { routes( first: $first after: $after last: $last before: $before filter: $filter where: $where orderBy: $orderBy ) { nodes { ...RouteFields } pageInfo { ...PageFields } totalCount } } ${RouteFieldsFragmentDoc} ${PageFieldsFragmentDoc}`;
export const ExportsDocument = gql`query exports { exports { ...ExportFields } } ${ExportFieldsFragmentDoc}`;
export const CreateTokenDocument = gql`mutation createToken($secret: String!, $username: String!) { createToken(secret: $secret, username: $username) { ...TokenFields } } ${TokenFieldsFragmentDoc}`;
export const CreateUserDocument = gql`mutation createUser($dryRun: Boolean, $input: CreateUserInput!) { createUser(dryRun: $dryRun, input: $input) { ...UserFields } } ${UserFieldsFragmentDoc}`;
export const SetUserSecretDocument = gql`mutation setUserSecret($dryRun: Boolean, $secret: String!, $ref: String!) { setUserSecret(dryRun: $dryRun, secret: $secret, ref: $ref) { ...UserFields } } ${UserFieldsFragmentDoc}`;
export const SetUserRoleDocument = gql`mutation setUserRole($dryRun: Boolean, $role: Role!, $ref: String!) { setUserRole(dryRun: $dryRun, role: $role, ref: $ref) { ...UserFields } } ${UserFieldsFragmentDoc}`;
export const DeleteUserDocument = gql`mutation deleteUser($dryRun: Boolean, $ref: String!) { deleteUser(dryRun: $dryRun, ref: $ref) } `;
export const ChangeSecretDocument = gql`mutation changeSecret($dryRun: Boolean, $newSecret: String!, $oldSecret: String!) { changeSecret(dryRun: $dryRun, newSecret: $newSecret, oldSecret: $oldSecret) } `;
export const EndSessionDocument = gql`mutation endSession($dryRun: Boolean, $id: ID!) { endSession(dryRun: $dryRun, id: $id) } `;
export const EndAllSessionsDocument = gql`mutation endAllSessions($userRef: String, $dryRun: Boolean) { endAllSessions(userRef: $userRef, dryRun: $dryRun) } `;
export const CreateApiTokenDocument = gql`mutation createApiToken($name: String!, $role: Role!, $expiresOn: DateTimeISO, $note: String, $documents: [String!], $userRef: String, $dryRun: Boolean) { createApiToken( name: $name role: $role expiresOn: $expiresOn note: $note documents: $documents userRef: $userRef dryRun: $dryRun ) { ...CreatedApiTokenFields } } ${CreatedApiTokenFieldsFragmentDoc}`;
export const DeleteApiTokenDocument = gql`mutation deleteApiToken($dryRun: Boolean, $ref: String!) { deleteApiToken(dryRun: $dryRun, ref: $ref) } `;
export const RevertDocument = gql`mutation revert($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $secrets: [RevertSecretInput!], $dryRun: Boolean, $entry: ID!) { revert( confirmWithin: $confirmWithin revertIf: $revertIf at: $at secrets: $secrets dryRun: $dryRun entry: $entry ) { ...RevertedChangeFields } } ${RevertedChangeFieldsFragmentDoc}`;
export const RevertRequestDocument = gql`mutation revertRequest($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $secrets: [RevertSecretInput!], $dryRun: Boolean, $id: String!) { revertRequest( confirmWithin: $confirmWithin revertIf: $revertIf at: $at secrets: $secrets dryRun: $dryRun id: $id ) { ...RevertedChangeFields } } ${RevertedChangeFieldsFragmentDoc}`;
export const ImportNumbersDocument = gql`mutation importNumbers($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $dryRun: Boolean, $progressId: ID, $partOf: ID, $kind: NumberKind, $csv: String!, $outcomes: [ImportOutcome!]) { importNumbers( confirmWithin: $confirmWithin revertIf: $revertIf at: $at dryRun: $dryRun progressId: $progressId partOf: $partOf kind: $kind csv: $csv ) { ...ImportFields } } ${ImportFieldsFragmentDoc}`;
export const ImportCsvDocument = gql`mutation importCsv($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $dryRun: Boolean, $progressId: ID, $partOf: ID, $csv: String!, $kind: ResourceKind!, $outcomes: [ImportOutcome!]) { importCsv( confirmWithin: $confirmWithin revertIf: $revertIf at: $at dryRun: $dryRun progressId: $progressId partOf: $partOf csv: $csv kind: $kind ) { ...ImportFields } } ${ImportFieldsFragmentDoc}`;
export const ImportDocumentsDocument = gql`mutation importDocuments($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $dryRun: Boolean, $progressId: ID, $text: String!, $outcomes: [ImportOutcome!]) { importDocuments( confirmWithin: $confirmWithin revertIf: $revertIf at: $at dryRun: $dryRun progressId: $progressId text: $text ) { ...ImportFields } } ${ImportFieldsFragmentDoc}`;
export const ImportFromDocument = gql`mutation importFrom($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $system: MovingSystem!, $gateway: String, $newSecrets: Boolean, $skipInvalid: Boolean, $dryRun: Boolean, $source: String!) { importFrom( confirmWithin: $confirmWithin revertIf: $revertIf at: $at system: $system gateway: $gateway newSecrets: $newSecrets skipInvalid: $skipInvalid dryRun: $dryRun source: $source ) { ...MoveFields } } ${MoveFieldsFragmentDoc}`;
export const EvictContactDocument = gql`mutation evictContact($dryRun: Boolean, $addressOfRecord: String!) { evictContact(dryRun: $dryRun, addressOfRecord: $addressOfRecord) } `;
export const TestGatewayDocument = gql`mutation testGateway($dryRun: Boolean, $ref: String!) { testGateway(dryRun: $dryRun, ref: $ref) { ...GatewayTestFields } } ${GatewayTestFieldsFragmentDoc}`;
export const ConfirmChangesDocument = gql`mutation confirmChanges($dryRun: Boolean, $id: String!) { confirmChanges(dryRun: $dryRun, id: $id) { ...PendingChangesFields } } ${PendingChangesFieldsFragmentDoc}`;
export const CancelChangesDocument = gql`mutation cancelChanges($dryRun: Boolean, $id: String!) { cancelChanges(dryRun: $dryRun, id: $id) { ...PendingChangesFields } } ${PendingChangesFieldsFragmentDoc}`;
export const UploadDumpDocument = gql`mutation uploadDump($dryRun: Boolean, $part: String!, $number: Int!, $task: ID) { uploadDump(dryRun: $dryRun, part: $part, number: $number, task: $task) { ...TaskFields } } ${TaskFieldsFragmentDoc}`;
export const StartMoveDocument = gql`mutation startMove($system: MovingSystem!, $gateway: String, $newSecrets: Boolean, $skipInvalid: Boolean, $dryRun: Boolean, $task: ID!) { startMove( system: $system gateway: $gateway newSecrets: $newSecrets skipInvalid: $skipInvalid dryRun: $dryRun task: $task ) { ...TaskFields } } ${TaskFieldsFragmentDoc}`;
export const StartRevertDocument = gql`mutation startRevert($dryRun: Boolean, $request: String!) { startRevert(dryRun: $dryRun, request: $request) { ...TaskFields } } ${TaskFieldsFragmentDoc}`;
export const CancelTaskDocument = gql`mutation cancelTask($dryRun: Boolean, $ref: String!) { cancelTask(dryRun: $dryRun, ref: $ref) { ...TaskFields } } ${TaskFieldsFragmentDoc}`;
export const SaveViewDocument = gql`mutation saveView($dryRun: Boolean, $list: String!, $name: String!, $content: String!) { saveView(dryRun: $dryRun, list: $list, name: $name, content: $content) { ...ViewFields } } ${ViewFieldsFragmentDoc}`;
export const DeleteViewDocument = gql`mutation deleteView($dryRun: Boolean, $ref: String!) { deleteView(dryRun: $dryRun, ref: $ref) } `;
export const CreateWebhookDocument = gql`mutation createWebhook($kinds: [ResourceKind!], $refs: [String!], $after: Int, $failedCalls: FailedCallRuleInput, $note: String, $dryRun: Boolean, $url: String!, $events: [WebhookEvent!]!) { createWebhook( kinds: $kinds refs: $refs after: $after failedCalls: $failedCalls note: $note dryRun: $dryRun url: $url events: $events ) { ...CreatedWebhookFields } } ${CreatedWebhookFieldsFragmentDoc}`;
export const UpdateWebhookDocument = gql`mutation updateWebhook($kinds: [ResourceKind!], $refs: [String!], $after: Int, $failedCalls: FailedCallRuleInput, $note: String, $dryRun: Boolean, $ref: String!, $url: String, $events: [WebhookEvent!], $paused: Boolean) { updateWebhook( kinds: $kinds refs: $refs after: $after failedCalls: $failedCalls note: $note dryRun: $dryRun ref: $ref url: $url events: $events paused: $paused ) { ...WebhookFields } } ${WebhookFieldsFragmentDoc}`;
export const RotateWebhookSecretDocument = gql`mutation rotateWebhookSecret($dryRun: Boolean, $overlap: Int, $ref: String!) { rotateWebhookSecret(dryRun: $dryRun, overlap: $overlap, ref: $ref) { ...CreatedWebhookFields } } ${CreatedWebhookFieldsFragmentDoc}`;
export const DeleteWebhookDocument = gql`mutation deleteWebhook($dryRun: Boolean, $ref: String!) { deleteWebhook(dryRun: $dryRun, ref: $ref) } `;
export const ResumeWebhookDocument = gql`mutation resumeWebhook($dryRun: Boolean, $skipMissed: Boolean, $ref: String!) { resumeWebhook(dryRun: $dryRun, skipMissed: $skipMissed, ref: $ref) { ...WebhookFields } } ${WebhookFieldsFragmentDoc}`;
export const PingWebhookDocument = gql`mutation pingWebhook($dryRun: Boolean, $ref: String!) { pingWebhook(dryRun: $dryRun, ref: $ref) { ...WebhookPingFields } } ${WebhookPingFieldsFragmentDoc}`;
export const RedeliverDocument = gql`mutation redeliver($dryRun: Boolean, $id: ID!) { redeliver(dryRun: $dryRun, id: $id) } `;
export const CreateGatewayDocument = gql`mutation createGateway($dryRun: Boolean, $input: CreateGatewayInput!) { createGateway(dryRun: $dryRun, input: $input) { ...GatewayFields } } ${GatewayFieldsFragmentDoc}`;
export const UpdateGatewayDocument = gql`mutation updateGateway($ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $input: UpdateGatewayInput!, $ref: String!) { updateGateway( ifUnchangedSince: $ifUnchangedSince dryRun: $dryRun input: $input ref: $ref ) { ...GatewayFields } } ${GatewayFieldsFragmentDoc}`;
export const DeleteGatewayDocument = gql`mutation deleteGateway($ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $ref: String!) { deleteGateway(ifUnchangedSince: $ifUnchangedSince, dryRun: $dryRun, ref: $ref) } `;
export const UpdateManyGatewaysDocument = gql`mutation updateManyGateways($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $set: UpdateGatewayInput!, $refs: [String!], $where: GatewayWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean) { updateManyGateways( confirmWithin: $confirmWithin revertIf: $revertIf at: $at set: $set refs: $refs where: $where filter: $filter expectedCount: $expectedCount dryRun: $dryRun ) { ...ManyFields } } ${ManyFieldsFragmentDoc}`;
export const DeleteManyGatewaysDocument = gql`mutation deleteManyGateways($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $refs: [String!], $where: GatewayWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean) { deleteManyGateways( confirmWithin: $confirmWithin revertIf: $revertIf at: $at refs: $refs where: $where filter: $filter expectedCount: $expectedCount dryRun: $dryRun ) { ...ManyFields } } ${ManyFieldsFragmentDoc}`;
export const CreateAgentDocument = gql`mutation createAgent($dryRun: Boolean, $input: CreateAgentInput!) { createAgent(dryRun: $dryRun, input: $input) { ...AgentFields } } ${AgentFieldsFragmentDoc}`;
export const UpdateAgentDocument = gql`mutation updateAgent($ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $input: UpdateAgentInput!, $ref: String!) { updateAgent( ifUnchangedSince: $ifUnchangedSince dryRun: $dryRun input: $input ref: $ref ) { ...AgentFields } } ${AgentFieldsFragmentDoc}`;
export const DeleteAgentDocument = gql`mutation deleteAgent($ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $ref: String!) { deleteAgent(ifUnchangedSince: $ifUnchangedSince, dryRun: $dryRun, ref: $ref) } `;
export const UpdateManyAgentsDocument = gql`mutation updateManyAgents($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $set: UpdateAgentInput!, $refs: [String!], $where: AgentWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean) { updateManyAgents( confirmWithin: $confirmWithin revertIf: $revertIf at: $at set: $set refs: $refs where: $where filter: $filter expectedCount: $expectedCount dryRun: $dryRun ) { ...ManyFields } } ${ManyFieldsFragmentDoc}`;
export const DeleteManyAgentsDocument = gql`mutation deleteManyAgents($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $refs: [String!], $where: AgentWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean) { deleteManyAgents( confirmWithin: $confirmWithin revertIf: $revertIf at: $at refs: $refs where: $where filter: $filter expectedCount: $expectedCount dryRun: $dryRun ) { ...ManyFields } } ${ManyFieldsFragmentDoc}`;
export const CreatePeerDocument = gql`mutation createPeer($dryRun: Boolean, $input: CreatePeerInput!) { createPeer(dryRun: $dryRun, input: $input) { ...PeerFields } } ${PeerFieldsFragmentDoc}`;
export const UpdatePeerDocument = gql`mutation updatePeer($ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $input: UpdatePeerInput!, $ref: String!) { updatePeer( ifUnchangedSince: $ifUnchangedSince dryRun: $dryRun input: $input ref: $ref ) { ...PeerFields } } ${PeerFieldsFragmentDoc}`;
export const DeletePeerDocument = gql`mutation deletePeer($ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $ref: String!) { deletePeer(ifUnchangedSince: $ifUnchangedSince, dryRun: $dryRun, ref: $ref) } `;
export const UpdateManyPeersDocument = gql`mutation updateManyPeers($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $set: UpdatePeerInput!, $refs: [String!], $where: PeerWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean) { updateManyPeers( confirmWithin: $confirmWithin revertIf: $revertIf at: $at set: $set refs: $refs where: $where filter: $filter expectedCount: $expectedCount dryRun: $dryRun ) { ...ManyFields } } ${ManyFieldsFragmentDoc}`;
export const DeleteManyPeersDocument = gql`mutation deleteManyPeers($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $refs: [String!], $where: PeerWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean) { deleteManyPeers( confirmWithin: $confirmWithin revertIf: $revertIf at: $at refs: $refs where: $where filter: $filter expectedCount: $expectedCount dryRun: $dryRun ) { ...ManyFields } } ${ManyFieldsFragmentDoc}`;
export const CreateDomainDocument = gql`mutation createDomain($dryRun: Boolean, $input: CreateDomainInput!) { createDomain(dryRun: $dryRun, input: $input) { ...DomainFields } } ${DomainFieldsFragmentDoc}`;
export const UpdateDomainDocument = gql`mutation updateDomain($ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $input: UpdateDomainInput!, $ref: String!) { updateDomain( ifUnchangedSince: $ifUnchangedSince dryRun: $dryRun input: $input ref: $ref ) { ...DomainFields } } ${DomainFieldsFragmentDoc}`;
export const DeleteDomainDocument = gql`mutation deleteDomain($ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $ref: String!) { deleteDomain(ifUnchangedSince: $ifUnchangedSince, dryRun: $dryRun, ref: $ref) } `;
export const UpdateManyDomainsDocument = gql`mutation updateManyDomains($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $set: UpdateDomainInput!, $refs: [String!], $where: DomainWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean) { updateManyDomains( confirmWithin: $confirmWithin revertIf: $revertIf at: $at set: $set refs: $refs where: $where filter: $filter expectedCount: $expectedCount dryRun: $dryRun ) { ...ManyFields } } ${ManyFieldsFragmentDoc}`;
export const DeleteManyDomainsDocument = gql`mutation deleteManyDomains($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $refs: [String!], $where: DomainWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean) { deleteManyDomains( confirmWithin: $confirmWithin revertIf: $revertIf at: $at refs: $refs where: $where filter: $filter expectedCount: $expectedCount dryRun: $dryRun ) { ...ManyFields } } ${ManyFieldsFragmentDoc}`;
export const CreateDidDocument = gql`mutation createDID($dryRun: Boolean, $input: CreateDIDInput!) { createDID(dryRun: $dryRun, input: $input) { ...DIDFields } } ${DidFieldsFragmentDoc}`;
export const UpdateDidDocument = gql`mutation updateDID($ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $input: UpdateDIDInput!, $ref: String!) { updateDID( ifUnchangedSince: $ifUnchangedSince dryRun: $dryRun input: $input ref: $ref ) { ...DIDFields } } ${DidFieldsFragmentDoc}`;
export const DeleteDidDocument = gql`mutation deleteDID($ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $ref: String!) { deleteDID(ifUnchangedSince: $ifUnchangedSince, dryRun: $dryRun, ref: $ref) } `;
export const UpdateManyDiDsDocument = gql`mutation updateManyDIDs($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $set: UpdateDIDInput!, $refs: [String!], $where: DIDWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean) { updateManyDIDs( confirmWithin: $confirmWithin revertIf: $revertIf at: $at set: $set refs: $refs where: $where filter: $filter expectedCount: $expectedCount dryRun: $dryRun ) { ...ManyFields } } ${ManyFieldsFragmentDoc}`;
export const DeleteManyDiDsDocument = gql`mutation deleteManyDIDs($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $refs: [String!], $where: DIDWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean) { deleteManyDIDs( confirmWithin: $confirmWithin revertIf: $revertIf at: $at refs: $refs where: $where filter: $filter expectedCount: $expectedCount dryRun: $dryRun ) { ...ManyFields } } ${ManyFieldsFragmentDoc}`;
export const CreateNumberDocument = gql`mutation createNumber($dryRun: Boolean, $input: CreateNumberInput!) { createNumber(dryRun: $dryRun, input: $input) { ...NumberFields } } ${NumberFieldsFragmentDoc}`;
export const UpdateNumberDocument = gql`mutation updateNumber($ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $input: UpdateNumberInput!, $ref: String!) { updateNumber( ifUnchangedSince: $ifUnchangedSince dryRun: $dryRun input: $input ref: $ref ) { ...NumberFields } } ${NumberFieldsFragmentDoc}`;
export const DeleteNumberDocument = gql`mutation deleteNumber($ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $ref: String!) { deleteNumber(ifUnchangedSince: $ifUnchangedSince, dryRun: $dryRun, ref: $ref) } `;
export const UpdateManyNumbersDocument = gql`mutation updateManyNumbers($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $set: UpdateNumberInput!, $refs: [String!], $where: NumberWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean) { updateManyNumbers( confirmWithin: $confirmWithin revertIf: $revertIf at: $at set: $set refs: $refs where: $where filter: $filter expectedCount: $expectedCount dryRun: $dryRun ) { ...ManyFields } } ${ManyFieldsFragmentDoc}`;
export const DeleteManyNumbersDocument = gql`mutation deleteManyNumbers($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $refs: [String!], $where: NumberWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean) { deleteManyNumbers( confirmWithin: $confirmWithin revertIf: $revertIf at: $at refs: $refs where: $where filter: $filter expectedCount: $expectedCount dryRun: $dryRun ) { ...ManyFields } } ${ManyFieldsFragmentDoc}`;
export const CreateRouteDocument = gql`mutation createRoute($dryRun: Boolean, $input: CreateRouteInput!) { createRoute(dryRun: $dryRun, input: $input) { ...RouteFields } } ${RouteFieldsFragmentDoc}`;
export const UpdateRouteDocument = gql`mutation updateRoute($ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $input: UpdateRouteInput!, $ref: String!) { updateRoute( ifUnchangedSince: $ifUnchangedSince dryRun: $dryRun input: $input ref: $ref ) { ...RouteFields } } ${RouteFieldsFragmentDoc}`;
export const DeleteRouteDocument = gql`mutation deleteRoute($ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $ref: String!) { deleteRoute(ifUnchangedSince: $ifUnchangedSince, dryRun: $dryRun, ref: $ref) } `;
export const UpdateManyRoutesDocument = gql`mutation updateManyRoutes($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $set: UpdateRouteInput!, $refs: [String!], $where: RouteWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean) { updateManyRoutes( confirmWithin: $confirmWithin revertIf: $revertIf at: $at set: $set refs: $refs where: $where filter: $filter expectedCount: $expectedCount dryRun: $dryRun ) { ...ManyFields } } ${ManyFieldsFragmentDoc}`;
export const DeleteManyRoutesDocument = gql`mutation deleteManyRoutes($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $refs: [String!], $where: RouteWhere, $filter: String, $expectedCount: Int, $dryRun: Boolean) { deleteManyRoutes( confirmWithin: $confirmWithin revertIf: $revertIf at: $at refs: $refs where: $where filter: $filter expectedCount: $expectedCount dryRun: $dryRun ) { ...ManyFields } } ${ManyFieldsFragmentDoc}`;
export const ApplyChangesDocument = gql`mutation applyChanges($confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $ifUnchangedSince: DateTimeISO, $dryRun: Boolean, $changes: [ChangeInput!]!) { applyChanges( confirmWithin: $confirmWithin revertIf: $revertIf at: $at ifUnchangedSince: $ifUnchangedSince dryRun: $dryRun changes: $changes ) { ...AppliedChangesFields } } ${AppliedChangesFieldsFragmentDoc}`;
export const SimulateDocument = gql`mutation simulate($after: String, $revert: SimulatedRevertInput, $changes: [ChangeInput!]) { simulate(after: $after, revert: $revert, changes: $changes) { ...SimulationFields } } ${SimulationFieldsFragmentDoc}`;
export const StartExportDocument = gql`mutation startExport($dryRun: Boolean, $format: ExportFormat, $filter: String, $of: ExportOf!) { startExport(dryRun: $dryRun, format: $format, filter: $filter, of: $of) { ...ExportFields } } ${ExportFieldsFragmentDoc}`;
export const CancelExportDocument = gql`mutation cancelExport($dryRun: Boolean, $ref: String!) { cancelExport(dryRun: $dryRun, ref: $ref) } `;
export const ResourceChangedDocument = gql`subscription resourceChanged($kinds: [ResourceKind!], $refs: [String!], $since: String) { resourceChanged(kinds: $kinds, refs: $refs, since: $since) { ...ResourceChangeFields } } ${ResourceChangeFieldsFragmentDoc}`;
export const RegistrationsChangedDocument = gql`subscription registrationsChanged($since: String) { registrationsChanged(since: $since) { ...RegistrationChangeFields } } ${RegistrationChangeFieldsFragmentDoc}`;
export const GatewayHealthChangedDocument = gql`subscription gatewayHealthChanged($since: String) { gatewayHealthChanged(since: $since) { ...GatewayHealthChangeFields } } ${GatewayHealthChangeFieldsFragmentDoc}`;
export const DestinationHealthChangedDocument = gql`subscription destinationHealthChanged($since: String) { destinationHealthChanged(since: $since) { ...DestinationHealthChangeFields } } ${DestinationHealthChangeFieldsFragmentDoc}`;
export const ContactsChangedDocument = gql`subscription contactsChanged($since: String, $aor: String) { contactsChanged(since: $since, aor: $aor) { ...ContactsChangeFields } } ${ContactsChangeFieldsFragmentDoc}`;
export const CallAlertDocument = gql`subscription callAlert($since: String) { callAlert(since: $since) { ...CallAlertChangeFields } } ${CallAlertChangeFieldsFragmentDoc}`;
export const CallsChangedDocument = gql`subscription callsChanged($where: CallWhere) { callsChanged(where: $where) { ...CallsChangeFields } } ${CallsChangeFieldsFragmentDoc}`;
export const ImportProgressDocument = gql`subscription importProgress($progressId: ID!) { importProgress(progressId: $progressId) { ...ImportProgressFields } } ${ImportProgressFieldsFragmentDoc}`;
export type Requester<C = {}> = <R, V>(doc: DocumentNode, vars?: V, options?: C) => Promise<R> | AsyncIterable<R>
export function getSdk<C>(requester: Requester<C>) {
  return {
    sessions(variables?: SessionsQueryVariables, options?: C): Promise<SessionsQuery> {
      return requester<SessionsQuery, SessionsQueryVariables>(SessionsDocument, variables, options) as Promise<SessionsQuery>;
    },
    webhookAttempts(variables?: WebhookAttemptsQueryVariables, options?: C): Promise<WebhookAttemptsQuery> {
      return requester<WebhookAttemptsQuery, WebhookAttemptsQueryVariables>(WebhookAttemptsDocument, variables, options) as Promise<WebhookAttemptsQuery>;
    },
    viewer(variables?: ViewerQueryVariables, options?: C): Promise<ViewerQuery> {
      return requester<ViewerQuery, ViewerQueryVariables>(ViewerDocument, variables, options) as Promise<ViewerQuery>;
    },
    users(variables?: UsersQueryVariables, options?: C): Promise<UsersQuery> {
      return requester<UsersQuery, UsersQueryVariables>(UsersDocument, variables, options) as Promise<UsersQuery>;
    },
    userSessions(variables: UserSessionsQueryVariables, options?: C): Promise<UserSessionsQuery> {
      return requester<UserSessionsQuery, UserSessionsQueryVariables>(UserSessionsDocument, variables, options) as Promise<UserSessionsQuery>;
    },
    apiTokens(variables?: ApiTokensQueryVariables, options?: C): Promise<ApiTokensQuery> {
      return requester<ApiTokensQuery, ApiTokensQueryVariables>(ApiTokensDocument, variables, options) as Promise<ApiTokensQuery>;
    },
    search(variables: SearchQueryVariables, options?: C): Promise<SearchQuery> {
      return requester<SearchQuery, SearchQueryVariables>(SearchDocument, variables, options) as Promise<SearchQuery>;
    },
    changeCursor(variables?: ChangeCursorQueryVariables, options?: C): Promise<ChangeCursorQuery> {
      return requester<ChangeCursorQuery, ChangeCursorQueryVariables>(ChangeCursorDocument, variables, options) as Promise<ChangeCursorQuery>;
    },
    calls(variables?: CallsQueryVariables, options?: C): Promise<CallsQuery> {
      return requester<CallsQuery, CallsQueryVariables>(CallsDocument, variables, options) as Promise<CallsQuery>;
    },
    call(variables: CallQueryVariables, options?: C): Promise<CallQuery> {
      return requester<CallQuery, CallQueryVariables>(CallDocument, variables, options) as Promise<CallQuery>;
    },
    callCounts(variables: CallCountsQueryVariables, options?: C): Promise<CallCountsQuery> {
      return requester<CallCountsQuery, CallCountsQueryVariables>(CallCountsDocument, variables, options) as Promise<CallCountsQuery>;
    },
    history(variables?: HistoryQueryVariables, options?: C): Promise<HistoryQuery> {
      return requester<HistoryQuery, HistoryQueryVariables>(HistoryDocument, variables, options) as Promise<HistoryQuery>;
    },
    historyRequests(variables?: HistoryRequestsQueryVariables, options?: C): Promise<HistoryRequestsQuery> {
      return requester<HistoryRequestsQuery, HistoryRequestsQueryVariables>(HistoryRequestsDocument, variables, options) as Promise<HistoryRequestsQuery>;
    },
    explainNumber(variables: ExplainNumberQueryVariables, options?: C): Promise<ExplainNumberQuery> {
      return requester<ExplainNumberQuery, ExplainNumberQueryVariables>(ExplainNumberDocument, variables, options) as Promise<ExplainNumberQuery>;
    },
    explainAddress(variables: ExplainAddressQueryVariables, options?: C): Promise<ExplainAddressQuery> {
      return requester<ExplainAddressQuery, ExplainAddressQueryVariables>(ExplainAddressDocument, variables, options) as Promise<ExplainAddressQuery>;
    },
    explainCall(variables?: ExplainCallQueryVariables, options?: C): Promise<ExplainCallQuery> {
      return requester<ExplainCallQuery, ExplainCallQueryVariables>(ExplainCallDocument, variables, options) as Promise<ExplainCallQuery>;
    },
    numberHealthCounts(variables?: NumberHealthCountsQueryVariables, options?: C): Promise<NumberHealthCountsQuery> {
      return requester<NumberHealthCountsQuery, NumberHealthCountsQueryVariables>(NumberHealthCountsDocument, variables, options) as Promise<NumberHealthCountsQuery>;
    },
    numberFlows(variables?: NumberFlowsQueryVariables, options?: C): Promise<NumberFlowsQuery> {
      return requester<NumberFlowsQuery, NumberFlowsQueryVariables>(NumberFlowsDocument, variables, options) as Promise<NumberFlowsQuery>;
    },
    numberHealth(variables?: NumberHealthQueryVariables, options?: C): Promise<NumberHealthQuery> {
      return requester<NumberHealthQuery, NumberHealthQueryVariables>(NumberHealthDocument, variables, options) as Promise<NumberHealthQuery>;
    },
    replayCalls(variables: ReplayCallsQueryVariables, options?: C): Promise<ReplayCallsQuery> {
      return requester<ReplayCallsQuery, ReplayCallsQueryVariables>(ReplayCallsDocument, variables, options) as Promise<ReplayCallsQuery>;
    },
    contacts(variables?: ContactsQueryVariables, options?: C): Promise<ContactsQuery> {
      return requester<ContactsQuery, ContactsQueryVariables>(ContactsDocument, variables, options) as Promise<ContactsQuery>;
    },
    registrations(variables?: RegistrationsQueryVariables, options?: C): Promise<RegistrationsQuery> {
      return requester<RegistrationsQuery, RegistrationsQueryVariables>(RegistrationsDocument, variables, options) as Promise<RegistrationsQuery>;
    },
    pendingChanges(variables?: PendingChangesQueryVariables, options?: C): Promise<PendingChangesQuery> {
      return requester<PendingChangesQuery, PendingChangesQueryVariables>(PendingChangesDocument, variables, options) as Promise<PendingChangesQuery>;
    },
    registrationEvents(variables?: RegistrationEventsQueryVariables, options?: C): Promise<RegistrationEventsQuery> {
      return requester<RegistrationEventsQuery, RegistrationEventsQueryVariables>(RegistrationEventsDocument, variables, options) as Promise<RegistrationEventsQuery>;
    },
    trunks(variables?: TrunksQueryVariables, options?: C): Promise<TrunksQuery> {
      return requester<TrunksQuery, TrunksQueryVariables>(TrunksDocument, variables, options) as Promise<TrunksQuery>;
    },
    refusedCallers(variables?: RefusedCallersQueryVariables, options?: C): Promise<RefusedCallersQuery> {
      return requester<RefusedCallersQuery, RefusedCallersQueryVariables>(RefusedCallersDocument, variables, options) as Promise<RefusedCallersQuery>;
    },
    refusedSources(variables?: RefusedSourcesQueryVariables, options?: C): Promise<RefusedSourcesQuery> {
      return requester<RefusedSourcesQuery, RefusedSourcesQueryVariables>(RefusedSourcesDocument, variables, options) as Promise<RefusedSourcesQuery>;
    },
    trunkCounts(variables?: TrunkCountsQueryVariables, options?: C): Promise<TrunkCountsQuery> {
      return requester<TrunkCountsQuery, TrunkCountsQueryVariables>(TrunkCountsDocument, variables, options) as Promise<TrunkCountsQuery>;
    },
    samples(variables: SamplesQueryVariables, options?: C): Promise<SamplesQuery> {
      return requester<SamplesQuery, SamplesQueryVariables>(SamplesDocument, variables, options) as Promise<SamplesQuery>;
    },
    systemInfo(variables?: SystemInfoQueryVariables, options?: C): Promise<SystemInfoQuery> {
      return requester<SystemInfoQuery, SystemInfoQueryVariables>(SystemInfoDocument, variables, options) as Promise<SystemInfoQuery>;
    },
    sipServer(variables?: SipServerQueryVariables, options?: C): Promise<SipServerQuery> {
      return requester<SipServerQuery, SipServerQueryVariables>(SipServerDocument, variables, options) as Promise<SipServerQuery>;
    },
    task(variables?: TaskQueryVariables, options?: C): Promise<TaskQuery> {
      return requester<TaskQuery, TaskQueryVariables>(TaskDocument, variables, options) as Promise<TaskQuery>;
    },
    views(variables?: ViewsQueryVariables, options?: C): Promise<ViewsQuery> {
      return requester<ViewsQuery, ViewsQueryVariables>(ViewsDocument, variables, options) as Promise<ViewsQuery>;
    },
    webhooks(variables?: WebhooksQueryVariables, options?: C): Promise<WebhooksQuery> {
      return requester<WebhooksQuery, WebhooksQueryVariables>(WebhooksDocument, variables, options) as Promise<WebhooksQuery>;
    },
    webhookDeliveries(variables: WebhookDeliveriesQueryVariables, options?: C): Promise<WebhookDeliveriesQuery> {
      return requester<WebhookDeliveriesQuery, WebhookDeliveriesQueryVariables>(WebhookDeliveriesDocument, variables, options) as Promise<WebhookDeliveriesQuery>;
    },
    node(variables: NodeQueryVariables, options?: C): Promise<NodeQuery> {
      return requester<NodeQuery, NodeQueryVariables>(NodeDocument, variables, options) as Promise<NodeQuery>;
    },
    nodes(variables: NodesQueryVariables, options?: C): Promise<NodesQuery> {
      return requester<NodesQuery, NodesQueryVariables>(NodesDocument, variables, options) as Promise<NodesQuery>;
    },
    gateway(variables: GatewayQueryVariables, options?: C): Promise<GatewayQuery> {
      return requester<GatewayQuery, GatewayQueryVariables>(GatewayDocument, variables, options) as Promise<GatewayQuery>;
    },
    gateways(variables?: GatewaysQueryVariables, options?: C): Promise<GatewaysQuery> {
      return requester<GatewaysQuery, GatewaysQueryVariables>(GatewaysDocument, variables, options) as Promise<GatewaysQuery>;
    },
    agent(variables: AgentQueryVariables, options?: C): Promise<AgentQuery> {
      return requester<AgentQuery, AgentQueryVariables>(AgentDocument, variables, options) as Promise<AgentQuery>;
    },
    agents(variables?: AgentsQueryVariables, options?: C): Promise<AgentsQuery> {
      return requester<AgentsQuery, AgentsQueryVariables>(AgentsDocument, variables, options) as Promise<AgentsQuery>;
    },
    peer(variables: PeerQueryVariables, options?: C): Promise<PeerQuery> {
      return requester<PeerQuery, PeerQueryVariables>(PeerDocument, variables, options) as Promise<PeerQuery>;
    },
    peers(variables?: PeersQueryVariables, options?: C): Promise<PeersQuery> {
      return requester<PeersQuery, PeersQueryVariables>(PeersDocument, variables, options) as Promise<PeersQuery>;
    },
    domain(variables: DomainQueryVariables, options?: C): Promise<DomainQuery> {
      return requester<DomainQuery, DomainQueryVariables>(DomainDocument, variables, options) as Promise<DomainQuery>;
    },
    domains(variables?: DomainsQueryVariables, options?: C): Promise<DomainsQuery> {
      return requester<DomainsQuery, DomainsQueryVariables>(DomainsDocument, variables, options) as Promise<DomainsQuery>;
    },
    did(variables: DidQueryVariables, options?: C): Promise<DidQuery> {
      return requester<DidQuery, DidQueryVariables>(DidDocument, variables, options) as Promise<DidQuery>;
    },
    dids(variables?: DidsQueryVariables, options?: C): Promise<DidsQuery> {
      return requester<DidsQuery, DidsQueryVariables>(DidsDocument, variables, options) as Promise<DidsQuery>;
    },
    number(variables: NumberQueryVariables, options?: C): Promise<NumberQuery> {
      return requester<NumberQuery, NumberQueryVariables>(NumberDocument, variables, options) as Promise<NumberQuery>;
    },
    numbers(variables?: NumbersQueryVariables, options?: C): Promise<NumbersQuery> {
      return requester<NumbersQuery, NumbersQueryVariables>(NumbersDocument, variables, options) as Promise<NumbersQuery>;
    },
    route(variables: RouteQueryVariables, options?: C): Promise<RouteQuery> {
      return requester<RouteQuery, RouteQueryVariables>(RouteDocument, variables, options) as Promise<RouteQuery>;
    },
    routes(variables?: RoutesQueryVariables, options?: C): Promise<RoutesQuery> {
      return requester<RoutesQuery, RoutesQueryVariables>(RoutesDocument, variables, options) as Promise<RoutesQuery>;
    },
    exports(variables?: ExportsQueryVariables, options?: C): Promise<ExportsQuery> {
      return requester<ExportsQuery, ExportsQueryVariables>(ExportsDocument, variables, options) as Promise<ExportsQuery>;
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
    setUserRole(variables: SetUserRoleMutationVariables, options?: C): Promise<SetUserRoleMutation> {
      return requester<SetUserRoleMutation, SetUserRoleMutationVariables>(SetUserRoleDocument, variables, options) as Promise<SetUserRoleMutation>;
    },
    deleteUser(variables: DeleteUserMutationVariables, options?: C): Promise<DeleteUserMutation> {
      return requester<DeleteUserMutation, DeleteUserMutationVariables>(DeleteUserDocument, variables, options) as Promise<DeleteUserMutation>;
    },
    changeSecret(variables: ChangeSecretMutationVariables, options?: C): Promise<ChangeSecretMutation> {
      return requester<ChangeSecretMutation, ChangeSecretMutationVariables>(ChangeSecretDocument, variables, options) as Promise<ChangeSecretMutation>;
    },
    endSession(variables: EndSessionMutationVariables, options?: C): Promise<EndSessionMutation> {
      return requester<EndSessionMutation, EndSessionMutationVariables>(EndSessionDocument, variables, options) as Promise<EndSessionMutation>;
    },
    endAllSessions(variables?: EndAllSessionsMutationVariables, options?: C): Promise<EndAllSessionsMutation> {
      return requester<EndAllSessionsMutation, EndAllSessionsMutationVariables>(EndAllSessionsDocument, variables, options) as Promise<EndAllSessionsMutation>;
    },
    createApiToken(variables: CreateApiTokenMutationVariables, options?: C): Promise<CreateApiTokenMutation> {
      return requester<CreateApiTokenMutation, CreateApiTokenMutationVariables>(CreateApiTokenDocument, variables, options) as Promise<CreateApiTokenMutation>;
    },
    deleteApiToken(variables: DeleteApiTokenMutationVariables, options?: C): Promise<DeleteApiTokenMutation> {
      return requester<DeleteApiTokenMutation, DeleteApiTokenMutationVariables>(DeleteApiTokenDocument, variables, options) as Promise<DeleteApiTokenMutation>;
    },
    revert(variables: RevertMutationVariables, options?: C): Promise<RevertMutation> {
      return requester<RevertMutation, RevertMutationVariables>(RevertDocument, variables, options) as Promise<RevertMutation>;
    },
    revertRequest(variables: RevertRequestMutationVariables, options?: C): Promise<RevertRequestMutation> {
      return requester<RevertRequestMutation, RevertRequestMutationVariables>(RevertRequestDocument, variables, options) as Promise<RevertRequestMutation>;
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
    importFrom(variables: ImportFromMutationVariables, options?: C): Promise<ImportFromMutation> {
      return requester<ImportFromMutation, ImportFromMutationVariables>(ImportFromDocument, variables, options) as Promise<ImportFromMutation>;
    },
    evictContact(variables: EvictContactMutationVariables, options?: C): Promise<EvictContactMutation> {
      return requester<EvictContactMutation, EvictContactMutationVariables>(EvictContactDocument, variables, options) as Promise<EvictContactMutation>;
    },
    testGateway(variables: TestGatewayMutationVariables, options?: C): Promise<TestGatewayMutation> {
      return requester<TestGatewayMutation, TestGatewayMutationVariables>(TestGatewayDocument, variables, options) as Promise<TestGatewayMutation>;
    },
    confirmChanges(variables: ConfirmChangesMutationVariables, options?: C): Promise<ConfirmChangesMutation> {
      return requester<ConfirmChangesMutation, ConfirmChangesMutationVariables>(ConfirmChangesDocument, variables, options) as Promise<ConfirmChangesMutation>;
    },
    cancelChanges(variables: CancelChangesMutationVariables, options?: C): Promise<CancelChangesMutation> {
      return requester<CancelChangesMutation, CancelChangesMutationVariables>(CancelChangesDocument, variables, options) as Promise<CancelChangesMutation>;
    },
    uploadDump(variables: UploadDumpMutationVariables, options?: C): Promise<UploadDumpMutation> {
      return requester<UploadDumpMutation, UploadDumpMutationVariables>(UploadDumpDocument, variables, options) as Promise<UploadDumpMutation>;
    },
    startMove(variables: StartMoveMutationVariables, options?: C): Promise<StartMoveMutation> {
      return requester<StartMoveMutation, StartMoveMutationVariables>(StartMoveDocument, variables, options) as Promise<StartMoveMutation>;
    },
    startRevert(variables: StartRevertMutationVariables, options?: C): Promise<StartRevertMutation> {
      return requester<StartRevertMutation, StartRevertMutationVariables>(StartRevertDocument, variables, options) as Promise<StartRevertMutation>;
    },
    cancelTask(variables: CancelTaskMutationVariables, options?: C): Promise<CancelTaskMutation> {
      return requester<CancelTaskMutation, CancelTaskMutationVariables>(CancelTaskDocument, variables, options) as Promise<CancelTaskMutation>;
    },
    saveView(variables: SaveViewMutationVariables, options?: C): Promise<SaveViewMutation> {
      return requester<SaveViewMutation, SaveViewMutationVariables>(SaveViewDocument, variables, options) as Promise<SaveViewMutation>;
    },
    deleteView(variables: DeleteViewMutationVariables, options?: C): Promise<DeleteViewMutation> {
      return requester<DeleteViewMutation, DeleteViewMutationVariables>(DeleteViewDocument, variables, options) as Promise<DeleteViewMutation>;
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
    applyChanges(variables: ApplyChangesMutationVariables, options?: C): Promise<ApplyChangesMutation> {
      return requester<ApplyChangesMutation, ApplyChangesMutationVariables>(ApplyChangesDocument, variables, options) as Promise<ApplyChangesMutation>;
    },
    simulate(variables?: SimulateMutationVariables, options?: C): Promise<SimulateMutation> {
      return requester<SimulateMutation, SimulateMutationVariables>(SimulateDocument, variables, options) as Promise<SimulateMutation>;
    },
    startExport(variables: StartExportMutationVariables, options?: C): Promise<StartExportMutation> {
      return requester<StartExportMutation, StartExportMutationVariables>(StartExportDocument, variables, options) as Promise<StartExportMutation>;
    },
    cancelExport(variables: CancelExportMutationVariables, options?: C): Promise<CancelExportMutation> {
      return requester<CancelExportMutation, CancelExportMutationVariables>(CancelExportDocument, variables, options) as Promise<CancelExportMutation>;
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
    contactsChanged(variables?: ContactsChangedSubscriptionVariables, options?: C): AsyncIterable<ContactsChangedSubscription> {
      return requester<ContactsChangedSubscription, ContactsChangedSubscriptionVariables>(ContactsChangedDocument, variables, options) as AsyncIterable<ContactsChangedSubscription>;
    },
    callAlert(variables?: CallAlertSubscriptionVariables, options?: C): AsyncIterable<CallAlertSubscription> {
      return requester<CallAlertSubscription, CallAlertSubscriptionVariables>(CallAlertDocument, variables, options) as AsyncIterable<CallAlertSubscription>;
    },
    callsChanged(variables?: CallsChangedSubscriptionVariables, options?: C): AsyncIterable<CallsChangedSubscription> {
      return requester<CallsChangedSubscription, CallsChangedSubscriptionVariables>(CallsChangedDocument, variables, options) as AsyncIterable<CallsChangedSubscription>;
    },
    importProgress(variables: ImportProgressSubscriptionVariables, options?: C): AsyncIterable<ImportProgressSubscription> {
      return requester<ImportProgressSubscription, ImportProgressSubscriptionVariables>(ImportProgressDocument, variables, options) as AsyncIterable<ImportProgressSubscription>;
    }
  };
}
export type Sdk = ReturnType<typeof getSdk>;