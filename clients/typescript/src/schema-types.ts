export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A time in UTC, such as 2026-03-01T10:15:30.000Z (RFC 3339). */
  DateTimeISO: { input: string; output: string; }
};

/** The addresses that may not register in this domain and call from or to its users, and exceptions. */
export type AccessControlList = {
  /** Exceptions from denied addresses: CIDR blocks, ip/mask or single addresses. Alone, they refuse nobody. */
  readonly allow: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Denied addresses, in the same formats; 0.0.0.0/0 and ::/0 deny all that are not allowed. */
  readonly deny: Maybe<ReadonlyArray<Scalars['String']['output']>>;
};

/** The addresses that may not register in this domain and call from or to its users, and exceptions. */
export type AccessControlListInput = {
  /** Exceptions from denied addresses: CIDR blocks, ip/mask or single addresses. Alone, they refuse nobody. */
  readonly allow?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Denied addresses, in the same formats; 0.0.0.0/0 and ::/0 deny all that are not allowed. */
  readonly deny?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** The addresses that may not register in this domain and call from or to its users, and exceptions. */
export type AccessControlListWhere = {
  /** Exceptions from denied addresses: CIDR blocks, ip/mask or single addresses. Alone, they refuse nobody. */
  readonly allow?: InputMaybe<TextListFilter>;
  /** Denied addresses, in the same formats; 0.0.0.0/0 and ::/0 deny all that are not allowed. */
  readonly deny?: InputMaybe<TextListFilter>;
};

/** The access control list of the caller's or the called user's domain. */
export type AccessStep = ExplanationStep & {
  /** Whether this is the first link that does not work. */
  readonly broken: Scalars['Boolean']['output'];
  /** The domain; null if there is none. */
  readonly domain: Maybe<Domain>;
  /** The state of the link. */
  readonly state: StepState;
  /** If the number, domain or user name does not exist: an existing one that differs by one character; null if there is none. */
  readonly suggestion: Maybe<Scalars['String']['output']>;
  /** A description of the state. */
  readonly summary: Scalars['String']['output'];
};

/** Explains why calls to an address of record ring or not. */
export type AddressExplanation = {
  /** The address of record, as a SIP URI. */
  readonly addressOfRecord: Scalars['String']['output'];
  /** Whether a call reaches a device. */
  readonly reachable: Scalars['Boolean']['output'];
  /** The verdict: the first broken link. */
  readonly state: NumberState;
  /** The links in the path of a call: address of record, domain, target and devices. Links after a broken one are included. */
  readonly steps: ReadonlyArray<ExplanationStep>;
  /** A description of the first broken link, and how to fix it. */
  readonly summary: Scalars['String']['output'];
};

/** A SIP user, such as a person with a phone, who registers in one or more domains. */
export type Agent = Node & Resource & {
  /** Version of the resource definitions: v1beta1. */
  readonly apiVersion: Scalars['String']['output'];
  /** The number that the agent shows when it calls through the gateway of that number. */
  readonly callerNumber: Maybe<Number>;
  /** Reference of the Number that the agent shows when it calls through the gateway of that number. */
  readonly callerNumberRef: Maybe<Scalars['String']['output']>;
  /** The calls of the Agent, newest first. */
  readonly calls: CallConnection;
  /** The devices that are currently registered for this Agent. */
  readonly contacts: ReadonlyArray<Contact>;
  /** When the resource was created. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** Minutes a day (UTC) of answered calls that the agent makes to numbers that begin with a prefix, as `+1900=60`; at most 16. Every entry that matches the dialed number limits the call. Emergency calls are never refused. */
  readonly dailyMinutes: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** The DIDs whose address of record names this agent. */
  readonly dids: DidConnection;
  /** The domains that the agent belongs to, in order. */
  readonly domains: ReadonlyArray<Domain>;
  /** False: the agent cannot register or be called, and can call only emergency numbers. By default, true. */
  readonly enabled: Maybe<Scalars['Boolean']['output']>;
  /** The DIDs that have this agent as a further target. */
  readonly furtherDids: DidConnection;
  /** The numbers that have this agent as a further target. */
  readonly furtherNumbers: NumberConnection;
  /** Who changed the Agent, newest first. */
  readonly history: HistoryEntryConnection;
  /** Opaque and globally unique. Pass it to `node` and `nodes`. */
  readonly id: Scalars['ID']['output'];
  /** The kind of the resource. */
  readonly kind: ResourceKind;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** The calls in progress that count for the limits of the Agent; null if it was deleted meanwhile. */
  readonly limits: Maybe<CallLimits>;
  /** Maximum number of concurrent calls that the agent makes, including ringing calls. Emergency calls are never refused. */
  readonly maxCalls: Maybe<Scalars['Int']['output']>;
  /** Maximum number of new calls that the agent makes in each second. Emergency calls are never refused. */
  readonly maxCallsPerSecond: Maybe<Scalars['Int']['output']>;
  /** Maximum number of registered devices. */
  readonly maxContacts: Maybe<Scalars['Int']['output']>;
  /** When the resource was last changed. */
  readonly modifiedOn: Scalars['DateTimeISO']['output'];
  /** Display name. */
  readonly name: Scalars['String']['output'];
  /** A note for people: at most 1,000 characters. */
  readonly note: Maybe<Scalars['String']['output']>;
  /** The numbers whose address of record names this agent. */
  readonly numbers: NumberConnection;
  /** Whether the agent's identity is hidden from the callee. */
  readonly privacy: Maybe<Privacy>;
  /** Reference, unique within the kind. Generated if it was not given. */
  readonly ref: Scalars['String']['output'];
  /** When devices of the Agent registered, moved, ended or were refused; newest first. */
  readonly registrationEvents: RegistrationEventConnection;
  /** Whether a secret is set. The secret itself is never returned. */
  readonly secretSet: Scalars['Boolean']['output'];
  /** SIP user name: at most 64 bytes, without @, : and ". Unique within each of the domains. */
  readonly username: Scalars['String']['output'];
};


/** A SIP user, such as a person with a phone, who registers in one or more domains. */
export type AgentCallsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A SIP user, such as a person with a phone, who registers in one or more domains. */
export type AgentDidsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<DidOrder>>;
  where?: InputMaybe<DidWhere>;
};


/** A SIP user, such as a person with a phone, who registers in one or more domains. */
export type AgentFurtherDidsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<DidOrder>>;
  where?: InputMaybe<DidWhere>;
};


/** A SIP user, such as a person with a phone, who registers in one or more domains. */
export type AgentFurtherNumbersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<NumberOrder>>;
  where?: InputMaybe<NumberWhere>;
};


/** A SIP user, such as a person with a phone, who registers in one or more domains. */
export type AgentHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A SIP user, such as a person with a phone, who registers in one or more domains. */
export type AgentNumbersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<NumberOrder>>;
  where?: InputMaybe<NumberWhere>;
};


/** A SIP user, such as a person with a phone, who registers in one or more domains. */
export type AgentRegistrationEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of a list of type Agent (Relay). */
export type AgentConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<AgentEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<Agent>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** An item of a list of type Agent, with its cursor (Relay). */
export type AgentEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: Agent;
};

/** A sort order of lists of type Agent. */
export type AgentOrder = {
  /** The direction. */
  readonly direction?: OrderDirection;
  /** The field to sort by. */
  readonly field: AgentOrderField;
};

/** Fields that lists of type Agent can be sorted by. */
export type AgentOrderField =
  /** Reference of the Number that the agent shows when it calls through the gateway of that number. */
  | 'CALLER_NUMBER_REF'
  /** When the resource was created. */
  | 'CREATED_ON'
  /** False: the agent cannot register or be called, and can call only emergency numbers. By default, true. */
  | 'ENABLED'
  /** Maximum number of concurrent calls that the agent makes, including ringing calls. Emergency calls are never refused. */
  | 'MAX_CALLS'
  /** Maximum number of new calls that the agent makes in each second. Emergency calls are never refused. */
  | 'MAX_CALLS_PER_SECOND'
  /** Maximum number of registered devices. */
  | 'MAX_CONTACTS'
  /** When the resource was last changed. */
  | 'MODIFIED_ON'
  /** Display name. */
  | 'NAME'
  /** Whether the agent's identity is hidden from the callee. */
  | 'PRIVACY'
  /** Reference. */
  | 'REF'
  /** SIP user name: at most 64 bytes, without @, : and ". Unique within each of the domains. */
  | 'USERNAME';

/** Conditions on an Agent; all must hold. */
export type AgentWhere = {
  /** All of these conditions hold. */
  readonly and?: InputMaybe<ReadonlyArray<AgentWhere>>;
  /** The number that the agent shows when it calls through the gateway of that number. */
  readonly callerNumber?: InputMaybe<NumberWhere>;
  /** Reference of the Number that the agent shows when it calls through the gateway of that number. */
  readonly callerNumberRef?: InputMaybe<TextFilter>;
  /** When the resource was created. */
  readonly createdOn?: InputMaybe<DateTimeFilter>;
  /** Minutes a day (UTC) of answered calls that the agent makes to numbers that begin with a prefix, as `+1900=60`; at most 16. Every entry that matches the dialed number limits the call. Emergency calls are never refused. */
  readonly dailyMinutes?: InputMaybe<TextListFilter>;
  /** The DIDs whose address of record names this agent. At least one must meet these conditions. */
  readonly dids?: InputMaybe<DidWhere>;
  /** The domains that the agent belongs to, in order. At least one must meet these conditions. */
  readonly domains?: InputMaybe<DomainWhere>;
  /** False: the agent cannot register or be called, and can call only emergency numbers. By default, true. */
  readonly enabled?: InputMaybe<BooleanFilter>;
  /** The DIDs that have this agent as a further target. At least one must meet these conditions. */
  readonly furtherDids?: InputMaybe<DidWhere>;
  /** The numbers that have this agent as a further target. At least one must meet these conditions. */
  readonly furtherNumbers?: InputMaybe<NumberWhere>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<TextListFilter>;
  /** Maximum number of concurrent calls that the agent makes, including ringing calls. Emergency calls are never refused. */
  readonly maxCalls?: InputMaybe<IntFilter>;
  /** Maximum number of new calls that the agent makes in each second. Emergency calls are never refused. */
  readonly maxCallsPerSecond?: InputMaybe<IntFilter>;
  /** Maximum number of registered devices. */
  readonly maxContacts?: InputMaybe<IntFilter>;
  /** When the resource was last changed. */
  readonly modifiedOn?: InputMaybe<DateTimeFilter>;
  /** Display name. */
  readonly name?: InputMaybe<TextFilter>;
  /** These conditions do not hold. */
  readonly not?: InputMaybe<AgentWhere>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<TextFilter>;
  /** The numbers whose address of record names this agent. At least one must meet these conditions. */
  readonly numbers?: InputMaybe<NumberWhere>;
  /** At least one of these conditions holds. */
  readonly or?: InputMaybe<ReadonlyArray<AgentWhere>>;
  /** Whether the agent's identity is hidden from the callee. */
  readonly privacy?: InputMaybe<PrivacyFilter>;
  /** Reference of the resource. */
  readonly ref?: InputMaybe<TextFilter>;
  /** Whether the resource is currently registered. */
  readonly registered?: InputMaybe<Scalars['Boolean']['input']>;
  /** SIP user name: at most 64 bytes, without @, : and ". Unique within each of the domains. */
  readonly username?: InputMaybe<TextFilter>;
};

/** The address of record to which calls to the number are routed. */
export type AorStep = ExplanationStep & {
  /** The address of record, as a SIP URI; or an outside number, as a tel URI, if a target of the number is one. */
  readonly aorLink: Scalars['String']['output'];
  /** Whether this is the first link that does not work. */
  readonly broken: Scalars['Boolean']['output'];
  /** The state of the link. */
  readonly state: StepState;
  /** If the number, domain or user name does not exist: an existing one that differs by one character; null if there is none. */
  readonly suggestion: Maybe<Scalars['String']['output']>;
  /** A description of the state. */
  readonly summary: Scalars['String']['output'];
};

/** An API token of a user: a token for programs, which does not contain a name and secret. */
export type ApiToken = {
  /** When the API token was created. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** Deprecated elements of this graph in requests with this API token. A request is counted within ten seconds. */
  readonly deprecatedUses: ReadonlyArray<DeprecatedUse>;
  /** The only documents that the API token may send; null if it may send any. */
  readonly documents: Maybe<ReadonlyArray<ApiTokenDocument>>;
  /** When the API token expires; null if it does not. */
  readonly expiresOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** The address of the first request of that day; null if the API token was never used. */
  readonly lastUsedFrom: Maybe<Scalars['String']['output']>;
  /** The day (its start, in UTC) on which the API token was last used; null if it was never used. */
  readonly lastUsedOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** Name of the API token. */
  readonly name: Scalars['String']['output'];
  /** A note about the API token. */
  readonly note: Maybe<Scalars['String']['output']>;
  /** Reference of the API token. */
  readonly ref: Scalars['String']['output'];
  /** The role of the API token. While the role of its user has fewer permissions, the user's role applies. */
  readonly role: Role;
  /** Name of the user. */
  readonly username: Scalars['String']['output'];
};

/** A document that an API token may send. */
export type ApiTokenDocument = {
  /** Its operations, such as `query Health`. */
  readonly name: Scalars['String']['output'];
  /** The SHA-256 hash of the document, which may be sent instead of it (`extensions.persistedQuery.sha256Hash`). */
  readonly sha256Hash: Scalars['String']['output'];
};

/** What a change of `applyChanges` did, or would do. */
export type AppliedChange = {
  /** The fields that changed; of a create and a delete, all fields with a value. Empty in the result of a repeated request with the same Idempotency-Key. */
  readonly changes: ReadonlyArray<FieldChange>;
  /** The kind of the resource. */
  readonly kind: ResourceKind;
  /** The `localRef` of a create, if it had one. */
  readonly localRef: Maybe<Scalars['String']['output']>;
  /** What happened to the resource. */
  readonly outcome: ChangeOutcome;
  /** Reference of the resource. In a dry run, a generated reference is an example. */
  readonly ref: Scalars['String']['output'];
};

/** What `applyChanges` did, or would do. */
export type AppliedChanges = {
  /** What each change did, in the given order. */
  readonly changes: ReadonlyArray<AppliedChange>;
  /** How the changes wait for a confirmation or for `at`; null if they do not, and if nothing was changed. */
  readonly pending: Maybe<PendingChanges>;
  /** The id of the request in the history, for `revertRequest`; null if nothing was changed. */
  readonly request: Maybe<Scalars['String']['output']>;
};

/** The states of a trunk over time, observed every minute and kept for 90 days. */
export type Availability = {
  /** The time in which its state is known, in seconds. */
  readonly observed: Scalars['Float']['output'];
  /** The states, oldest first, at most about 1,000. Nothing is known of the time between two periods. */
  readonly periods: ReadonlyArray<TrunkPeriod>;
  /** The share of the observed time in which it was registered, from 0 to 1. */
  readonly registered: Scalars['Float']['output'];
};

/** Conditions on a boolean; all must hold. */
export type BooleanFilter = {
  /** Equal to this value. */
  readonly eq?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether the value is null. All other conditions are false for null. */
  readonly isNull?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Conditions on a list of values of type Boolean; all must hold. */
export type BooleanListFilter = {
  /** Contains this value. */
  readonly contains?: InputMaybe<Scalars['Boolean']['input']>;
  /** Contains all of these values. */
  readonly containsAll?: InputMaybe<ReadonlyArray<Scalars['Boolean']['input']>>;
  /** Contains one of these values. */
  readonly containsAny?: InputMaybe<ReadonlyArray<Scalars['Boolean']['input']>>;
};

/** A call that the SIP server recorded, in progress or not. What is not known, or not yet, is null. */
export type Call = {
  /** When the call was answered. */
  readonly answeredOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** The gateways that were tried, in order, or else the devices that responded; at most 8. */
  readonly attempts: ReadonlyArray<RecordedAttempt>;
  /** When the call began: when it was routed. */
  readonly begunOn: Scalars['DateTimeISO']['output'];
  /** The header Call-ID, which callers choose; `…` for viewers who see shortened numbers. */
  readonly callId: Scalars['String']['output'];
  /** The called address of record, or the number that was sent to the gateway. */
  readonly called: Maybe<Scalars['String']['output']>;
  /** The agent or peer that was called; null for those outside. */
  readonly callee: Maybe<Target>;
  /** Reference of the agent or peer that was called, also if it no longer exists; null for those outside. */
  readonly calleeRef: Maybe<Scalars['String']['output']>;
  /** The agent or peer that called; null for callers outside. */
  readonly caller: Maybe<Target>;
  /** Reference of the agent or peer that called, also if it no longer exists; null for callers outside. */
  readonly callerRef: Maybe<Scalars['String']['output']>;
  /** Digits of the DID or Number that was called, or from which the call left. */
  readonly digits: Maybe<Scalars['String']['output']>;
  /** Where the call came from and went. */
  readonly direction: Maybe<CallDirection>;
  /** The domain of the caller, or else the called one; null if it does not exist. */
  readonly domain: Maybe<Domain>;
  /** Reference of the domain of the caller, or of the called one for a caller without, also if it no longer exists; null in calls of an earlier configuration of the SIP server. */
  readonly domainRef: Maybe<Scalars['String']['output']>;
  /** Who ended the call. */
  readonly endedBy: Maybe<CallEnd>;
  /** When the call ended or failed. */
  readonly endedOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** Of the agents, peers, gateways, domain and route of the call: those that no longer exist, also if another one has the reference since. Links do not lead to that one. */
  readonly former: ReadonlyArray<FormerResource>;
  /** The URI in From, as the caller wrote it. */
  readonly from: Maybe<Scalars['String']['output']>;
  /** The tag in From; `…` for viewers who see shortened numbers. */
  readonly fromTag: Scalars['String']['output'];
  /** The gateway through which the call came or left; the last one, if several were tried. */
  readonly gateway: Maybe<Gateway>;
  /** Reference of the gateway through which the call came or left, also if it no longer exists. */
  readonly gatewayRef: Maybe<Scalars['String']['output']>;
  /** Opaque and globally unique, for caches and `call`. */
  readonly id: Scalars['ID']['output'];
  /** The SIP messages of the last hour, in order, at most 60. Empty without `HEP_LISTEN`, and for viewers who see shortened numbers. */
  readonly messages: ReadonlyArray<CallMessage>;
  /** The node of the SIP server, as host:port. */
  readonly node: Scalars['String']['output'];
  /** The DID or Number that was called, or from which the call left. */
  readonly number: Maybe<PhoneNumber>;
  /** The reason phrase of that response. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** The header Reason of that response or of the BYE (RFC 3326), such as `Q.850;cause=34`. */
  readonly reasonHeader: Maybe<Scalars['String']['output']>;
  /** When the callee began to ring. */
  readonly ringingOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** The route by which the call left; null if it does not exist. */
  readonly route: Maybe<Route>;
  /** Reference of the route by which the call left, also if it no longer exists; null if the egress policy of the domain decided, and in calls of an earlier configuration of the SIP server. */
  readonly routeRef: Maybe<Scalars['String']['output']>;
  /** The IP address of the caller. */
  readonly source: Maybe<Scalars['String']['output']>;
  /** The state. */
  readonly state: CallState;
  /** The status code of the final response of the other side, or of the SIP server if it refused the call. */
  readonly status: Maybe<Scalars['Int']['output']>;
  /** The URI in To, as the caller wrote it: what was dialed. */
  readonly to: Maybe<Scalars['String']['output']>;
  /** The URL of the trace of the call, as `TRACE_URL` says; null without that setting, and for viewers who see shortened numbers. */
  readonly traceUrl: Maybe<Scalars['String']['output']>;
};

/** What the SIP server tells about calls. */
export type CallAlert = {
  /** The reference of the agent that called it; null for others. */
  readonly agentRef: Maybe<Scalars['String']['output']>;
  /** When it happened. */
  readonly at: Scalars['DateTimeISO']['output'];
  /** Of what has the limit, the agent, peer and domain of an emergency caller and the gateway: those that no longer exist, also if another one has the reference since. Links do not lead to that one. */
  readonly former: ReadonlyArray<FormerResource>;
  /** The gateway through which the emergency call left first; null for a limit. */
  readonly gateway: Maybe<Gateway>;
  /** The limit; null for an emergency call. */
  readonly limit: Maybe<CallLimit>;
  /** How many may; null for an emergency call. */
  readonly most: Maybe<Scalars['Int']['output']>;
  /** The emergency number that was called; null for a limit. */
  readonly number: Maybe<Scalars['String']['output']>;
  /** The reference of the peer that called it; null for others. */
  readonly peerRef: Maybe<Scalars['String']['output']>;
  /** The reference of what has the limit, or of the emergency caller's domain. */
  readonly ref: Maybe<Scalars['String']['output']>;
  /** What has the limit, or the emergency caller's domain; null for a peer without one, or if it was deleted, also if another one has its reference since. */
  readonly resource: Maybe<Resource>;
  /** How many calls or minutes counted; null for an emergency call. */
  readonly used: Maybe<Scalars['Int']['output']>;
};

/** The SIP server tells something about calls. */
export type CallAlertChange = Change & {
  /** The alert; null if it is no longer kept. */
  readonly alert: Maybe<CallAlert>;
  /** When the event was recorded. */
  readonly at: Scalars['DateTimeISO']['output'];
  /** The position of the event in the stream of changes. Pass it as `since` to any subscription to continue after it. */
  readonly cursor: Scalars['String']['output'];
  /** What happened. */
  readonly event: CallAlertEvent;
};

/** What the SIP server tells about calls. */
export type CallAlertEvent =
  /** An emergency number was called, whatever became of the call. */
  | 'EMERGENCY_CALL'
  /** 80 % of the calls that may be at once are in progress, of the new calls of a second have begun, or of the minutes a day are used. */
  | 'LIMIT_NEARLY_REACHED'
  /** A call was refused, or left through another gateway, because of a limit. */
  | 'LIMIT_REACHED';

/** An INVITE that the SIP server sends for a call. */
export type CallAttempt = {
  /** For how many seconds those of the order before may ring until this one is made; null if it is made only when they have failed. */
  readonly after: Maybe<Scalars['Int']['output']>;
  /** P-Asserted-Identity (RFC 3325); null for none. */
  readonly assertedIdentity: Maybe<Scalars['String']['output']>;
  /** The device that rings; null for a call that leaves, and at the contactAddr of a peer. */
  readonly contact: Maybe<Contact>;
  /** Diversion (RFC 5806) of a call to an outside number that is a target of the called one, without its reason; null for other calls. */
  readonly diversion: Maybe<Scalars['String']['output']>;
  /** From, without its tag; null for a call from outside, whose From stays as it is. */
  readonly from: Maybe<Scalars['String']['output']>;
  /** The gateway. */
  readonly gateway: Maybe<Gateway>;
  /** Whether the gateway's host responds to OPTIONS; null for a call that rings. */
  readonly health: Maybe<GatewayHealthState>;
  /** The SIP URI of the address to which it goes; null if only the SIP server knows the address of the host. */
  readonly nextHop: Maybe<Scalars['String']['output']>;
  /** The number that is the caller; null for a call that rings. */
  readonly number: Maybe<Number>;
  /** Attempts of one order are made at once. Those of the next order follow; the first is 1. */
  readonly order: Scalars['Int']['output'];
  /** The Request-URI. */
  readonly requestUri: Scalars['String']['output'];
  /** In how many percent of the calls it comes before the others of the same priority, by weight (RFC 2782), which are attempts beside it; null if the order is fixed. */
  readonly share: Maybe<Scalars['Int']['output']>;
};

/** A page of a list of type Call (Relay). */
export type CallConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<CallEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<Call>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** The calls of a group, in numbers. */
export type CallCount = {
  /** The answer-seizure ratio: answered calls by calls. */
  readonly answerSeizureRatio: Scalars['Float']['output'];
  /** The number of answered calls. */
  readonly answered: Scalars['Int']['output'];
  /** The average time from answer to end, in seconds. */
  readonly averageDuration: Maybe<Scalars['Float']['output']>;
  /** The average time until the callee rang or answered (post-dial delay), in seconds. */
  readonly averagePostDialDelay: Maybe<Scalars['Float']['output']>;
  /** The number of calls. */
  readonly calls: Scalars['Int']['output'];
  /** The gateway; null if it does not exist, or if another one had the reference in this time. */
  readonly gateway: Maybe<Gateway>;
  /** Reference of the gateway; null for other groups, and for calls without one. */
  readonly gatewayRef: Maybe<Scalars['String']['output']>;
  /** When the hour begins; null for other groups. */
  readonly hour: Maybe<Scalars['DateTimeISO']['output']>;
  /** The median of that time: half of the calls rang or were answered within it, in seconds. */
  readonly postDialDelayP50: Maybe<Scalars['Float']['output']>;
  /** The time within which 95 % of the calls did, in seconds. */
  readonly postDialDelayP95: Maybe<Scalars['Float']['output']>;
  /** The final status; null for other groups, and without one. */
  readonly status: Maybe<Scalars['Int']['output']>;
};

/** Equal recorded calls that go in another way now. */
export type CallDifference = {
  /** How many calls. */
  readonly count: Scalars['Int']['output'];
  /** The caller. */
  readonly from: Scalars['String']['output'];
  /** The line of the first one. */
  readonly line: Scalars['Int']['output'];
  /** How it would go now, or why that is not known. */
  readonly now: Scalars['String']['output'];
  /** The IP address of the caller; null if the record has none. */
  readonly source: Maybe<Scalars['String']['output']>;
  /** The called number or address. */
  readonly to: Scalars['String']['output'];
  /** How the call went. */
  readonly was: Scalars['String']['output'];
};

/** Where a call came from and went. */
export type CallDirection =
  /** From a gateway to an agent or a peer. */
  | 'IN'
  /** Between agents and peers. */
  | 'INTERNAL'
  /** From an agent or a peer through a gateway. */
  | 'OUT';

/** An item of a list of type Call, with its cursor (Relay). */
export type CallEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: Call;
};

/** What changes do to the calls of a number. */
export type CallEffect =
  /** Calls ring, but come through another gateway or reach another target. */
  | 'MOVES'
  /** Calls do not ring before or after the changes, but for another reason or with another target. */
  | 'OTHER'
  /** Calls ring after the changes, and not before them. */
  | 'STARTS'
  /** Calls ring before the changes, and not after them. */
  | 'STOPS';

/** Who ended a call. */
export type CallEnd =
  /** The other side hung up, or refused the call. */
  | 'CALLEE'
  /** The caller hung up, or gave up before an answer. */
  | 'CALLER'
  /** The SIP server: nobody answered in time, it refused the call, or it ended the call. */
  | 'SERVER';

/** What happened to a call. */
export type CallEvent =
  /** The callee answered. */
  | 'ANSWERED'
  /** The call began. */
  | 'BEGUN'
  /** The call ended, failed or was lost: see `state`. */
  | 'ENDED'
  /** More happened than is delivered: read the calls again. */
  | 'MISSED'
  /** The callee began to ring. */
  | 'RINGING';

/** Explains what becomes of a call, and why. */
export type CallExplanation = {
  /** The time of which this is explained; null for now. */
  readonly at: Maybe<Scalars['DateTimeISO']['output']>;
  /** The INVITEs that the SIP server sends, in their `order`, until one is answered. A call that leaves tries one after the other; a call that rings sends all at once, except for a number with several targets. */
  readonly attempts: ReadonlyArray<CallAttempt>;
  /** The change that broke the first broken link at that time, which `revert` takes back; of a number that did not exist yet, its later creation; null for now, and if none is known. */
  readonly change: Maybe<HistoryEntry>;
  /** What happened to the registration of the gateway or the devices by that time, if that is why. */
  readonly event: Maybe<RegistrationEvent>;
  /** Of the resources of that time, to which `steps` and `attempts` lead as they were: those that no longer exist, also if another one has the reference since. */
  readonly former: ReadonlyArray<FormerResource>;
  /** What becomes of the call. */
  readonly outcome: CallOutcome;
  /** The reason phrase of the refusal; null for other outcomes. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** The SIP status with which it is refused; null for other outcomes. */
  readonly status: Maybe<Scalars['Int']['output']>;
  /** The decisions of the SIP server, in its order. Those after a broken one are not made, and only shown if they are known. */
  readonly steps: ReadonlyArray<ExplanationStep>;
  /** A description of the first broken link; without one, of what rings, or of the gateway that is tried first. */
  readonly summary: Scalars['String']['output'];
  /** What is not known of that time, or no longer, with the setting that would have kept it; empty for now. */
  readonly unknown: ReadonlyArray<Scalars['String']['output']>;
};

/** How calls are counted. */
export type CallGroup =
  /** By gateway. */
  | 'GATEWAY'
  /** By the hour in which they began (UTC). */
  | 'HOUR'
  /** By the final status. */
  | 'STATUS';

/** A limit of calls. */
export type CallLimit =
  /** `dailyMinutes`: minutes a day to a prefix. */
  | 'DAILY_MINUTES'
  /** `maxCalls`, or the limit of the SIP server: calls at once. */
  | 'MAX_CALLS'
  /** `maxCallsPerSecond`: new calls in each second. */
  | 'MAX_CALLS_PER_SECOND';

/** How many calls are in progress, beside how many may be. */
export type CallLimits = {
  /** The recorded calls in progress that count, of all nodes of the SIP server, including ringing calls. */
  readonly calls: Scalars['Int']['output'];
  /** Minutes a day by prefix; empty for no limit. */
  readonly dailyMinutes: ReadonlyArray<UsedMinutes>;
  /** How many may be; null for no limit of its own: that of the SIP server applies, if there is one. */
  readonly maxCalls: Maybe<Scalars['Int']['output']>;
  /** How many may begin in each second; null for no limit. */
  readonly maxCallsPerSecond: Maybe<Scalars['Int']['output']>;
};

/** A SIP message of a call that the SIP server received or sent, without its body and without secrets. */
export type CallMessage = {
  /** When it was received or sent. */
  readonly at: Scalars['DateTimeISO']['output'];
  /** The request line or the status line. */
  readonly firstLine: Scalars['String']['output'];
  /** IP address and port of the sender. */
  readonly from: Scalars['String']['output'];
  /** The headers, each a line. Of those that may contain secrets, such as Authorization, only the names. */
  readonly headers: ReadonlyArray<Scalars['String']['output']>;
  /** IP address and port of the receiver. */
  readonly to: Scalars['String']['output'];
};

/** The order of calls. */
export type CallOrder =
  /** The call that began last comes first. */
  | 'NEWEST'
  /** The call that began first comes first. */
  | 'OLDEST';

/** What becomes of a call. */
export type CallOutcome =
  /** It leaves through the gateways in `attempts`, one after the other. */
  | 'LEAVES'
  /** The SIP server refuses it, with `status`. */
  | 'REFUSED'
  /** It rings the devices in `attempts`, all at once, or in their order if the called number has several targets. */
  | 'RINGS'
  /** This cannot be said: it depends on the address of a host name, or on which of several numbers the SIP server finds. For an earlier time, also if it is not known what was then. */
  | 'UNKNOWN';

/** The state of a call. */
export type CallState =
  /** In progress: the callee has answered. */
  | 'ANSWERED'
  /** In progress: nothing rings yet. */
  | 'CALLING'
  /** The call was answered, and has ended. */
  | 'ENDED'
  /** The call was never answered. */
  | 'FAILED'
  /** The SIP server stopped during the call; whether it went on, and when it ended, is unknown. */
  | 'LOST'
  /** In progress: the callee rings. */
  | 'RINGING';

/** Conditions on a call; all must hold. */
export type CallWhere = {
  /** Reference of the agent that called or was called. */
  readonly agentRef?: InputMaybe<Scalars['String']['input']>;
  /** The header Call-ID. */
  readonly callId?: InputMaybe<Scalars['String']['input']>;
  /** The DID or Number that was called, or calls out: its digits, or the number in any spelling with the code of its country. */
  readonly digits?: InputMaybe<Scalars['String']['input']>;
  /** Where the call came from and went. */
  readonly direction?: InputMaybe<CallDirection>;
  /** Reference of the domain of the caller, or of the called one for a caller without. */
  readonly domainRef?: InputMaybe<Scalars['String']['input']>;
  /** Began at this time or later. */
  readonly from?: InputMaybe<Scalars['DateTimeISO']['input']>;
  /** Reference of the gateway. */
  readonly gatewayRef?: InputMaybe<Scalars['String']['input']>;
  /** The lowest final status, such as 500. */
  readonly minStatus?: InputMaybe<Scalars['Int']['input']>;
  /** Reference of the peer that called or was called. */
  readonly peerRef?: InputMaybe<Scalars['String']['input']>;
  /** Part of the reason phrase or of the header Reason, ignoring case. */
  readonly reason?: InputMaybe<Scalars['String']['input']>;
  /** Reference of the route by which the call left. */
  readonly routeRef?: InputMaybe<Scalars['String']['input']>;
  /** Part of the URIs in From and To, of what was called or of our number, ignoring case; a number also in any spelling with the code of its country. */
  readonly search?: InputMaybe<Scalars['String']['input']>;
  /** The state. */
  readonly state?: InputMaybe<CallState>;
  /** One of these states. */
  readonly states?: InputMaybe<ReadonlyArray<CallState>>;
  /** The final status, such as 486. */
  readonly status?: InputMaybe<Scalars['Int']['input']>;
  /** Began at this time or earlier. */
  readonly to?: InputMaybe<Scalars['DateTimeISO']['input']>;
};

/** The agent or peer that calls. */
export type CallerStep = ExplanationStep & {
  /** Whether this is the first link that does not work. */
  readonly broken: Scalars['Boolean']['output'];
  /** The state of the link. */
  readonly state: StepState;
  /** If the number, domain or user name does not exist: an existing one that differs by one character; null if there is none. */
  readonly suggestion: Maybe<Scalars['String']['output']>;
  /** A description of the state. */
  readonly summary: Scalars['String']['output'];
  /** The agent or peer; null if there is none. */
  readonly target: Maybe<Target>;
};

/** A call began, rang, was answered or ended. */
export type CallsChange = {
  /** The call as it is now; null for MISSED. */
  readonly call: Maybe<Call>;
  /** What happened. If more happened within a second, the last of it. */
  readonly event: CallEvent;
};

/** An event in the stream of changes. */
export type Change = {
  /** When the event was recorded. */
  readonly at: Scalars['DateTimeISO']['output'];
  /** The position of the event in the stream of changes. Pass it as `since` to any subscription to continue after it. */
  readonly cursor: Scalars['String']['output'];
};

/** A change of `applyChanges`: exactly one of these. */
export type ChangeInput = {
  /** Create a resource. */
  readonly create?: InputMaybe<CreateChange>;
  /** Delete a resource. */
  readonly delete?: InputMaybe<DeleteChange>;
  /** Update a resource. */
  readonly update?: InputMaybe<UpdateChange>;
};

/** What a change of `applyChanges` did, or would do. */
export type ChangeOutcome =
  /** The resource was created. */
  | 'CREATED'
  /** The resource was deleted. */
  | 'DELETED'
  /** The resource had these values already. */
  | 'UNCHANGED'
  /** The resource was updated. In a dry run, also each update that sets a secret. */
  | 'UPDATED';

/** A destination of a gateway, and its health now. */
export type ChangedDestination = {
  /** Host name or address of the destination. */
  readonly host: Scalars['String']['output'];
  /** The status code of the response after which the state began; null if there was none. */
  readonly lastStatus: Maybe<Scalars['Int']['output']>;
  /** Its port; null for that of the transport. */
  readonly port: Maybe<Scalars['Int']['output']>;
  /** When the state began; null if it is UNKNOWN. */
  readonly since: Maybe<Scalars['DateTimeISO']['output']>;
  /** Whether it responds. */
  readonly state: GatewayHealthState;
  /** Transport to the destination, such as udp. */
  readonly transport: Scalars['String']['output'];
};

/** A currently registered device, at which an address of record can be reached (RFC 3261, 10). */
export type Contact = {
  /** The address of record, as a SIP URI. */
  readonly addressOfRecord: Scalars['String']['output'];
  /** The domain of the address of record; null if there is none, or if the registration has ended. */
  readonly domain: Maybe<Domain>;
  /** Lifetime of the registration that the device requested, in seconds. */
  readonly expires: Scalars['Int']['output'];
  /** When the registration ends, unless it is refreshed. */
  readonly expiresOn: Scalars['DateTimeISO']['output'];
  /** Opaque and globally unique, for caches. It does not change until the registration ends. */
  readonly id: Scalars['ID']['output'];
  /** Whether the device is behind a NAT. */
  readonly nat: Scalars['Boolean']['output'];
  /** The node of the SIP server at which the device is registered, as host:port. Other nodes cannot call the device. */
  readonly node: Maybe<Scalars['String']['output']>;
  /** The agent or peer that the address of record names; null if there is none, or if the registration has ended. */
  readonly target: Maybe<Target>;
  /** Transport to the device, such as udp. */
  readonly transport: Scalars['String']['output'];
  /** The contact URI, without its parameters. */
  readonly uri: Scalars['String']['output'];
  /** The User-Agent header of the device. */
  readonly userAgent: Maybe<Scalars['String']['output']>;
};

/** A page of a list of type Contact (Relay). */
export type ContactConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<ContactEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<Contact>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** An item of a list of type Contact, with its cursor (Relay). */
export type ContactEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: Contact;
};

/** What happened to a device of an address of record. A refresh is not an event. */
export type ContactEvent =
  /** A registration expired, the device unregistered, or the registration was ended through the API. */
  | 'ENDED'
  /** A device registered. */
  | 'REGISTERED';

/** Conditions on a device; all must hold. Comparisons ignore case. */
export type ContactWhere = {
  /** The host of the address of record. */
  readonly domain?: InputMaybe<Scalars['String']['input']>;
  /** Whether the device is behind a NAT. */
  readonly nat?: InputMaybe<Scalars['Boolean']['input']>;
  /** Part of the address of record, the contact URI, the address behind a NAT or the user agent. */
  readonly search?: InputMaybe<Scalars['String']['input']>;
  /** Transport to the device, such as udp. */
  readonly transport?: InputMaybe<Scalars['String']['input']>;
};

/** A device registered for an address of record, or its registration ended. */
export type ContactsChange = Change & {
  /** The address of record, as a SIP URI. */
  readonly addressOfRecord: Scalars['String']['output'];
  /** When the event was recorded. */
  readonly at: Scalars['DateTimeISO']['output'];
  /** All devices that are currently registered for the address of record. */
  readonly contacts: ReadonlyArray<Contact>;
  /** The position of the event in the stream of changes. Pass it as `since` to any subscription to continue after it. */
  readonly cursor: Scalars['String']['output'];
  /** What happened. */
  readonly event: ContactEvent;
};

/** The devices that ring. */
export type ContactsStep = ExplanationStep & {
  /** Whether this is the first link that does not work. */
  readonly broken: Scalars['Boolean']['output'];
  /** The devices that are currently registered. */
  readonly contacts: ReadonlyArray<Contact>;
  /** The state of the link. */
  readonly state: StepState;
  /** If the number, domain or user name does not exist: an existing one that differs by one character; null if there is none. */
  readonly suggestion: Maybe<Scalars['String']['output']>;
  /** A description of the state. */
  readonly summary: Scalars['String']['output'];
};

/** A new Agent. */
export type CreateAgentInput = {
  /** Reference of the Number that the agent shows when it calls through the gateway of that number. */
  readonly callerNumberRef?: InputMaybe<Scalars['String']['input']>;
  /** Minutes a day (UTC) of answered calls that the agent makes to numbers that begin with a prefix, as `+1900=60`; at most 16. Every entry that matches the dialed number limits the call. Emergency calls are never refused. */
  readonly dailyMinutes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** URIs of the domains that the agent belongs to, in order. */
  readonly domains: ReadonlyArray<Scalars['String']['input']>;
  /** False: the agent cannot register or be called, and can call only emergency numbers. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Maximum number of concurrent calls that the agent makes, including ringing calls. Emergency calls are never refused. */
  readonly maxCalls?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum number of new calls that the agent makes in each second. Emergency calls are never refused. */
  readonly maxCallsPerSecond?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum number of registered devices. */
  readonly maxContacts?: InputMaybe<Scalars['Int']['input']>;
  /** Display name. */
  readonly name: Scalars['String']['input'];
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<Scalars['String']['input']>;
  /** Whether the agent's identity is hidden from the callee. */
  readonly privacy?: InputMaybe<Privacy>;
  /** Reference: 1 to 24 letters, digits, _ or -, unique within the kind. Generated if omitted. */
  readonly ref?: InputMaybe<Scalars['String']['input']>;
  /** Password for digest authentication (RFC 3261, 22). */
  readonly secret: Scalars['String']['input'];
  /** SIP user name: at most 64 bytes, without @, : and ". Unique within each of the domains. */
  readonly username: Scalars['String']['input'];
};

/** A resource to create. Exactly one kind must be given. */
export type CreateChange = {
  /** The new Agent. */
  readonly agent?: InputMaybe<CreateAgentInput>;
  /** The new DID. */
  readonly did?: InputMaybe<CreateDidInput>;
  /** The new Domain. */
  readonly domain?: InputMaybe<CreateDomainInput>;
  /** The new Gateway. */
  readonly gateway?: InputMaybe<CreateGatewayInput>;
  /** A name for the resource in this request: 1 to 23 letters, digits, _ or -. Later changes use it as `#name`. */
  readonly localRef?: InputMaybe<Scalars['String']['input']>;
  /** The new Number. */
  readonly number?: InputMaybe<CreateNumberInput>;
  /** The new Peer. */
  readonly peer?: InputMaybe<CreatePeerInput>;
  /** The new Route. */
  readonly route?: InputMaybe<CreateRouteInput>;
};

/** A new DID. */
export type CreateDidInput = {
  /** The address of record to which calls to the number are routed, as a SIP URI. */
  readonly aorLink: Scalars['String']['input'];
  /** False: calls to the number do not ring. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** The targets after `aorLink`, which is the first, in order: addresses of record such as `sip:1002@sip.local`, and outside numbers such as `tel:+49301234`. A target without seconds rings together with the one before it, an outside number through one gateway; `tel:+49301234 after 20` rings when those before have rung for 20 seconds, or at once if they are busy, not registered or refuse. */
  readonly furtherTargets?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Reference of the Gateway that the number belongs to. */
  readonly gatewayRef: Scalars['String']['input'];
  /** The location of the number. */
  readonly geoInfo?: InputMaybe<GeoInfoInput>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The last number of a range, as a tel URI with as many digits as `telUrl`: all numbers from `telUrl` to this one, at most a million. A number inside that exists as a resource of its own comes before the range. Ranges cannot overlap, and a range cannot contain numbers of another gateway. */
  readonly lastTelUrl?: InputMaybe<Scalars['String']['input']>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<Scalars['String']['input']>;
  /** Reference: 1 to 24 letters, digits, _ or -, unique within the kind. Generated if omitted. */
  readonly ref?: InputMaybe<Scalars['String']['input']>;
  /** The number, as a tel URI (RFC 3966). With `lastTelUrl`, the first number of a range. */
  readonly telUrl: Scalars['String']['input'];
};

/** A new Domain. */
export type CreateDomainInput = {
  /** The addresses that may not register in this domain and call from or to its users, and exceptions. */
  readonly accessControlList?: InputMaybe<AccessControlListInput>;
  /** Minutes a day (UTC) of answered calls that leave from the domain to numbers that begin with a prefix, as `+1900=60`; at most 16. Every entry that matches the dialed number limits the call. Emergency calls are never refused. */
  readonly dailyMinutes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The domain, such as sip.local. */
  readonly domainUri: Scalars['String']['input'];
  /** How calls from this domain reach the telephone network. */
  readonly egressPolicy?: InputMaybe<EgressPolicyInput>;
  /** False: nobody can register in the domain or be called in it, and only its emergency numbers can be called from it. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Maximum number of concurrent calls from and to users of the domain, including ringing calls. Emergency calls are never refused. */
  readonly maxCalls?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum number of new calls from and to users of the domain in each second. Emergency calls are never refused. */
  readonly maxCallsPerSecond?: InputMaybe<Scalars['Int']['input']>;
  /** Display name. */
  readonly name: Scalars['String']['input'];
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<Scalars['String']['input']>;
  /** Reference: 1 to 24 letters, digits, _ or -, unique within the kind. Generated if omitted. */
  readonly ref?: InputMaybe<Scalars['String']['input']>;
};

/** A new Gateway. */
export type CreateGatewayInput = {
  /** User name in digests, if it differs from `username`. */
  readonly authUsername?: InputMaybe<Scalars['String']['input']>;
  /** Minutes a day (UTC) of answered calls that leave through the gateway to numbers that begin with a prefix, as `+1900=60`; at most 16. Every entry that matches the dialed number limits the call. Emergency calls are never refused. */
  readonly dailyMinutes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Where calls also go, besides `host`, which is the first destination: by priority, and shared by weight. */
  readonly destinations?: InputMaybe<ReadonlyArray<GatewayDestinationInput>>;
  /** True: no new call comes from the gateway or leaves through it. It stays registered, and calls in progress go on. */
  readonly draining?: InputMaybe<Scalars['Boolean']['input']>;
  /** False: no new call comes from the gateway or leaves through it, and it does not register. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Requested lifetime of the registration at the provider, in seconds (RFC 3261, 10.2). */
  readonly expires?: InputMaybe<Scalars['Int']['input']>;
  /** The host in From and P-Asserted-Identity of calls through the gateway; by default, its host and port. */
  readonly fromDomain?: InputMaybe<Scalars['String']['input']>;
  /** Host name or address of the provider's SIP server. */
  readonly host: Scalars['String']['input'];
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Maximum number of concurrent calls from and to the provider, including ringing calls. Emergency calls are never refused. */
  readonly maxCalls?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum number of new calls from and to the provider in each second. Emergency calls are never refused. */
  readonly maxCallsPerSecond?: InputMaybe<Scalars['Int']['input']>;
  /** Display name. */
  readonly name: Scalars['String']['input'];
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<Scalars['String']['input']>;
  /** How the provider writes numbers in SIP URIs, in calls to it and from it: `E164` (+4930123, the default), `E164_NO_PLUS` (4930123), or a country such as `DE` (030123, and 0033123 abroad). Numbers that are stored without `+` are sent with their digits. */
  readonly numberFormat?: InputMaybe<Scalars['String']['input']>;
  /** The host or host:port to which requests to the provider are sent, instead of its host. Calls of the provider come from there. */
  readonly outboundProxy?: InputMaybe<Scalars['String']['input']>;
  /** Port of the provider's SIP server; by default, that of the transport. */
  readonly port?: InputMaybe<Scalars['Int']['input']>;
  /** Reference: 1 to 24 letters, digits, _ or -, unique within the kind. Generated if omitted. */
  readonly ref?: InputMaybe<Scalars['String']['input']>;
  /** Further registrars of the provider, as host or host:port. Stored for clients; the SIP server registers only at `host`. */
  readonly registries?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Password at the provider; requires a user name. */
  readonly secret?: InputMaybe<Scalars['String']['input']>;
  /** Whether the SIP server registers at the provider. By default, it does if there is a user name and a secret. */
  readonly sendRegister?: InputMaybe<Scalars['Boolean']['input']>;
  /** Networks from which the provider also sends calls, besides the addresses of its host: addresses or CIDR blocks. */
  readonly sources?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** What stands before the called number in the Request-URI: up to 16 digits, `*` or `#`. */
  readonly technicalPrefix?: InputMaybe<Scalars['String']['input']>;
  /** Transport to the provider. */
  readonly transport: Transport;
  /** User name at the provider; requires a secret. A gateway without credentials is identified by its address. */
  readonly username?: InputMaybe<Scalars['String']['input']>;
};

/** A new Number. */
export type CreateNumberInput = {
  /** The address of record to which calls to the number are routed, as a SIP URI. */
  readonly aorLink: Scalars['String']['input'];
  /** False: calls to the number do not ring. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** The targets after `aorLink`, which is the first, in order: addresses of record such as `sip:1002@sip.local`, and outside numbers such as `tel:+49301234`. A target without seconds rings together with the one before it, an outside number through one gateway; `tel:+49301234 after 20` rings when those before have rung for 20 seconds, or at once if they are busy, not registered or refuse. */
  readonly furtherTargets?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Reference of the Gateway that the number belongs to. */
  readonly gatewayRef: Scalars['String']['input'];
  /** The location of the number. */
  readonly geoInfo?: InputMaybe<GeoInfoInput>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The last number of a range, as a tel URI with as many digits as `telUrl`: all numbers from `telUrl` to this one, at most a million. A number inside that exists as a resource of its own comes before the range. Ranges cannot overlap, and a range cannot contain numbers of another gateway. */
  readonly lastTelUrl?: InputMaybe<Scalars['String']['input']>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<Scalars['String']['input']>;
  /** Reference: 1 to 24 letters, digits, _ or -, unique within the kind. Generated if omitted. */
  readonly ref?: InputMaybe<Scalars['String']['input']>;
  /** The number, as a tel URI (RFC 3966). With `lastTelUrl`, the first number of a range. */
  readonly telUrl: Scalars['String']['input'];
};

/** A new Peer. */
export type CreatePeerInput = {
  /** References of the Numbers that the peer may show when it calls through the gateways of these numbers. Another number is replaced. */
  readonly callerNumberRefs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The host or host:port where the peer is reached while it is not registered. */
  readonly contactAddr?: InputMaybe<Scalars['String']['input']>;
  /** The product, such as Asterisk. */
  readonly device?: InputMaybe<Scalars['String']['input']>;
  /** False: the peer cannot register or be called, and can call only emergency numbers. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Display name. */
  readonly name: Scalars['String']['input'];
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<Scalars['String']['input']>;
  /** Reference: 1 to 24 letters, digits, _ or -, unique within the kind. Generated if omitted. */
  readonly ref?: InputMaybe<Scalars['String']['input']>;
  /** Password for digest authentication (RFC 3261, 22). */
  readonly secret: Scalars['String']['input'];
  /** Networks from which the calls of the peer come without a digest: addresses or CIDR blocks. The longest one that contains an address decides. */
  readonly sources?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** SIP user name: at most 64 bytes, without @, : and ". */
  readonly username: Scalars['String']['input'];
};

/** A new Route. */
export type CreateRouteInput = {
  /** Reference of the Domain whose calls the route carries. */
  readonly domainRef: Scalars['String']['input'];
  /** Whether `prefix` is a whole emergency number, such as 112. Calls to it leave through this route before anything else is looked at. */
  readonly emergency?: InputMaybe<Scalars['Boolean']['input']>;
  /** False: the route carries no calls, as if it did not exist. An emergency route is always enabled. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Display name. */
  readonly name: Scalars['String']['input'];
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<Scalars['String']['input']>;
  /** References of the Numbers that are the callers of the attempts, in order. The gateway of each number carries its attempt. */
  readonly numberRefs: ReadonlyArray<Scalars['String']['input']>;
  /** The beginning of the dialed numbers, such as `+49`; the empty text matches every number. Separators are removed, and `00` at the start becomes `+`. Unique within the domain. */
  readonly prefix: Scalars['String']['input'];
  /** Reference: 1 to 24 letters, digits, _ or -, unique within the kind. Generated if omitted. */
  readonly ref?: InputMaybe<Scalars['String']['input']>;
  /** The order of the numbers in `numberRefs`, an entry for each: those of the same priority come in an order that is random for each call, by weight (RFC 2782). By default, they come in the order of `numberRefs`. */
  readonly shares?: InputMaybe<ReadonlyArray<RouteShareInput>>;
};

/** A new user. */
export type CreateUserInput = {
  /** The role of the user. */
  readonly role: Role;
  /** Secret to sign in with: 8 to 100 characters. */
  readonly secret: Scalars['String']['input'];
  /** Name to sign in with: 1 to 100 characters without spaces and colons. */
  readonly username: Scalars['String']['input'];
};

/** A new API token. */
export type CreatedApiToken = {
  /** What is stored about the API token. */
  readonly apiToken: ApiToken;
  /** The token: send it as `Authorization: Bearer <token>`. It is shown only here, because only its hash is stored. Empty after a dry run. */
  readonly token: Scalars['String']['output'];
};

/** A webhook with its new secret. */
export type CreatedWebhook = {
  /** The secret that signs the messages, in the format of Standard Webhooks. It is shown only here. Empty after a dry run. */
  readonly secret: Scalars['String']['output'];
  /** The webhook. */
  readonly webhook: Webhook;
};

/** A direct inward dialling number. Calls to it arrive through its gateway and are routed to its address of record. */
export type Did = Node & Resource & {
  /** The address of record to which calls to the number are routed, as a SIP URI. */
  readonly aorLink: Scalars['String']['output'];
  /** Version of the resource definitions: v1beta1. */
  readonly apiVersion: Scalars['String']['output'];
  /** The calls of the DID, newest first. */
  readonly calls: CallConnection;
  /** The devices that are currently registered for this DID. */
  readonly contacts: ReadonlyArray<Contact>;
  /** When the resource was created. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** False: calls to the number do not ring. By default, true. */
  readonly enabled: Maybe<Scalars['Boolean']['output']>;
  /** The targets after `aorLink`, which is the first, in order: addresses of record such as `sip:1002@sip.local`, and outside numbers such as `tel:+49301234`. A target without seconds rings together with the one before it, an outside number through one gateway; `tel:+49301234 after 20` rings when those before have rung for 20 seconds, or at once if they are busy, not registered or refuse. */
  readonly furtherTargets: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** The gateway that the number belongs to. */
  readonly gateway: Gateway;
  /** Reference of the Gateway that the number belongs to. */
  readonly gatewayRef: Scalars['String']['output'];
  /** The location of the number. */
  readonly geoInfo: Maybe<GeoInfo>;
  /** Who changed the DID, newest first. */
  readonly history: HistoryEntryConnection;
  /** Opaque and globally unique. Pass it to `node` and `nodes`. */
  readonly id: Scalars['ID']['output'];
  /** The kind of the resource. */
  readonly kind: ResourceKind;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** The last number of a range, as a tel URI with as many digits as `telUrl`: all numbers from `telUrl` to this one, at most a million. A number inside that exists as a resource of its own comes before the range. Ranges cannot overlap, and a range cannot contain numbers of another gateway. */
  readonly lastTelUrl: Maybe<Scalars['String']['output']>;
  /** When the resource was last changed. */
  readonly modifiedOn: Scalars['DateTimeISO']['output'];
  /** A note for people: at most 1,000 characters. */
  readonly note: Maybe<Scalars['String']['output']>;
  /** Reference, unique within the kind. Generated if it was not given. */
  readonly ref: Scalars['String']['output'];
  /** The Agent or Peer that aorLink names; null if there is none. */
  readonly target: Maybe<Target>;
  /** Whom calls to the number reach, in order: `aorLink`, and then `furtherTargets`. */
  readonly targets: ReadonlyArray<NumberTarget>;
  /** The number, as a tel URI (RFC 3966). With `lastTelUrl`, the first number of a range. */
  readonly telUrl: Scalars['String']['output'];
};


/** A direct inward dialling number. Calls to it arrive through its gateway and are routed to its address of record. */
export type DidCallsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A direct inward dialling number. Calls to it arrive through its gateway and are routed to its address of record. */
export type DidHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of a list of type DID (Relay). */
export type DidConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<DidEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<Did>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** An item of a list of type DID, with its cursor (Relay). */
export type DidEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: Did;
};

/** A sort order of lists of type DID. */
export type DidOrder = {
  /** The direction. */
  readonly direction?: OrderDirection;
  /** The field to sort by. */
  readonly field: DidOrderField;
};

/** Fields that lists of type DID can be sorted by. */
export type DidOrderField =
  /** The address of record to which calls to the number are routed, as a SIP URI. */
  | 'AOR_LINK'
  /** When the resource was created. */
  | 'CREATED_ON'
  /** False: calls to the number do not ring. By default, true. */
  | 'ENABLED'
  /** Reference of the Gateway that the number belongs to. */
  | 'GATEWAY_REF'
  /** City. */
  | 'GEO_INFO_CITY'
  /** Name of the country. */
  | 'GEO_INFO_COUNTRY'
  /** Two-letter code of the country (ISO 3166-1). */
  | 'GEO_INFO_COUNTRY_ISOCODE'
  /** The last number of a range, as a tel URI with as many digits as `telUrl`: all numbers from `telUrl` to this one, at most a million. A number inside that exists as a resource of its own comes before the range. Ranges cannot overlap, and a range cannot contain numbers of another gateway. */
  | 'LAST_TEL_URL'
  /** When the resource was last changed. */
  | 'MODIFIED_ON'
  /** Reference. */
  | 'REF'
  /** The number, as a tel URI (RFC 3966). With `lastTelUrl`, the first number of a range. */
  | 'TEL_URL';

/** Conditions on a DID; all must hold. */
export type DidWhere = {
  /** All of these conditions hold. */
  readonly and?: InputMaybe<ReadonlyArray<DidWhere>>;
  /** The address of record to which calls to the number are routed, as a SIP URI. */
  readonly aorLink?: InputMaybe<TextFilter>;
  /** The number itself, such as `+4930100123`, or the range that contains it. Uses an index. */
  readonly covers?: InputMaybe<Scalars['String']['input']>;
  /** When the resource was created. */
  readonly createdOn?: InputMaybe<DateTimeFilter>;
  /** False: calls to the number do not ring. By default, true. */
  readonly enabled?: InputMaybe<BooleanFilter>;
  /** The targets after `aorLink`, which is the first, in order: addresses of record such as `sip:1002@sip.local`, and outside numbers such as `tel:+49301234`. A target without seconds rings together with the one before it, an outside number through one gateway; `tel:+49301234 after 20` rings when those before have rung for 20 seconds, or at once if they are busy, not registered or refuse. */
  readonly furtherTargets?: InputMaybe<TextListFilter>;
  /** The gateway that the number belongs to. */
  readonly gateway?: InputMaybe<GatewayWhere>;
  /** Reference of the Gateway that the number belongs to. */
  readonly gatewayRef?: InputMaybe<TextFilter>;
  /** The location of the number. */
  readonly geoInfo?: InputMaybe<GeoInfoWhere>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<TextListFilter>;
  /** The last number of a range, as a tel URI with as many digits as `telUrl`: all numbers from `telUrl` to this one, at most a million. A number inside that exists as a resource of its own comes before the range. Ranges cannot overlap, and a range cannot contain numbers of another gateway. */
  readonly lastTelUrl?: InputMaybe<TextFilter>;
  /** When the resource was last changed. */
  readonly modifiedOn?: InputMaybe<DateTimeFilter>;
  /** These conditions do not hold. */
  readonly not?: InputMaybe<DidWhere>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<TextFilter>;
  /** At least one of these conditions holds. */
  readonly or?: InputMaybe<ReadonlyArray<DidWhere>>;
  /** Reference of the resource. */
  readonly ref?: InputMaybe<TextFilter>;
  /** The Agent or Peer that aorLink names. */
  readonly target?: InputMaybe<TargetWhere>;
  /** The Agents and Peers that aorLink and furtherTargets name. At least one must meet these conditions. */
  readonly targets?: InputMaybe<TargetWhere>;
  /** The number, as a tel URI (RFC 3966). With `lastTelUrl`, the first number of a range. */
  readonly telUrl?: InputMaybe<TextFilter>;
};

/** Conditions on a time; all must hold. */
export type DateTimeFilter = {
  /** Equal to this value. */
  readonly eq?: InputMaybe<Scalars['DateTimeISO']['input']>;
  /** Greater than this value. Texts are compared by code points. */
  readonly gt?: InputMaybe<Scalars['DateTimeISO']['input']>;
  /** Greater than or equal to this value. */
  readonly gte?: InputMaybe<Scalars['DateTimeISO']['input']>;
  /** Less than this value. */
  readonly lt?: InputMaybe<Scalars['DateTimeISO']['input']>;
  /** Less than or equal to this value. */
  readonly lte?: InputMaybe<Scalars['DateTimeISO']['input']>;
  /** Not equal to this value. */
  readonly ne?: InputMaybe<Scalars['DateTimeISO']['input']>;
};

/** A resource to delete. No other resource may refer to it. */
export type DeleteChange = {
  /** The `modifiedOn` that you have read. If the resource was changed later, by another request, nothing is changed. */
  readonly ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  /** The kind of the resource. */
  readonly kind: ResourceKind;
  /** Reference of the resource, or `#` and a `localRef`. */
  readonly ref: Scalars['String']['input'];
};

/** The use of a deprecated element of this graph. */
export type DeprecatedUse = {
  /** The number of requests that used it. */
  readonly count: Scalars['Float']['output'];
  /** The element: a field such as `Gateway.host`, an argument such as `Query.dids(filter:)`, or a value. */
  readonly field: Scalars['String']['output'];
  /** The day (its start, in UTC) on which it was last used. */
  readonly lastUsedOn: Scalars['DateTimeISO']['output'];
};

/** A destination of a gateway stopped responding to OPTIONS, or responds again. A check that finds the same is not an event. */
export type DestinationHealthChange = Change & {
  /** When the event was recorded. */
  readonly at: Scalars['DateTimeISO']['output'];
  /** The position of the event in the stream of changes. Pass it as `since` to any subscription to continue after it. */
  readonly cursor: Scalars['String']['output'];
  /** The destination now; null if its gateway was deleted long ago. */
  readonly destination: Maybe<ChangedDestination>;
  /** The gateway, if it no longer exists, also if another one has its reference since; null if it exists. */
  readonly former: Maybe<FormerResource>;
  /** The current state of the gateway; null if it does not exist, also if another one has its reference since. */
  readonly gateway: Maybe<Gateway>;
  /** The gateway's reference. */
  readonly gatewayRef: Scalars['String']['output'];
  /** The new state. */
  readonly state: GatewayHealthState;
};

/** A SIP domain. The SIP server is its registrar. */
export type Domain = Node & Resource & {
  /** The addresses that may not register in this domain and call from or to its users, and exceptions. */
  readonly accessControlList: Maybe<AccessControlList>;
  /** The agents of this domain. */
  readonly agents: AgentConnection;
  /** Version of the resource definitions: v1beta1. */
  readonly apiVersion: Scalars['String']['output'];
  /** The calls of the Domain, newest first. */
  readonly calls: CallConnection;
  /** When the resource was created. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** Minutes a day (UTC) of answered calls that leave from the domain to numbers that begin with a prefix, as `+1900=60`; at most 16. Every entry that matches the dialed number limits the call. Emergency calls are never refused. */
  readonly dailyMinutes: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** The domain, such as sip.local. */
  readonly domainUri: Scalars['String']['output'];
  /** The number that is the caller of calls to the telephone network, and whose gateway carries them. */
  readonly egressNumber: Maybe<Number>;
  /** How calls from this domain reach the telephone network. */
  readonly egressPolicy: Maybe<EgressPolicy>;
  /** False: nobody can register in the domain or be called in it, and only its emergency numbers can be called from it. By default, true. */
  readonly enabled: Maybe<Scalars['Boolean']['output']>;
  /** Who changed the Domain, newest first. */
  readonly history: HistoryEntryConnection;
  /** Opaque and globally unique. Pass it to `node` and `nodes`. */
  readonly id: Scalars['ID']['output'];
  /** The kind of the resource. */
  readonly kind: ResourceKind;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** The calls in progress that count for the limits of the Domain; null if it was deleted meanwhile. */
  readonly limits: Maybe<CallLimits>;
  /** Maximum number of concurrent calls from and to users of the domain, including ringing calls. Emergency calls are never refused. */
  readonly maxCalls: Maybe<Scalars['Int']['output']>;
  /** Maximum number of new calls from and to users of the domain in each second. Emergency calls are never refused. */
  readonly maxCallsPerSecond: Maybe<Scalars['Int']['output']>;
  /** When the resource was last changed. */
  readonly modifiedOn: Scalars['DateTimeISO']['output'];
  /** Display name. */
  readonly name: Scalars['String']['output'];
  /** A note for people: at most 1,000 characters. */
  readonly note: Maybe<Scalars['String']['output']>;
  /** Reference, unique within the kind. Generated if it was not given. */
  readonly ref: Scalars['String']['output'];
  /** The ways out of this domain. */
  readonly routes: RouteConnection;
};


/** A SIP domain. The SIP server is its registrar. */
export type DomainAgentsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<AgentOrder>>;
  where?: InputMaybe<AgentWhere>;
};


/** A SIP domain. The SIP server is its registrar. */
export type DomainCallsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A SIP domain. The SIP server is its registrar. */
export type DomainHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A SIP domain. The SIP server is its registrar. */
export type DomainRoutesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<RouteOrder>>;
  where?: InputMaybe<RouteWhere>;
};

/** A page of a list of type Domain (Relay). */
export type DomainConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<DomainEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<Domain>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** An item of a list of type Domain, with its cursor (Relay). */
export type DomainEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: Domain;
};

/** A sort order of lists of type Domain. */
export type DomainOrder = {
  /** The direction. */
  readonly direction?: OrderDirection;
  /** The field to sort by. */
  readonly field: DomainOrderField;
};

/** Fields that lists of type Domain can be sorted by. */
export type DomainOrderField =
  /** When the resource was created. */
  | 'CREATED_ON'
  /** The domain, such as sip.local. */
  | 'DOMAIN_URI'
  /** Reference of the Number that is the caller of these calls, and whose gateway carries them. */
  | 'EGRESS_POLICY_NUMBER_REF'
  /** Regular expression. Calls to a number or name that matches it leave through `numberRef`. */
  | 'EGRESS_POLICY_RULE'
  /** False: nobody can register in the domain or be called in it, and only its emergency numbers can be called from it. By default, true. */
  | 'ENABLED'
  /** Maximum number of concurrent calls from and to users of the domain, including ringing calls. Emergency calls are never refused. */
  | 'MAX_CALLS'
  /** Maximum number of new calls from and to users of the domain in each second. Emergency calls are never refused. */
  | 'MAX_CALLS_PER_SECOND'
  /** When the resource was last changed. */
  | 'MODIFIED_ON'
  /** Display name. */
  | 'NAME'
  /** Reference. */
  | 'REF';

/** The domain of the address of record. */
export type DomainStep = ExplanationStep & {
  /** Whether this is the first link that does not work. */
  readonly broken: Scalars['Boolean']['output'];
  /** The domain; null if there is none. */
  readonly domain: Maybe<Domain>;
  /** The state of the link. */
  readonly state: StepState;
  /** If the number, domain or user name does not exist: an existing one that differs by one character; null if there is none. */
  readonly suggestion: Maybe<Scalars['String']['output']>;
  /** A description of the state. */
  readonly summary: Scalars['String']['output'];
};

/** Conditions on a Domain; all must hold. */
export type DomainWhere = {
  /** The addresses that may not register in this domain and call from or to its users, and exceptions. */
  readonly accessControlList?: InputMaybe<AccessControlListWhere>;
  /** The agents of this domain. At least one must meet these conditions. */
  readonly agents?: InputMaybe<AgentWhere>;
  /** All of these conditions hold. */
  readonly and?: InputMaybe<ReadonlyArray<DomainWhere>>;
  /** When the resource was created. */
  readonly createdOn?: InputMaybe<DateTimeFilter>;
  /** Minutes a day (UTC) of answered calls that leave from the domain to numbers that begin with a prefix, as `+1900=60`; at most 16. Every entry that matches the dialed number limits the call. Emergency calls are never refused. */
  readonly dailyMinutes?: InputMaybe<TextListFilter>;
  /** The domain, such as sip.local. */
  readonly domainUri?: InputMaybe<TextFilter>;
  /** The number that is the caller of calls to the telephone network, and whose gateway carries them. */
  readonly egressNumber?: InputMaybe<NumberWhere>;
  /** How calls from this domain reach the telephone network. */
  readonly egressPolicy?: InputMaybe<EgressPolicyWhere>;
  /** False: nobody can register in the domain or be called in it, and only its emergency numbers can be called from it. By default, true. */
  readonly enabled?: InputMaybe<BooleanFilter>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<TextListFilter>;
  /** Maximum number of concurrent calls from and to users of the domain, including ringing calls. Emergency calls are never refused. */
  readonly maxCalls?: InputMaybe<IntFilter>;
  /** Maximum number of new calls from and to users of the domain in each second. Emergency calls are never refused. */
  readonly maxCallsPerSecond?: InputMaybe<IntFilter>;
  /** When the resource was last changed. */
  readonly modifiedOn?: InputMaybe<DateTimeFilter>;
  /** Display name. */
  readonly name?: InputMaybe<TextFilter>;
  /** These conditions do not hold. */
  readonly not?: InputMaybe<DomainWhere>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<TextFilter>;
  /** At least one of these conditions holds. */
  readonly or?: InputMaybe<ReadonlyArray<DomainWhere>>;
  /** Reference of the resource. */
  readonly ref?: InputMaybe<TextFilter>;
  /** The ways out of this domain. At least one must meet these conditions. */
  readonly routes?: InputMaybe<RouteWhere>;
};

/** How calls from this domain reach the telephone network. */
export type EgressPolicy = {
  /** Reference of the Number that is the caller of these calls, and whose gateway carries them. */
  readonly numberRef: Scalars['String']['output'];
  /** Regular expression. Calls to a number or name that matches it leave through `numberRef`. */
  readonly rule: Scalars['String']['output'];
};

/** How calls from this domain reach the telephone network. */
export type EgressPolicyInput = {
  /** Reference of the Number that is the caller of these calls, and whose gateway carries them. */
  readonly numberRef?: InputMaybe<Scalars['String']['input']>;
  /** Regular expression. Calls to a number or name that matches it leave through `numberRef`. */
  readonly rule?: InputMaybe<Scalars['String']['input']>;
};

/** How calls from this domain reach the telephone network. */
export type EgressPolicyWhere = {
  /** Reference of the Number that is the caller of these calls, and whose gateway carries them. */
  readonly numberRef?: InputMaybe<TextFilter>;
  /** Regular expression. Calls to a number or name that matches it leave through `numberRef`. */
  readonly rule?: InputMaybe<TextFilter>;
};

/** An environment variable. */
export type EnvironmentVariable = {
  /** Value. */
  readonly value: Scalars['String']['output'];
  /** Name. */
  readonly var: Scalars['String']['output'];
};

/** The values of `extensions.code` of an error. `extensions.status` is the legacy status, and `extensions.fields` names the invalid fields. */
export type ErrorCode =
  /** The input is invalid; nothing was changed (status 400). */
  | 'BAD_USER_INPUT'
  /** A resource with the same ref, natural key or range already exists, the resource was changed in the meantime (`ifUnchangedSince`, `expectedCount`, reverts and confirmations), or a limit is reached, such as that of exports: the message says what to do (status 409). */
  | 'CONFLICT'
  /** The events after the cursor are not available: the cursor is too old, or belongs to another database or to one before a backup was restored. Read the current state, and subscribe without it (status 410). */
  | 'CURSOR_GONE'
  /** The resource cannot be deleted while others refer to it (status 4092). */
  | 'DEPENDENT_OBJECTS'
  /** The user's role does not permit the operation (status 403). */
  | 'FORBIDDEN'
  /** The document cannot be parsed (status 400). */
  | 'GRAPHQL_PARSE_FAILED'
  /** The document does not match the schema, or exceeds a limit (status 400). */
  | 'GRAPHQL_VALIDATION_FAILED'
  /** An unexpected failure (status 500). The log contains it under `extensions.requestId`. */
  | 'INTERNAL_SERVER_ERROR'
  /** The requested object does not exist (status 404). */
  | 'NOT_FOUND'
  /** The operation is not supported, or needs another setting (status 405). */
  | 'NOT_SUPPORTED'
  /** A limit on failed sign-ins, requests or work was exceeded (status 429). */
  | 'RATE_LIMITED'
  /** The response is longer than 32 MiB, or its lists have more than 20,000 objects; request less (status 400). A mutation has been executed. */
  | 'RESPONSE_TOO_LARGE'
  /** The token is missing or invalid, or the name or secret is wrong (status 401). */
  | 'UNAUTHENTICATED'
  /** The server is overloaded, or the database or the SIP server is unreachable or too slow. The same request may succeed later (status 503). */
  | 'UNAVAILABLE'
  /** A resource that the input refers to does not exist (status 4091). */
  | 'UNFULFILLED_DEPENDENCY';

/** A link in the path of a call. */
export type ExplanationStep = {
  /** Whether this is the first link that does not work. */
  readonly broken: Scalars['Boolean']['output'];
  /** The state of the link. */
  readonly state: StepState;
  /** If the number, domain or user name does not exist: an existing one that differs by one character; null if there is none. */
  readonly suggestion: Maybe<Scalars['String']['output']>;
  /** A description of the state. */
  readonly summary: Scalars['String']['output'];
};

/** A file that is written in the background. */
export type Export = {
  /** Path and query of the file, which needs no token: whoever has it can download the file until `expiresOn`, also in parts (Range). Null until the file is complete. */
  readonly address: Maybe<Scalars['String']['output']>;
  /** When it was started. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** When the file and the export are deleted: an hour after `finishedOn`; null while it runs. */
  readonly expiresOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** When it ended; null while it runs. */
  readonly finishedOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** The format. */
  readonly format: ExportFormat;
  /** Why it failed; null otherwise. */
  readonly problem: Maybe<Scalars['String']['output']>;
  /** Reference of the export. */
  readonly ref: Scalars['String']['output'];
  /** Rows in the file until now. */
  readonly rows: Scalars['Float']['output'];
  /** Bytes of the file until now. */
  readonly size: Scalars['Float']['output'];
  /** What is exported: `calls`, `history` or a list of resources, such as `agents`. */
  readonly source: Scalars['String']['output'];
  /** The state. */
  readonly state: ExportState;
  /** Rows that there were at the beginning; null until they are counted, and if that takes too long. */
  readonly total: Maybe<Scalars['Float']['output']>;
};

/** The format of a file. */
export type ExportFormat =
  /** A header, and a line for each row. That of resources is what `importCsv` reads. No cell is a formula. */
  | 'CSV'
  /** A JSON object on each line: a document of a resource as in REST, without secrets, or the columns of CSV as members. */
  | 'JSONL';

/** What to export: exactly one member, with its conditions; `{}` selects all. */
export type ExportOf = {
  /** Resources of the kind Agent, in creation order. */
  readonly agents?: InputMaybe<AgentWhere>;
  /** Calls, newest first. */
  readonly calls?: InputMaybe<CallWhere>;
  /** Resources of the kind DID, in creation order. */
  readonly dids?: InputMaybe<DidWhere>;
  /** Resources of the kind Domain, in creation order. */
  readonly domains?: InputMaybe<DomainWhere>;
  /** Resources of the kind Gateway, in creation order. */
  readonly gateways?: InputMaybe<GatewayWhere>;
  /** Entries of the history, newest first. */
  readonly history?: InputMaybe<HistoryWhere>;
  /** Resources of the kind Number, in creation order. */
  readonly numbers?: InputMaybe<NumberWhere>;
  /** Resources of the kind Peer, in creation order. */
  readonly peers?: InputMaybe<PeerWhere>;
  /** Resources of the kind Route, in creation order. */
  readonly routes?: InputMaybe<RouteWhere>;
};

/** The state of an export. */
export type ExportState =
  /** It was cancelled: it is no longer listed, and its file is deleted. */
  | 'CANCELLED'
  /** The file is complete. */
  | 'DONE'
  /** It ended before the file was complete: see `problem`. */
  | 'FAILED'
  /** It waits for its turn, or is being written. */
  | 'RUNNING';

/** Which failed calls a webhook is told about. All conditions must hold. */
export type FailedCallRule = {
  /** Reference of the agent that called or was called. */
  readonly agentRef: Maybe<Scalars['String']['output']>;
  /** How many calls must fail within `minutes` before a message is sent: 1 to 100,000. */
  readonly count: Scalars['Int']['output'];
  /** Digits of the DID or Number that was called, or calls out. */
  readonly digits: Maybe<Scalars['String']['output']>;
  /** Where the call came from and went. */
  readonly direction: Maybe<CallDirection>;
  /** Reference of the domain of the caller, or of the called one for a caller without. */
  readonly domainRef: Maybe<Scalars['String']['output']>;
  /** Reference of the gateway. */
  readonly gatewayRef: Maybe<Scalars['String']['output']>;
  /** The lowest final status, from 300 to 699, such as 500. */
  readonly minStatus: Maybe<Scalars['Int']['output']>;
  /** The minutes within which `count` calls must fail, and the shortest time between two messages: 1 to 1,440. */
  readonly minutes: Scalars['Int']['output'];
  /** Reference of the peer that called or was called. */
  readonly peerRef: Maybe<Scalars['String']['output']>;
  /** Part of the reason phrase or of the header Reason, ignoring case. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** Reference of the route by which the call left. */
  readonly routeRef: Maybe<Scalars['String']['output']>;
};

/** Which failed calls a webhook is told about. All conditions must hold. */
export type FailedCallRuleInput = {
  /** Reference of the agent that called or was called. */
  readonly agentRef?: InputMaybe<Scalars['String']['input']>;
  /** How many calls must fail within `minutes` before a message is sent: 1 to 100,000. */
  readonly count?: Scalars['Int']['input'];
  /** Digits of the DID or Number that was called, or calls out. */
  readonly digits?: InputMaybe<Scalars['String']['input']>;
  /** Where the call came from and went. */
  readonly direction?: InputMaybe<CallDirection>;
  /** Reference of the domain of the caller, or of the called one for a caller without. */
  readonly domainRef?: InputMaybe<Scalars['String']['input']>;
  /** Reference of the gateway. */
  readonly gatewayRef?: InputMaybe<Scalars['String']['input']>;
  /** The lowest final status, from 300 to 699, such as 500. */
  readonly minStatus?: InputMaybe<Scalars['Int']['input']>;
  /** The minutes within which `count` calls must fail, and the shortest time between two messages: 1 to 1,440. */
  readonly minutes?: Scalars['Int']['input'];
  /** Reference of the peer that called or was called. */
  readonly peerRef?: InputMaybe<Scalars['String']['input']>;
  /** Part of the reason phrase or of the header Reason, ignoring case. */
  readonly reason?: InputMaybe<Scalars['String']['input']>;
  /** Reference of the route by which the call left. */
  readonly routeRef?: InputMaybe<Scalars['String']['input']>;
};

/** A field that changed. */
export type FieldChange = {
  /** The value after, as text; null if there is none. */
  readonly after: Maybe<Scalars['String']['output']>;
  /** The value before, as text; null if there was none. */
  readonly before: Maybe<Scalars['String']['output']>;
  /** Name of the field. `extra` stands for all members that only REST knows; they have no values here. */
  readonly field: Scalars['String']['output'];
  /** Whether the values stand for secrets: random digits, which only tell that the secret changed; `***` for viewers. */
  readonly isSecret: Scalars['Boolean']['output'];
};

/** A resource that no longer exists. Another one may have its reference since. */
export type FormerResource = {
  /** The kind. */
  readonly kind: ResourceKind;
  /** What it was called then: its name, host or telephone number; null if the history that tells is not kept (HISTORY_DAYS). */
  readonly name: Maybe<Scalars['String']['output']>;
  /** Its reference. The history tells what became of it. */
  readonly ref: Scalars['String']['output'];
};

/** A SIP trunk: the server of a provider that connects calls to and from the telephone network. */
export type Gateway = Node & Resource & {
  /** Version of the resource definitions: v1beta1. */
  readonly apiVersion: Scalars['String']['output'];
  /** User name in digests, if it differs from `username`. */
  readonly authUsername: Maybe<Scalars['String']['output']>;
  /** For how long the gateway was registered at its provider; null if nothing is known of this time. */
  readonly availability: Maybe<Availability>;
  /** The calls of the Gateway, newest first. */
  readonly calls: CallConnection;
  /** When the resource was created. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** Minutes a day (UTC) of answered calls that leave through the gateway to numbers that begin with a prefix, as `+1900=60`; at most 16. Every entry that matches the dialed number limits the call. Emergency calls are never refused. */
  readonly dailyMinutes: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Where calls also go, besides `host`, which is the first destination: by priority, and shared by weight. */
  readonly destinations: Maybe<ReadonlyArray<GatewayDestination>>;
  /** The DIDs that belong to this gateway. */
  readonly dids: DidConnection;
  /** True: no new call comes from the gateway or leaves through it. It stays registered, and calls in progress go on. */
  readonly draining: Maybe<Scalars['Boolean']['output']>;
  /** False: no new call comes from the gateway or leaves through it, and it does not register. By default, true. */
  readonly enabled: Maybe<Scalars['Boolean']['output']>;
  /** Requested lifetime of the registration at the provider, in seconds (RFC 3261, 10.2). */
  readonly expires: Maybe<Scalars['Int']['output']>;
  /** The host in From and P-Asserted-Identity of calls through the gateway; by default, its host and port. */
  readonly fromDomain: Maybe<Scalars['String']['output']>;
  /** Whether the host responds to the OPTIONS that the SIP server sends. */
  readonly health: GatewayHealth;
  /** Who changed the Gateway, newest first. */
  readonly history: HistoryEntryConnection;
  /** Host name or address of the provider's SIP server. */
  readonly host: Scalars['String']['output'];
  /** Opaque and globally unique. Pass it to `node` and `nodes`. */
  readonly id: Scalars['ID']['output'];
  /** The kind of the resource. */
  readonly kind: ResourceKind;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** The calls in progress that count for the limits of the Gateway; null if it was deleted meanwhile. */
  readonly limits: Maybe<CallLimits>;
  /** Maximum number of concurrent calls from and to the provider, including ringing calls. Emergency calls are never refused. */
  readonly maxCalls: Maybe<Scalars['Int']['output']>;
  /** Maximum number of new calls from and to the provider in each second. Emergency calls are never refused. */
  readonly maxCallsPerSecond: Maybe<Scalars['Int']['output']>;
  /** When the resource was last changed. */
  readonly modifiedOn: Scalars['DateTimeISO']['output'];
  /** Display name. */
  readonly name: Scalars['String']['output'];
  /** A note for people: at most 1,000 characters. */
  readonly note: Maybe<Scalars['String']['output']>;
  /** How the provider writes numbers in SIP URIs, in calls to it and from it: `E164` (+4930123, the default), `E164_NO_PLUS` (4930123), or a country such as `DE` (030123, and 0033123 abroad). Numbers that are stored without `+` are sent with their digits. */
  readonly numberFormat: Maybe<Scalars['String']['output']>;
  /** The numbers that belong to this gateway. */
  readonly numbers: NumberConnection;
  /** The host or host:port to which requests to the provider are sent, instead of its host. Calls of the provider come from there. */
  readonly outboundProxy: Maybe<Scalars['String']['output']>;
  /** Port of the provider's SIP server; by default, that of the transport. */
  readonly port: Maybe<Scalars['Int']['output']>;
  /** Reference, unique within the kind. Generated if it was not given. */
  readonly ref: Scalars['String']['output'];
  /** The registration at the provider, or the result of the last attempt; null if no attempt is recorded. */
  readonly registration: Maybe<Registration>;
  /** When the provider granted or refused the registration, or did not respond; newest first. */
  readonly registrationEvents: RegistrationEventConnection;
  /** Further registrars of the provider, as host or host:port. Stored for clients; the SIP server registers only at `host`. */
  readonly registries: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Whether a secret is set. The secret itself is never returned. */
  readonly secretSet: Scalars['Boolean']['output'];
  /** Whether the SIP server registers at the provider. By default, it does if there is a user name and a secret. */
  readonly sendRegister: Maybe<Scalars['Boolean']['output']>;
  /** Networks from which the provider also sends calls, besides the addresses of its host: addresses or CIDR blocks. */
  readonly sources: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** What stands before the called number in the Request-URI: up to 16 digits, `*` or `#`. */
  readonly technicalPrefix: Maybe<Scalars['String']['output']>;
  /** Transport to the provider. */
  readonly transport: Transport;
  /** User name at the provider; requires a secret. A gateway without credentials is identified by its address. */
  readonly username: Maybe<Scalars['String']['output']>;
};


/** A SIP trunk: the server of a provider that connects calls to and from the telephone network. */
export type GatewayAvailabilityArgs = {
  from?: InputMaybe<Scalars['DateTimeISO']['input']>;
  to?: InputMaybe<Scalars['DateTimeISO']['input']>;
};


/** A SIP trunk: the server of a provider that connects calls to and from the telephone network. */
export type GatewayCallsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A SIP trunk: the server of a provider that connects calls to and from the telephone network. */
export type GatewayDidsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<DidOrder>>;
  where?: InputMaybe<DidWhere>;
};


/** A SIP trunk: the server of a provider that connects calls to and from the telephone network. */
export type GatewayHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A SIP trunk: the server of a provider that connects calls to and from the telephone network. */
export type GatewayNumbersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<NumberOrder>>;
  where?: InputMaybe<NumberWhere>;
};


/** A SIP trunk: the server of a provider that connects calls to and from the telephone network. */
export type GatewayRegistrationEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of a list of type Gateway (Relay). */
export type GatewayConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<GatewayEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<Gateway>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** A place to which calls of a gateway go besides its host. */
export type GatewayDestination = {
  /** True: no new call goes to it, except to an emergency number. Calls in progress go on, and its health is checked. */
  readonly draining: Maybe<Scalars['Boolean']['output']>;
  /** False: no call goes to it. By default, true. */
  readonly enabled: Maybe<Scalars['Boolean']['output']>;
  /** Whether the destination responds to the OPTIONS that the SIP server sends. */
  readonly health: GatewayHealth;
  /** Host name or address of the SIP server. */
  readonly host: Scalars['String']['output'];
  /** By default, that of the transport. */
  readonly port: Maybe<Scalars['Int']['output']>;
  /** Lower priorities are called first (RFC 2782). The host of the gateway has 0; by default, 1. */
  readonly priority: Maybe<Scalars['Int']['output']>;
  /** By default, that of the gateway. */
  readonly transport: Maybe<Transport>;
  /** The share of the calls among destinations of the same priority (RFC 2782). The host of the gateway has 10; by default, 10. */
  readonly weight: Maybe<Scalars['Int']['output']>;
};

/** A place to which calls of a gateway go besides its host. */
export type GatewayDestinationInput = {
  /** True: no new call goes to it, except to an emergency number. Calls in progress go on, and its health is checked. */
  readonly draining?: InputMaybe<Scalars['Boolean']['input']>;
  /** False: no call goes to it. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Host name or address of the SIP server. */
  readonly host: Scalars['String']['input'];
  /** By default, that of the transport. */
  readonly port?: InputMaybe<Scalars['Int']['input']>;
  /** Lower priorities are called first (RFC 2782). The host of the gateway has 0; by default, 1. */
  readonly priority?: InputMaybe<Scalars['Int']['input']>;
  /** By default, that of the gateway. */
  readonly transport?: InputMaybe<Transport>;
  /** The share of the calls among destinations of the same priority (RFC 2782). The host of the gateway has 10; by default, 10. */
  readonly weight?: InputMaybe<Scalars['Int']['input']>;
};

/** Conditions on a list of entries; all must hold. */
export type GatewayDestinationListFilter = {
  /** The draining of each entry. */
  readonly draining?: InputMaybe<BooleanListFilter>;
  /** The enabled of each entry. */
  readonly enabled?: InputMaybe<BooleanListFilter>;
  /** The host of each entry. */
  readonly host?: InputMaybe<TextListFilter>;
  /** Whether the list is empty. */
  readonly isEmpty?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether the value is null. All other conditions are false for null. */
  readonly isNull?: InputMaybe<Scalars['Boolean']['input']>;
  /** The port of each entry. */
  readonly port?: InputMaybe<IntListFilter>;
  /** The priority of each entry. */
  readonly priority?: InputMaybe<IntListFilter>;
  /** The transport of each entry. */
  readonly transport?: InputMaybe<TransportListFilter>;
  /** The weight of each entry. */
  readonly weight?: InputMaybe<IntListFilter>;
};

/** The result of an OPTIONS request (RFC 3261, 11) that the SIP server sent to a destination of a gateway. */
export type GatewayDestinationTest = {
  /** The address and port to which the request was sent; null if the host has none. */
  readonly address: Maybe<Scalars['String']['output']>;
  /** Host name or address of the destination. */
  readonly host: Scalars['String']['output'];
  /** What came back; null if nothing was sent, because it was tested less than 2 seconds ago, or the SIP server does not support the transport. */
  readonly outcome: Maybe<GatewayTestOutcome>;
  /** Its port; null for that of the transport. */
  readonly port: Maybe<Scalars['Int']['output']>;
  /** The reason phrase of the response, such as OK; null if there was none. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** Milliseconds until the response; null if there was none. */
  readonly roundTrip: Maybe<Scalars['Int']['output']>;
  /** The status code of the response; null if there was none. */
  readonly status: Maybe<Scalars['Int']['output']>;
  /** Transport to the destination, such as udp. */
  readonly transport: Scalars['String']['output'];
};

/** An item of a list of type Gateway, with its cursor (Relay). */
export type GatewayEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: Gateway;
};

/** What the SIP server found when it checked a gateway's host with OPTIONS (RFC 3261, 11), also of gateways that do not register. */
export type GatewayHealth = {
  /** When the last check ended; null if the present host was not checked. */
  readonly checkedOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** The status code of the response to the last check, such as 200 or 404, which both show that the host responds; null if there was none. */
  readonly lastStatus: Maybe<Scalars['Int']['output']>;
  /** Milliseconds until the response to the last check; null if there was none. */
  readonly roundTrip: Maybe<Scalars['Int']['output']>;
  /** When the state began; null if it is UNKNOWN. */
  readonly since: Maybe<Scalars['DateTimeISO']['output']>;
  /** Whether the host responds. */
  readonly state: GatewayHealthState;
};

/** A gateway's host stopped responding to OPTIONS, or responds again. A check that finds the same is not an event. */
export type GatewayHealthChange = Change & {
  /** When the event was recorded. */
  readonly at: Scalars['DateTimeISO']['output'];
  /** The position of the event in the stream of changes. Pass it as `since` to any subscription to continue after it. */
  readonly cursor: Scalars['String']['output'];
  /** The gateway, if it no longer exists, also if another one has its reference since; null if it exists. */
  readonly former: Maybe<FormerResource>;
  /** The current state of the gateway; null if it does not exist, also if another one has its reference since. */
  readonly gateway: Maybe<Gateway>;
  /** The gateway's reference. */
  readonly gatewayRef: Scalars['String']['output'];
  /** The new state. */
  readonly state: GatewayHealthState;
};

/** Whether a gateway's host responds to OPTIONS. */
export type GatewayHealthState =
  /** The host did not respond three times in a row, and has not responded twice since. */
  | 'DOWN'
  /** The host is not checked, was changed, or the checks are not conclusive yet, or no check has ended for four intervals. */
  | 'UNKNOWN'
  /** The host responded twice in a row, with any status, and has not missed three checks since. */
  | 'UP';

/** Conditions on the health of a gateway; all must hold. */
export type GatewayHealthStateFilter = {
  /** Equal to this state. */
  readonly eq?: InputMaybe<GatewayHealthState>;
  /** Equal to one of these states. */
  readonly in?: InputMaybe<ReadonlyArray<GatewayHealthState>>;
  /** Not equal to this state. */
  readonly ne?: InputMaybe<GatewayHealthState>;
  /** Equal to none of these states. */
  readonly notIn?: InputMaybe<ReadonlyArray<GatewayHealthState>>;
};

/** A sort order of lists of type Gateway. */
export type GatewayOrder = {
  /** The direction. */
  readonly direction?: OrderDirection;
  /** The field to sort by. */
  readonly field: GatewayOrderField;
};

/** Fields that lists of type Gateway can be sorted by. */
export type GatewayOrderField =
  /** User name in digests, if it differs from `username`. */
  | 'AUTH_USERNAME'
  /** When the resource was created. */
  | 'CREATED_ON'
  /** True: no new call comes from the gateway or leaves through it. It stays registered, and calls in progress go on. */
  | 'DRAINING'
  /** False: no new call comes from the gateway or leaves through it, and it does not register. By default, true. */
  | 'ENABLED'
  /** Requested lifetime of the registration at the provider, in seconds (RFC 3261, 10.2). */
  | 'EXPIRES'
  /** The host in From and P-Asserted-Identity of calls through the gateway; by default, its host and port. */
  | 'FROM_DOMAIN'
  /** Host name or address of the provider's SIP server. */
  | 'HOST'
  /** Maximum number of concurrent calls from and to the provider, including ringing calls. Emergency calls are never refused. */
  | 'MAX_CALLS'
  /** Maximum number of new calls from and to the provider in each second. Emergency calls are never refused. */
  | 'MAX_CALLS_PER_SECOND'
  /** When the resource was last changed. */
  | 'MODIFIED_ON'
  /** Display name. */
  | 'NAME'
  /** How the provider writes numbers in SIP URIs, in calls to it and from it: `E164` (+4930123, the default), `E164_NO_PLUS` (4930123), or a country such as `DE` (030123, and 0033123 abroad). Numbers that are stored without `+` are sent with their digits. */
  | 'NUMBER_FORMAT'
  /** The host or host:port to which requests to the provider are sent, instead of its host. Calls of the provider come from there. */
  | 'OUTBOUND_PROXY'
  /** Port of the provider's SIP server; by default, that of the transport. */
  | 'PORT'
  /** Reference. */
  | 'REF'
  /** Whether the SIP server registers at the provider. By default, it does if there is a user name and a secret. */
  | 'SEND_REGISTER'
  /** What stands before the called number in the Request-URI: up to 16 digits, `*` or `#`. */
  | 'TECHNICAL_PREFIX'
  /** Transport to the provider. */
  | 'TRANSPORT'
  /** User name at the provider; requires a secret. A gateway without credentials is identified by its address. */
  | 'USERNAME';

/** The gateway through which calls to the number arrive, or through which the call leaves. */
export type GatewayStep = ExplanationStep & {
  /** Whether this is the first link that does not work. */
  readonly broken: Scalars['Boolean']['output'];
  /** The gateway. */
  readonly gateway: Maybe<Gateway>;
  /** The registration of the gateway at its provider; null if no attempt is recorded, and for an earlier time, of which `event` tells. */
  readonly registration: Maybe<Registration>;
  /** The state of the link. */
  readonly state: StepState;
  /** If the number, domain or user name does not exist: an existing one that differs by one character; null if there is none. */
  readonly suggestion: Maybe<Scalars['String']['output']>;
  /** A description of the state. */
  readonly summary: Scalars['String']['output'];
};

/** The result of an OPTIONS request (RFC 3261, 11) that the SIP server sent to the host of a gateway. */
export type GatewayTest = {
  /** The address and port to which the request was sent; null if the host has none. */
  readonly address: Maybe<Scalars['String']['output']>;
  /** The results for the destinations that are enabled, in their order. If selected, they are tested. */
  readonly destinations: ReadonlyArray<GatewayDestinationTest>;
  /** What came back. */
  readonly outcome: GatewayTestOutcome;
  /** The reason phrase of the response, such as OK; null if there was none. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** Milliseconds until the response; null if there was none. */
  readonly roundTrip: Maybe<Scalars['Int']['output']>;
  /** The status code of the response; null if there was none. */
  readonly status: Maybe<Scalars['Int']['output']>;
};

/** What came back when a gateway was tested. */
export type GatewayTestOutcome =
  /** A response, whatever its status: the host responds. */
  | 'ANSWERED'
  /** Nothing was sent: it was a dry run. */
  | 'DRY_RUN'
  /** Nothing was sent: the SIP server cannot reach the address. */
  | 'NOT_SENT'
  /** Nothing was sent: the host has no address in DNS. */
  | 'NO_ADDRESS'
  /** No response within 2 seconds. */
  | 'SILENT';

/** Conditions on a Gateway; all must hold. */
export type GatewayWhere = {
  /** All of these conditions hold. */
  readonly and?: InputMaybe<ReadonlyArray<GatewayWhere>>;
  /** User name in digests, if it differs from `username`. */
  readonly authUsername?: InputMaybe<TextFilter>;
  /** When the resource was created. */
  readonly createdOn?: InputMaybe<DateTimeFilter>;
  /** Minutes a day (UTC) of answered calls that leave through the gateway to numbers that begin with a prefix, as `+1900=60`; at most 16. Every entry that matches the dialed number limits the call. Emergency calls are never refused. */
  readonly dailyMinutes?: InputMaybe<TextListFilter>;
  /** Whether destinations respond to OPTIONS. At least one that was checked must meet these conditions. */
  readonly destinationHealth?: InputMaybe<GatewayHealthStateFilter>;
  /** Where calls also go, besides `host`, which is the first destination: by priority, and shared by weight. */
  readonly destinations?: InputMaybe<GatewayDestinationListFilter>;
  /** The DIDs that belong to this gateway. At least one must meet these conditions. */
  readonly dids?: InputMaybe<DidWhere>;
  /** True: no new call comes from the gateway or leaves through it. It stays registered, and calls in progress go on. */
  readonly draining?: InputMaybe<BooleanFilter>;
  /** False: no new call comes from the gateway or leaves through it, and it does not register. By default, true. */
  readonly enabled?: InputMaybe<BooleanFilter>;
  /** Requested lifetime of the registration at the provider, in seconds (RFC 3261, 10.2). */
  readonly expires?: InputMaybe<IntFilter>;
  /** The host in From and P-Asserted-Identity of calls through the gateway; by default, its host and port. */
  readonly fromDomain?: InputMaybe<TextFilter>;
  /** Whether the host responds to OPTIONS. */
  readonly health?: InputMaybe<GatewayHealthStateFilter>;
  /** Host name or address of the provider's SIP server. */
  readonly host?: InputMaybe<TextFilter>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<TextListFilter>;
  /** Maximum number of concurrent calls from and to the provider, including ringing calls. Emergency calls are never refused. */
  readonly maxCalls?: InputMaybe<IntFilter>;
  /** Maximum number of new calls from and to the provider in each second. Emergency calls are never refused. */
  readonly maxCallsPerSecond?: InputMaybe<IntFilter>;
  /** When the resource was last changed. */
  readonly modifiedOn?: InputMaybe<DateTimeFilter>;
  /** Display name. */
  readonly name?: InputMaybe<TextFilter>;
  /** These conditions do not hold. */
  readonly not?: InputMaybe<GatewayWhere>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<TextFilter>;
  /** How the provider writes numbers in SIP URIs, in calls to it and from it: `E164` (+4930123, the default), `E164_NO_PLUS` (4930123), or a country such as `DE` (030123, and 0033123 abroad). Numbers that are stored without `+` are sent with their digits. */
  readonly numberFormat?: InputMaybe<TextFilter>;
  /** The numbers that belong to this gateway. At least one must meet these conditions. */
  readonly numbers?: InputMaybe<NumberWhere>;
  /** At least one of these conditions holds. */
  readonly or?: InputMaybe<ReadonlyArray<GatewayWhere>>;
  /** The host or host:port to which requests to the provider are sent, instead of its host. Calls of the provider come from there. */
  readonly outboundProxy?: InputMaybe<TextFilter>;
  /** Port of the provider's SIP server; by default, that of the transport. */
  readonly port?: InputMaybe<IntFilter>;
  /** Reference of the resource. */
  readonly ref?: InputMaybe<TextFilter>;
  /** Whether the resource is currently registered. */
  readonly registered?: InputMaybe<Scalars['Boolean']['input']>;
  /** Further registrars of the provider, as host or host:port. Stored for clients; the SIP server registers only at `host`. */
  readonly registries?: InputMaybe<TextListFilter>;
  /** Whether the SIP server registers at the provider. By default, it does if there is a user name and a secret. */
  readonly sendRegister?: InputMaybe<BooleanFilter>;
  /** Networks from which the provider also sends calls, besides the addresses of its host: addresses or CIDR blocks. */
  readonly sources?: InputMaybe<TextListFilter>;
  /** What stands before the called number in the Request-URI: up to 16 digits, `*` or `#`. */
  readonly technicalPrefix?: InputMaybe<TextFilter>;
  /** Transport to the provider. */
  readonly transport?: InputMaybe<TransportFilter>;
  /** User name at the provider; requires a secret. A gateway without credentials is identified by its address. */
  readonly username?: InputMaybe<TextFilter>;
};

/** The location of the number. */
export type GeoInfo = {
  /** City. */
  readonly city: Maybe<Scalars['String']['output']>;
  /** Name of the country. */
  readonly country: Maybe<Scalars['String']['output']>;
  /** Two-letter code of the country (ISO 3166-1). */
  readonly countryISOCode: Maybe<Scalars['String']['output']>;
};

/** The location of the number. */
export type GeoInfoInput = {
  /** City. */
  readonly city?: InputMaybe<Scalars['String']['input']>;
  /** Name of the country. */
  readonly country?: InputMaybe<Scalars['String']['input']>;
  /** Two-letter code of the country (ISO 3166-1). */
  readonly countryISOCode?: InputMaybe<Scalars['String']['input']>;
};

/** The location of the number. */
export type GeoInfoWhere = {
  /** City. */
  readonly city?: InputMaybe<TextFilter>;
  /** Name of the country. */
  readonly country?: InputMaybe<TextFilter>;
  /** Two-letter code of the country (ISO 3166-1). */
  readonly countryISOCode?: InputMaybe<TextFilter>;
};

/** Who made a change. */
export type HistoryActor = {
  /** Reference of the API token that was used; null after a sign-in. */
  readonly apiToken: Maybe<Scalars['String']['output']>;
  /** Reference of the user; null for commands and sipgraph itself. */
  readonly ref: Maybe<Scalars['String']['output']>;
  /** Name of the user; for a command, of the account at the operating system; `system` for sipgraph itself. */
  readonly username: Scalars['String']['output'];
};

/** An entry of the history: a change, and who made it. */
export type HistoryEntry = {
  /** The client's address. Only operators and admins see it. */
  readonly address: Maybe<Scalars['String']['output']>;
  /** When the change was made. */
  readonly at: Scalars['DateTimeISO']['output'];
  /** The fields that changed; of a creation and a deletion, all fields that had a value. Viewers do not see `extra`. */
  readonly changes: ReadonlyArray<FieldChange>;
  /** How often the event happened, if it is counted; of an eviction, the number of devices. */
  readonly count: Maybe<Scalars['Int']['output']>;
  /** Number of the entry. Later entries have higher numbers. */
  readonly entry: Scalars['ID']['output'];
  /** What happened. */
  readonly event: HistoryEvent;
  /** What was changed, if it is a resource that no longer exists, also if another one has its reference since; null if it exists, and for entries on other things. */
  readonly former: Maybe<FormerResource>;
  /** The kind of what was changed. */
  readonly kind: HistoryKind;
  /** Why sipgraph made the change by itself, such as `not confirmed within 10 minutes`; null for a change that somebody made. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** The reference of what was changed. */
  readonly ref: Scalars['String']['output'];
  /** The id of the request (`X-Request-Id`) or of the run of a command. */
  readonly request: Maybe<Scalars['String']['output']>;
  /** The current state of the resource; null if it does not exist, also if another one has its reference since, and for entries on other things. */
  readonly resource: Maybe<Resource>;
  /** The entry that this change reverted. */
  readonly reverts: Maybe<Scalars['ID']['output']>;
  /** How the change was made; null if it is not known. */
  readonly way: Maybe<HistoryWay>;
  /** Who made the change; null if it is not known. */
  readonly who: Maybe<HistoryActor>;
};

/** A page of a list of type HistoryEntry (Relay). */
export type HistoryEntryConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<HistoryEntryEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<HistoryEntry>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** An item of a list of type HistoryEntry, with its cursor (Relay). */
export type HistoryEntryEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: HistoryEntry;
};

/** What happened. */
export type HistoryEvent =
  /** It was created. */
  | 'CREATED'
  /** It was deleted. */
  | 'DELETED'
  /** All sessions of the user were ended. */
  | 'SESSIONS_ENDED'
  /** A session of the user was ended. */
  | 'SESSION_ENDED'
  /** The user signed in. */
  | 'SIGNED_IN'
  /** Sign-ins failed; `count` says how many. */
  | 'SIGN_IN_FAILED'
  /** It was updated. */
  | 'UPDATED';

/** What an entry of the history is about. */
export type HistoryKind =
  /** A SIP user, such as a person with a phone, who registers in one or more domains. */
  | 'Agent'
  /** An API token. Only admins see it. */
  | 'ApiToken'
  /** An eviction. Its reference is the address of record as a SIP URI, or `*` if all devices were evicted. */
  | 'Binding'
  /** A direct inward dialling number. Calls to it arrive through its gateway and are routed to its address of record. */
  | 'DID'
  /** A SIP domain. The SIP server is its registrar. */
  | 'Domain'
  /** A SIP trunk: the server of a provider that connects calls to and from the telephone network. */
  | 'Gateway'
  /** A telephone number. Calls to it are routed to its address of record; calls from a domain can use it as their caller. */
  | 'Number'
  /** Another SIP server, such as a PBX or a conference server. It may register in any domain. */
  | 'Peer'
  /** A way out of a domain: the numbers, and with them the gateways, that calls to dialed numbers with a prefix leave through. The longest prefix decides. */
  | 'Route'
  /** A key that signs tokens. Only admins see it. */
  | 'SigningKey'
  /** A user: changes of the role and the secret, sign-ins, and sessions that were ended. Only admins see it. */
  | 'User'
  /** A webhook: its settings, its secret, and whether it is paused. Only admins see it. */
  | 'Webhook';

/** What a request did to one kind: its entries of one event. */
export type HistoryPart = {
  /** The number of entries. */
  readonly count: Scalars['Int']['output'];
  /** What happened. */
  readonly event: HistoryEvent;
  /** What was changed, if it is a resource that no longer exists, also if another one has its reference since; null if it exists, and for entries on other things. */
  readonly former: Maybe<FormerResource>;
  /** The kind of what was changed. */
  readonly kind: HistoryKind;
  /** The reference of what was changed; of several, that of one of them: one that `where` asks for, if there is one. */
  readonly ref: Scalars['String']['output'];
  /** The current state of that resource; null if it does not exist, also if another one has its reference since, and for entries on other things. */
  readonly resource: Maybe<Resource>;
  /** The fields that got the same value in all of the entries; of a request with more than 100 entries, at most three fields, and only of updates. `before` is also null if the values before differ. */
  readonly shared: ReadonlyArray<FieldChange>;
  /** How often the event happened, if it is counted; of an eviction, the number of devices. */
  readonly times: Maybe<Scalars['Int']['output']>;
};

/** What a request did, or the run of a command. An entry that belongs to no request is one of its own. */
export type HistoryRequest = {
  /** The client's address. Only operators and admins see it. */
  readonly address: Maybe<Scalars['String']['output']>;
  /** When this entry was written. */
  readonly at: Scalars['DateTimeISO']['output'];
  /** Number of its newest entry that meets the conditions. */
  readonly entry: Scalars['ID']['output'];
  /** Whether all that was done reverts earlier changes. */
  readonly isRevert: Scalars['Boolean']['output'];
  /** Whether all entries are counted in `parts`. At most about 25,000 entries of a request are counted. */
  readonly isWhole: Scalars['Boolean']['output'];
  /** What was done, by kind and event. */
  readonly parts: ReadonlyArray<HistoryPart>;
  /** Why sipgraph did it by itself; null for what a user requested. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** The id of the request (`X-Request-Id`) or of the run. */
  readonly request: Maybe<Scalars['String']['output']>;
  /** How the changes were made; null if it is not known. */
  readonly way: Maybe<HistoryWay>;
  /** Who sent the request; null if it is not known. */
  readonly who: Maybe<HistoryActor>;
};

/** A page of what requests did. */
export type HistoryRequestPage = {
  /** For `after`, to read the next page; null for an empty history. */
  readonly endCursor: Maybe<Scalars['String']['output']>;
  /** Whether requests follow the page. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** The requests. */
  readonly nodes: ReadonlyArray<HistoryRequest>;
};

/** How a change was made. */
export type HistoryWay =
  /** A command of `sipgraph`. */
  | 'COMMAND_LINE'
  /** A GraphQL request. */
  | 'GRAPHQL'
  /** An import, in the console, by a GraphQL request or by the command line. */
  | 'IMPORT'
  /** A REST request. */
  | 'REST'
  /** The SIP server. */
  | 'SIP_SERVER'
  /** sipgraph itself, for example at startup. */
  | 'SYSTEM';

/** Conditions on entries of the history. All must hold. */
export type HistoryWhere = {
  /** What happened. */
  readonly event?: InputMaybe<HistoryEvent>;
  /** Not before this time. */
  readonly from?: InputMaybe<Scalars['DateTimeISO']['input']>;
  /** The kind of what was changed. */
  readonly kind?: InputMaybe<HistoryKind>;
  /** What was changed is of one of these kinds. */
  readonly kinds?: InputMaybe<ReadonlyArray<HistoryKind>>;
  /** The reference of what was changed. */
  readonly ref?: InputMaybe<Scalars['String']['input']>;
  /** The id of the request or of the run of a command. */
  readonly request?: InputMaybe<Scalars['String']['input']>;
  /** Not after this time. */
  readonly to?: InputMaybe<Scalars['DateTimeISO']['input']>;
  /** The name of who made the change. */
  readonly user?: InputMaybe<Scalars['String']['input']>;
  /** How the change was made. */
  readonly way?: InputMaybe<HistoryWay>;
};

/** What is wrong with a row or a document. */
export type ImportError = {
  /** The column, or the member of the document; null if it is not one of them. */
  readonly field: Maybe<Scalars['String']['output']>;
  /** What is wrong. */
  readonly message: Scalars['String']['output'];
  /** The cell of an `importCsv`, shortened; null if it is a secret, or if the file has no such column. */
  readonly value: Maybe<Scalars['String']['output']>;
};

/** What an import did with a row or a document, or would do if nothing failed. */
export type ImportOutcome =
  /** The resource was created. */
  | 'CREATED'
  /** The row or document is wrong, so nothing was imported. */
  | 'FAILED'
  /** The resource existed already. */
  | 'UNCHANGED'
  /** The resource existed with other values, and was updated. In a dry run, also each that existed if the row or document sets a secret. */
  | 'UPDATED';

/** How far an import is. */
export type ImportPhase =
  /** The import or its dry run succeeded. This is the last event. */
  | 'DONE'
  /** Nothing was imported. This is the last event. */
  | 'FAILED'
  /** Rows are being imported. */
  | 'RUNNING'
  /** The import has not begun. The subscription is active. */
  | 'WAITING';

/** How far an import is. */
export type ImportProgress = {
  /** The number of rows or documents that were processed. */
  readonly done: Scalars['Int']['output'];
  /** The phase. */
  readonly phase: ImportPhase;
  /** The number of all rows or documents. */
  readonly total: Scalars['Int']['output'];
};

/** What an import did, or would do. */
export type ImportResult = {
  /** What calls would do differently after the changes, which the dry run makes and rolls back. Null without `dryRun`, and if the changes fail. */
  readonly calls: Maybe<SimulatedCalls>;
  /** The number of rows or documents with this outcome, or of all. */
  readonly count: Scalars['Int']['output'];
  /** Whether the import was made. Otherwise nothing was changed: a row failed, or it was a dry run. */
  readonly imported: Scalars['Boolean']['output'];
  /** How the import waits for a confirmation or for `at`; null if it does not, and if nothing was changed. */
  readonly pending: Maybe<PendingChanges>;
  /** The id of the request in the history, for `revertRequest`; null if nothing was changed. */
  readonly request: Maybe<Scalars['String']['output']>;
  /** The result of each row or document, by line. */
  readonly rows: ReadonlyArray<ImportRow>;
  /** In a dry run, why DIDs and Numbers that it would create or update will not ring: what they lead to does not exist, or their gateway is down. At most 100 reasons, the most frequent first. Numbers that only lack a registered device are left out. */
  readonly warnings: ReadonlyArray<ImportWarning>;
};


/** What an import did, or would do. */
export type ImportResultCountArgs = {
  outcome?: InputMaybe<ImportOutcome>;
};


/** What an import did, or would do. */
export type ImportResultRowsArgs = {
  first?: Scalars['Int']['input'];
  outcomes?: InputMaybe<ReadonlyArray<ImportOutcome>>;
};

/** The result of a row of CSV, or of a document. */
export type ImportRow = {
  /** What is wrong; empty unless it failed. */
  readonly errors: ReadonlyArray<ImportError>;
  /** The kind of the resource; null if it is not known. */
  readonly kind: Maybe<ResourceKind>;
  /** The line of the row, or the line on which the document starts, from 1. */
  readonly line: Scalars['Int']['output'];
  /** What the import did with it. */
  readonly outcome: ImportOutcome;
  /** The resource's reference; null if it failed. */
  readonly ref: Maybe<Scalars['String']['output']>;
};

/** Numbers of an import that will not ring for the same reason. */
export type ImportWarning = {
  /** How many numbers. */
  readonly count: Scalars['Int']['output'];
  /** The line of the first one. */
  readonly line: Scalars['Int']['output'];
  /** The first broken link of these numbers. */
  readonly state: NumberState;
  /** The reason in a sentence, of the first one. */
  readonly summary: Scalars['String']['output'];
};

/** Conditions on a number; all must hold. */
export type IntFilter = {
  /** Equal to this value. */
  readonly eq?: InputMaybe<Scalars['Int']['input']>;
  /** Greater than this value. Texts are compared by code points. */
  readonly gt?: InputMaybe<Scalars['Int']['input']>;
  /** Greater than or equal to this value. */
  readonly gte?: InputMaybe<Scalars['Int']['input']>;
  /** Equal to one of these values. */
  readonly in?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
  /** Whether the value is null. All other conditions are false for null. */
  readonly isNull?: InputMaybe<Scalars['Boolean']['input']>;
  /** Less than this value. */
  readonly lt?: InputMaybe<Scalars['Int']['input']>;
  /** Less than or equal to this value. */
  readonly lte?: InputMaybe<Scalars['Int']['input']>;
  /** Not equal to this value. */
  readonly ne?: InputMaybe<Scalars['Int']['input']>;
  /** Equal to none of these values. */
  readonly notIn?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};

/** Conditions on a list of values of type Int; all must hold. */
export type IntListFilter = {
  /** Contains this value. */
  readonly contains?: InputMaybe<Scalars['Int']['input']>;
  /** Contains all of these values. */
  readonly containsAll?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
  /** Contains one of these values. */
  readonly containsAny?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};

/** The limits of calls of an agent, a domain or a gateway, with the calls in progress at that time. */
export type LimitStep = ExplanationStep & {
  /** Whether this is the first link that does not work. */
  readonly broken: Scalars['Boolean']['output'];
  /** The state of the link. */
  readonly state: StepState;
  /** If the number, domain or user name does not exist: an existing one that differs by one character; null if there is none. */
  readonly suggestion: Maybe<Scalars['String']['output']>;
  /** A description of the state. */
  readonly summary: Scalars['String']['output'];
};

/** What a gateway, a peer or a domain loses. */
export type Loss =
  /** The last way for calls that leave: no route or egress policy uses the gateway, or the domain has none with a gateway that takes calls. */
  | 'CALLS'
  /** The last number of a gateway, so no calls come through it. */
  | 'NUMBERS'
  /** Networks from which calls come: a source or the host of a gateway, a source of a peer, or addresses that the access control list of a domain now denies. */
  | 'SOURCES';

/** A gateway or a domain that loses its last number or its last way for calls, or a gateway, a peer or a domain whose calls may come from fewer networks. */
export type LostWay = {
  /** Gateway, Peer or Domain. */
  readonly kind: ResourceKind;
  /** What it loses. */
  readonly lost: Loss;
  /** Its name. */
  readonly name: Scalars['String']['output'];
  /** Reference of the gateway, peer or domain. */
  readonly ref: Scalars['String']['output'];
  /** With SOURCES, the networks and host names from which calls are not accepted any more, at least in part. */
  readonly sources: Maybe<ReadonlyArray<Scalars['String']['output']>>;
};

/** What a change of many resources changed, or would change. */
export type ManyResult = {
  /** What calls would do differently after the changes, which the dry run makes and rolls back. Null without `dryRun`, and if the changes fail. */
  readonly calls: Maybe<SimulatedCalls>;
  /** The number of selected resources that were changed; the others had these values. A dry run counts all if it sets a secret. */
  readonly changed: Scalars['Int']['output'];
  /** The number of selected resources. */
  readonly count: Scalars['Int']['output'];
  /** How the changes wait for a confirmation or for `at`; null if they do not, and if nothing was changed. */
  readonly pending: Maybe<PendingChanges>;
  /** The id of the request in the history, for `revertRequest`; null if nothing was changed. */
  readonly request: Maybe<Scalars['String']['output']>;
  /** The first ten resources that were changed, in creation order. */
  readonly sample: ReadonlyArray<ManySample>;
};

/** A resource that was changed or deleted, or would be. */
export type ManySample = {
  /** The fields that changed; of a deletion, all fields that had a value. Long texts and lists are cut, and end with … */
  readonly changes: ReadonlyArray<FieldChange>;
  /** Reference of the resource. */
  readonly ref: Scalars['String']['output'];
  /** The current state of the resource; null if it does not exist. */
  readonly resource: Maybe<Resource>;
};

/** A record that cannot be imported. */
export type MoveFailure = {
  /** The kind of the resource that it would be. */
  readonly kind: Scalars['String']['output'];
  /** What is wrong. */
  readonly message: Scalars['String']['output'];
  /** Where it is, such as `subscriber 17`. */
  readonly place: Scalars['String']['output'];
};

/** What a move from another system did, or would do. */
export type MoveResult = {
  /** What calls would do differently after the changes, which the dry run makes and rolls back. Null without `dryRun`, and if the changes fail. */
  readonly calls: Maybe<SimulatedCalls>;
  /** What differs in something that an operator should know. */
  readonly checks: ReadonlyArray<MovedCount>;
  /** How many records cannot be imported. */
  readonly failed: Scalars['Int']['output'];
  /** The first 100 records that cannot be imported. */
  readonly failures: ReadonlyArray<MoveFailure>;
  /** The resources of each kind. */
  readonly kinds: ReadonlyArray<MovedKind>;
  /** What has no counterpart. */
  readonly missing: ReadonlyArray<MovedCount>;
  /** Whether the move was made. Otherwise nothing was changed: a record is wrong, or it was a dry run. */
  readonly moved: Scalars['Boolean']['output'];
  /** How the move waits for a confirmation or for `at`; null if it does not, and if nothing was changed. */
  readonly pending: Maybe<PendingChanges>;
  /** The id of the request in the history, for `revertRequest`; null if nothing was changed. */
  readonly request: Maybe<Scalars['String']['output']>;
  /** The first records that were left out, because of `skipInvalid`. */
  readonly skipped: ReadonlyArray<MoveFailure>;
  /** How many records were left out. */
  readonly skippedCount: Scalars['Int']['output'];
};

/** Records of another system that have something in common. */
export type MovedCount = {
  /** How many there are. */
  readonly count: Scalars['Int']['output'];
  /** Where the first one is. */
  readonly first: Scalars['String']['output'];
  /** What they have in common. */
  readonly what: Scalars['String']['output'];
};

/** The resources of a kind that a move created, or would create. */
export type MovedKind = {
  /** Resources that are new. */
  readonly created: Scalars['Int']['output'];
  /** Records that are wrong. */
  readonly failed: Scalars['Int']['output'];
  /** The kind. */
  readonly kind: Scalars['String']['output'];
  /** Resources that existed with the same values. */
  readonly unchanged: Scalars['Int']['output'];
  /** Resources that existed with other values; in a dry run, also those that have a secret. */
  readonly updated: Scalars['Int']['output'];
};

/** A system to move from. */
export type MovingSystem =
  /** dSIPRouter's database. */
  | 'DSIPROUTER'
  /** Kamailio's own tables. */
  | 'KAMAILIO'
  /** Routr v2: its PostgreSQL tables, or YAML or JSON files. */
  | 'ROUTR2';

/** Mutations. Each field except createToken requires a token. */
export type Mutation = {
  /** Makes up to 1000 changes of resources of all kinds in the given order, or none. If some fail, the error says what is wrong with each: `extensions.errors` has the first hundred mistakes with their places, such as `changes[3].update.gateway.host`. A `localRef` names a resource that a create makes, and later changes use it as `#name` where a reference is expected. */
  readonly applyChanges: AppliedChanges;
  /** Reverts changes that wait for a confirmation now, or cancels scheduled ones. Fails with CONFLICT if they wait for neither, or if a later change would be lost. */
  readonly cancelChanges: PendingChanges;
  /** Cancels an export of the caller, or deletes its file, and returns its reference. */
  readonly cancelExport: Scalars['ID']['output'];
  /** Stops a task of the caller, and deletes what was uploaded for it. What it has written stays. */
  readonly cancelTask: Task;
  /** Changes the caller's secret, and ends all sessions of the caller at once, including this one. API tokens stay valid. Returns the user's reference. Requires a token of a sign-in. */
  readonly changeSecret: Scalars['ID']['output'];
  /** Keeps changes that wait for a confirmation. Fails with CONFLICT if they do not, and if none of them is in force, because they were reverted meanwhile. */
  readonly confirmChanges: PendingChanges;
  /** Creates an Agent. */
  readonly createAgent: Agent;
  /** Creates an API token, which is shown only once. Requires a token of a sign-in. */
  readonly createApiToken: CreatedApiToken;
  /** Creates a DID. */
  readonly createDID: Did;
  /** Creates a Domain. */
  readonly createDomain: Domain;
  /** Creates a Gateway. */
  readonly createGateway: Gateway;
  /** Creates a Number. */
  readonly createNumber: Number;
  /** Creates a Peer. */
  readonly createPeer: Peer;
  /** Creates a Route. */
  readonly createRoute: Route;
  /** Signs in and returns a token. Does not require a token. */
  readonly createToken: Token;
  /** Creates a user. Requires the role ADMIN and a token of a sign-in. */
  readonly createUser: User;
  /** Creates a webhook for events from now on (https://www.standardwebhooks.com). Requires the role ADMIN and a token of a sign-in. */
  readonly createWebhook: CreatedWebhook;
  /** Deletes an Agent that no other resource refers to, and returns its id. */
  readonly deleteAgent: Scalars['ID']['output'];
  /** Deletes an API token, which is rejected from then on, and returns its reference. Other users' API tokens require the role ADMIN. Requires a token of a sign-in. */
  readonly deleteApiToken: Scalars['ID']['output'];
  /** Deletes a DID that no other resource refers to, and returns its id. */
  readonly deleteDID: Scalars['ID']['output'];
  /** Deletes a Domain that no other resource refers to, and returns its id. */
  readonly deleteDomain: Scalars['ID']['output'];
  /** Deletes a Gateway that no other resource refers to, and returns its id. */
  readonly deleteGateway: Scalars['ID']['output'];
  /** Deletes all selected Agent resources, or none if another resource refers to one of them. Select them with `refs`, `where` or `filter`; of several, all must hold. */
  readonly deleteManyAgents: ManyResult;
  /** Deletes all selected DID resources, or none if another resource refers to one of them. Select them with `refs`, `where` or `filter`; of several, all must hold. */
  readonly deleteManyDIDs: ManyResult;
  /** Deletes all selected Domain resources, or none if another resource refers to one of them. Select them with `refs`, `where` or `filter`; of several, all must hold. */
  readonly deleteManyDomains: ManyResult;
  /** Deletes all selected Gateway resources, or none if another resource refers to one of them. Select them with `refs`, `where` or `filter`; of several, all must hold. */
  readonly deleteManyGateways: ManyResult;
  /** Deletes all selected Number resources, or none if another resource refers to one of them. Select them with `refs`, `where` or `filter`; of several, all must hold. */
  readonly deleteManyNumbers: ManyResult;
  /** Deletes all selected Peer resources, or none if another resource refers to one of them. Select them with `refs`, `where` or `filter`; of several, all must hold. */
  readonly deleteManyPeers: ManyResult;
  /** Deletes all selected Route resources, or none if another resource refers to one of them. Select them with `refs`, `where` or `filter`; of several, all must hold. */
  readonly deleteManyRoutes: ManyResult;
  /** Deletes a Number that no other resource refers to, and returns its id. */
  readonly deleteNumber: Scalars['ID']['output'];
  /** Deletes a Peer that no other resource refers to, and returns its id. */
  readonly deletePeer: Scalars['ID']['output'];
  /** Deletes a Route that no other resource refers to, and returns its id. */
  readonly deleteRoute: Scalars['ID']['output'];
  /** Deletes a user, except the last admin, and returns the reference. Requires the role ADMIN and a token of a sign-in. */
  readonly deleteUser: Scalars['ID']['output'];
  /** Deletes a view of the caller, and returns its reference. Requires a token of a sign-in. */
  readonly deleteView: Scalars['ID']['output'];
  /** Deletes a webhook with the messages that are not delivered, and returns its reference. Requires the role ADMIN and a token of a sign-in. */
  readonly deleteWebhook: Scalars['ID']['output'];
  /** Ends all sessions of a user, including this one. API tokens stay valid. Returns the user's reference. Requires a token of a sign-in. */
  readonly endAllSessions: Scalars['ID']['output'];
  /** Ends a session of the caller: its token is rejected from then on. Returns the session's id. Requires a token of a sign-in. */
  readonly endSession: Scalars['ID']['output'];
  /** Ends the registrations of all devices of an address of record, and returns their number. */
  readonly evictContact: Scalars['Int']['output'];
  /** Creates or updates a resource for each row of CSV, as the console exports it. All or nothing: if one is wrong, nothing is imported, and the result says what is wrong with each. A row updates the resource with its ref or, without a ref, with its natural key, and creates the resource if there is none. An empty cell clears a field, except a secret; a column that is missing changes nothing. */
  readonly importCsv: ImportResult;
  /** Imports documents in Routr v1's format. All or nothing: if one is wrong, nothing is imported, and the result says what is wrong with each. A document updates the resource with its ref or, without a ref, with its natural key, and creates the resource if there is none. Users cannot be imported. */
  readonly importDocuments: ImportResult;
  /** Moves in another system: creates or updates what its database has, at most 10000 records, in one transaction, as `sipgraph import-from` does. If a record is wrong, nothing is changed. Requires the role of an admin. */
  readonly importFrom: MoveResult;
  /** Creates a Number or DID for each row of CSV. All or nothing: if one is wrong, nothing is imported, and the result says what is wrong with each. A number that exists with the same gateway and address of record is left unchanged. */
  readonly importNumbers: ImportResult;
  /** Sends a message of the type `ping` to a webhook, once. Requires the role ADMIN and a token of a sign-in. */
  readonly pingWebhook: WebhookPing;
  /** Sends a message again, with the same id, and returns the id. Requires the role ADMIN and a token of a sign-in. */
  readonly redeliver: Scalars['ID']['output'];
  /** Continues a paused webhook with the first message that was not delivered. Requires the role ADMIN and a token of a sign-in. */
  readonly resumeWebhook: Webhook;
  /** Reverts a change. Fails with CONFLICT if a later change would be lost. Returns an empty list if there is nothing to undo. */
  readonly revert: ReadonlyArray<RevertedChange>;
  /** Reverts all that a request or an import changed, or nothing, newest first. */
  readonly revertRequest: ReadonlyArray<RevertedChange>;
  /** Replaces the secret of a webhook. Until the end of `overlap`, messages have two signatures: with the new secret and with the previous one. Until then, another rotation fails, unless its `overlap` is 0. Requires the role ADMIN and a token of a sign-in. */
  readonly rotateWebhookSecret: CreatedWebhook;
  /** Saves a view of a list for the caller, at most 50. It replaces the view of the same list and name. Requires a token of a sign-in. */
  readonly saveView: View;
  /** Changes the role of a user, except of the last admin. Requires the role ADMIN and a token of a sign-in. */
  readonly setUserRole: User;
  /** Changes a user's secret and revokes the user's tokens at once. Requires the role ADMIN and a token of a sign-in. */
  readonly setUserSecret: User;
  /** Makes changes, as `applyChanges` does, in a transaction that is rolled back, and returns what calls would do differently. Compares up to 2000 of the numbers that the changes may affect; for others, repeat it with `after`. */
  readonly simulate: Simulation;
  /** Starts to write a file in the background, with what the caller may read. A user can have 5 exports at a time, which are deleted an hour after their end. */
  readonly startExport: Export;
  /** Starts to move in what was uploaded, in the background and in pieces, at most 100000 records. All records are checked first; if one is wrong, nothing is changed. `task` tells how far it is. The history has all pieces as one request, which `startRevert` takes back. Requires the role of an admin. */
  readonly startMove: Task;
  /** Starts to revert all changes of a request, newest first, in the background and in pieces, however many there are: `revertRequest` reverts at most 25000. If a change cannot be reverted, the task ends there, and what it has reverted stays so: started again, it leaves that alone. */
  readonly startRevert: Task;
  /** Sends OPTIONS to a gateway's host, and if `destinations` is selected, to its destinations, through the SIP server now, and returns what came back within 2 seconds. It does not change the health. A host can be tested once in 2 seconds. */
  readonly testGateway: GatewayTest;
  /** Updates an Agent. An omitted field keeps its value; null clears it. */
  readonly updateAgent: Agent;
  /** Updates a DID. An omitted field keeps its value; null clears it. */
  readonly updateDID: Did;
  /** Updates a Domain. An omitted field keeps its value; null clears it. */
  readonly updateDomain: Domain;
  /** Updates a Gateway. An omitted field keeps its value; null clears it. */
  readonly updateGateway: Gateway;
  /** Makes the same changes to all selected Agent resources, or to none. Select them with `refs`, `where` or `filter`; of several, all must hold. */
  readonly updateManyAgents: ManyResult;
  /** Makes the same changes to all selected DID resources, or to none. Select them with `refs`, `where` or `filter`; of several, all must hold. */
  readonly updateManyDIDs: ManyResult;
  /** Makes the same changes to all selected Domain resources, or to none. Select them with `refs`, `where` or `filter`; of several, all must hold. */
  readonly updateManyDomains: ManyResult;
  /** Makes the same changes to all selected Gateway resources, or to none. Select them with `refs`, `where` or `filter`; of several, all must hold. */
  readonly updateManyGateways: ManyResult;
  /** Makes the same changes to all selected Number resources, or to none. Select them with `refs`, `where` or `filter`; of several, all must hold. */
  readonly updateManyNumbers: ManyResult;
  /** Makes the same changes to all selected Peer resources, or to none. Select them with `refs`, `where` or `filter`; of several, all must hold. */
  readonly updateManyPeers: ManyResult;
  /** Makes the same changes to all selected Route resources, or to none. Select them with `refs`, `where` or `filter`; of several, all must hold. */
  readonly updateManyRoutes: ManyResult;
  /** Updates a Number. An omitted field keeps its value; null clears it. */
  readonly updateNumber: Number;
  /** Updates a Peer. An omitted field keeps its value; null clears it. */
  readonly updatePeer: Peer;
  /** Updates a Route. An omitted field keeps its value; null clears it. */
  readonly updateRoute: Route;
  /** Changes a webhook. Arguments that are absent change nothing; null clears a setting. Messages that wait are sent to the new URL. Requires the role ADMIN and a token of a sign-in. */
  readonly updateWebhook: Webhook;
  /** Uploads a part of a dump of another system, for `startMove`: the dump is compressed with gzip, then cut into parts, each of which is sent in base64. All parts together have at most 8388608 characters. The first part begins a task, in the place of an earlier one. A user has one task at a time. Requires the role of an admin. */
  readonly uploadDump: Task;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationApplyChangesArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  changes: ReadonlyArray<ChangeInput>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  revertIf?: InputMaybe<RevertLimitsInput>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationCancelChangesArgs = {
  dryRun?: Scalars['Boolean']['input'];
  id: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationCancelExportArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationCancelTaskArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationChangeSecretArgs = {
  dryRun?: Scalars['Boolean']['input'];
  newSecret: Scalars['String']['input'];
  oldSecret: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationConfirmChangesArgs = {
  dryRun?: Scalars['Boolean']['input'];
  id: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationCreateAgentArgs = {
  dryRun?: Scalars['Boolean']['input'];
  input: CreateAgentInput;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationCreateApiTokenArgs = {
  documents?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  dryRun?: Scalars['Boolean']['input'];
  expiresOn?: InputMaybe<Scalars['DateTimeISO']['input']>;
  name: Scalars['String']['input'];
  note?: InputMaybe<Scalars['String']['input']>;
  role: Role;
  userRef?: InputMaybe<Scalars['String']['input']>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationCreateDidArgs = {
  dryRun?: Scalars['Boolean']['input'];
  input: CreateDidInput;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationCreateDomainArgs = {
  dryRun?: Scalars['Boolean']['input'];
  input: CreateDomainInput;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationCreateGatewayArgs = {
  dryRun?: Scalars['Boolean']['input'];
  input: CreateGatewayInput;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationCreateNumberArgs = {
  dryRun?: Scalars['Boolean']['input'];
  input: CreateNumberInput;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationCreatePeerArgs = {
  dryRun?: Scalars['Boolean']['input'];
  input: CreatePeerInput;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationCreateRouteArgs = {
  dryRun?: Scalars['Boolean']['input'];
  input: CreateRouteInput;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationCreateTokenArgs = {
  secret: Scalars['String']['input'];
  username: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationCreateUserArgs = {
  dryRun?: Scalars['Boolean']['input'];
  input: CreateUserInput;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationCreateWebhookArgs = {
  after?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  events: ReadonlyArray<WebhookEvent>;
  failedCalls?: InputMaybe<FailedCallRuleInput>;
  kinds?: InputMaybe<ReadonlyArray<ResourceKind>>;
  note?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  url: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteAgentArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteApiTokenArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteDidArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteDomainArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteGatewayArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteManyAgentsArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  where?: InputMaybe<AgentWhere>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteManyDiDsArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  where?: InputMaybe<DidWhere>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteManyDomainsArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  where?: InputMaybe<DomainWhere>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteManyGatewaysArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  where?: InputMaybe<GatewayWhere>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteManyNumbersArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  where?: InputMaybe<NumberWhere>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteManyPeersArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  where?: InputMaybe<PeerWhere>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteManyRoutesArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  where?: InputMaybe<RouteWhere>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteNumberArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeletePeerArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteRouteArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteUserArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteViewArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationDeleteWebhookArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationEndAllSessionsArgs = {
  dryRun?: Scalars['Boolean']['input'];
  userRef?: InputMaybe<Scalars['String']['input']>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationEndSessionArgs = {
  dryRun?: Scalars['Boolean']['input'];
  id: Scalars['ID']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationEvictContactArgs = {
  addressOfRecord: Scalars['String']['input'];
  dryRun?: Scalars['Boolean']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationImportCsvArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  csv: Scalars['String']['input'];
  dryRun?: Scalars['Boolean']['input'];
  kind: ResourceKind;
  partOf?: InputMaybe<Scalars['ID']['input']>;
  progressId?: InputMaybe<Scalars['ID']['input']>;
  revertIf?: InputMaybe<RevertLimitsInput>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationImportDocumentsArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  progressId?: InputMaybe<Scalars['ID']['input']>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  text: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationImportFromArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  gateway?: InputMaybe<Scalars['String']['input']>;
  newSecrets?: Scalars['Boolean']['input'];
  revertIf?: InputMaybe<RevertLimitsInput>;
  skipInvalid?: Scalars['Boolean']['input'];
  source: Scalars['String']['input'];
  system: MovingSystem;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationImportNumbersArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  csv: Scalars['String']['input'];
  dryRun?: Scalars['Boolean']['input'];
  kind?: NumberKind;
  partOf?: InputMaybe<Scalars['ID']['input']>;
  progressId?: InputMaybe<Scalars['ID']['input']>;
  revertIf?: InputMaybe<RevertLimitsInput>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationPingWebhookArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationRedeliverArgs = {
  dryRun?: Scalars['Boolean']['input'];
  id: Scalars['ID']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationResumeWebhookArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ref: Scalars['String']['input'];
  skipMissed?: Scalars['Boolean']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationRevertArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  entry: Scalars['ID']['input'];
  revertIf?: InputMaybe<RevertLimitsInput>;
  secrets?: InputMaybe<ReadonlyArray<RevertSecretInput>>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationRevertRequestArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  id: Scalars['String']['input'];
  revertIf?: InputMaybe<RevertLimitsInput>;
  secrets?: InputMaybe<ReadonlyArray<RevertSecretInput>>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationRotateWebhookSecretArgs = {
  dryRun?: Scalars['Boolean']['input'];
  overlap?: Scalars['Int']['input'];
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationSaveViewArgs = {
  content: Scalars['String']['input'];
  dryRun?: Scalars['Boolean']['input'];
  list: Scalars['String']['input'];
  name: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationSetUserRoleArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ref: Scalars['String']['input'];
  role: Role;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationSetUserSecretArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ref: Scalars['String']['input'];
  secret: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationSimulateArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  changes?: InputMaybe<ReadonlyArray<ChangeInput>>;
  revert?: InputMaybe<SimulatedRevertInput>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationStartExportArgs = {
  dryRun?: Scalars['Boolean']['input'];
  filter?: InputMaybe<Scalars['String']['input']>;
  format?: ExportFormat;
  of: ExportOf;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationStartMoveArgs = {
  dryRun?: Scalars['Boolean']['input'];
  gateway?: InputMaybe<Scalars['String']['input']>;
  newSecrets?: Scalars['Boolean']['input'];
  skipInvalid?: Scalars['Boolean']['input'];
  system: MovingSystem;
  task: Scalars['ID']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationStartRevertArgs = {
  dryRun?: Scalars['Boolean']['input'];
  request: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationTestGatewayArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdateAgentArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  input: UpdateAgentInput;
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdateDidArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  input: UpdateDidInput;
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdateDomainArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  input: UpdateDomainInput;
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdateGatewayArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  input: UpdateGatewayInput;
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdateManyAgentsArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  set: UpdateAgentInput;
  where?: InputMaybe<AgentWhere>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdateManyDiDsArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  set: UpdateDidInput;
  where?: InputMaybe<DidWhere>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdateManyDomainsArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  set: UpdateDomainInput;
  where?: InputMaybe<DomainWhere>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdateManyGatewaysArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  set: UpdateGatewayInput;
  where?: InputMaybe<GatewayWhere>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdateManyNumbersArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  set: UpdateNumberInput;
  where?: InputMaybe<NumberWhere>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdateManyPeersArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  set: UpdatePeerInput;
  where?: InputMaybe<PeerWhere>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdateManyRoutesArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  confirmWithin?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  revertIf?: InputMaybe<RevertLimitsInput>;
  set: UpdateRouteInput;
  where?: InputMaybe<RouteWhere>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdateNumberArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  input: UpdateNumberInput;
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdatePeerArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  input: UpdatePeerInput;
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdateRouteArgs = {
  dryRun?: Scalars['Boolean']['input'];
  ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  input: UpdateRouteInput;
  ref: Scalars['String']['input'];
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUpdateWebhookArgs = {
  after?: InputMaybe<Scalars['Int']['input']>;
  dryRun?: Scalars['Boolean']['input'];
  events?: InputMaybe<ReadonlyArray<WebhookEvent>>;
  failedCalls?: InputMaybe<FailedCallRuleInput>;
  kinds?: InputMaybe<ReadonlyArray<ResourceKind>>;
  note?: InputMaybe<Scalars['String']['input']>;
  paused?: InputMaybe<Scalars['Boolean']['input']>;
  ref: Scalars['String']['input'];
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  url?: InputMaybe<Scalars['String']['input']>;
};


/** Mutations. Each field except createToken requires a token. */
export type MutationUploadDumpArgs = {
  dryRun?: Scalars['Boolean']['input'];
  number: Scalars['Int']['input'];
  part: Scalars['String']['input'];
  task?: InputMaybe<Scalars['ID']['input']>;
};

/** An object with a globally unique id (Relay). */
export type Node = {
  /** Opaque and globally unique. Pass it to `node` and `nodes`. */
  readonly id: Scalars['ID']['output'];
};

/** A telephone number. Calls to it are routed to its address of record; calls from a domain can use it as their caller. */
export type Number = Node & Resource & {
  /** The agents that show this number when they call. */
  readonly agents: AgentConnection;
  /** The address of record to which calls to the number are routed, as a SIP URI. */
  readonly aorLink: Scalars['String']['output'];
  /** Version of the resource definitions: v1beta1. */
  readonly apiVersion: Scalars['String']['output'];
  /** The calls of the Number, newest first. */
  readonly calls: CallConnection;
  /** The devices that are currently registered for this Number. */
  readonly contacts: ReadonlyArray<Contact>;
  /** When the resource was created. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** The domains whose calls leave with this number. */
  readonly domains: DomainConnection;
  /** False: calls to the number do not ring. By default, true. */
  readonly enabled: Maybe<Scalars['Boolean']['output']>;
  /** The targets after `aorLink`, which is the first, in order: addresses of record such as `sip:1002@sip.local`, and outside numbers such as `tel:+49301234`. A target without seconds rings together with the one before it, an outside number through one gateway; `tel:+49301234 after 20` rings when those before have rung for 20 seconds, or at once if they are busy, not registered or refuse. */
  readonly furtherTargets: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** The gateway that the number belongs to. */
  readonly gateway: Gateway;
  /** Reference of the Gateway that the number belongs to. */
  readonly gatewayRef: Scalars['String']['output'];
  /** The location of the number. */
  readonly geoInfo: Maybe<GeoInfo>;
  /** Who changed the Number, newest first. */
  readonly history: HistoryEntryConnection;
  /** Opaque and globally unique. Pass it to `node` and `nodes`. */
  readonly id: Scalars['ID']['output'];
  /** The kind of the resource. */
  readonly kind: ResourceKind;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** The last number of a range, as a tel URI with as many digits as `telUrl`: all numbers from `telUrl` to this one, at most a million. A number inside that exists as a resource of its own comes before the range. Ranges cannot overlap, and a range cannot contain numbers of another gateway. */
  readonly lastTelUrl: Maybe<Scalars['String']['output']>;
  /** When the resource was last changed. */
  readonly modifiedOn: Scalars['DateTimeISO']['output'];
  /** A note for people: at most 1,000 characters. */
  readonly note: Maybe<Scalars['String']['output']>;
  /** The peers that may show this number when they call. */
  readonly peers: PeerConnection;
  /** Reference, unique within the kind. Generated if it was not given. */
  readonly ref: Scalars['String']['output'];
  /** The routes that this number is a caller of. */
  readonly routes: RouteConnection;
  /** The Agent or Peer that aorLink names; null if there is none. */
  readonly target: Maybe<Target>;
  /** Whom calls to the number reach, in order: `aorLink`, and then `furtherTargets`. */
  readonly targets: ReadonlyArray<NumberTarget>;
  /** The number, as a tel URI (RFC 3966). With `lastTelUrl`, the first number of a range. */
  readonly telUrl: Scalars['String']['output'];
};


/** A telephone number. Calls to it are routed to its address of record; calls from a domain can use it as their caller. */
export type NumberAgentsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<AgentOrder>>;
  where?: InputMaybe<AgentWhere>;
};


/** A telephone number. Calls to it are routed to its address of record; calls from a domain can use it as their caller. */
export type NumberCallsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A telephone number. Calls to it are routed to its address of record; calls from a domain can use it as their caller. */
export type NumberDomainsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<DomainOrder>>;
  where?: InputMaybe<DomainWhere>;
};


/** A telephone number. Calls to it are routed to its address of record; calls from a domain can use it as their caller. */
export type NumberHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A telephone number. Calls to it are routed to its address of record; calls from a domain can use it as their caller. */
export type NumberPeersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<PeerOrder>>;
  where?: InputMaybe<PeerWhere>;
};


/** A telephone number. Calls to it are routed to its address of record; calls from a domain can use it as their caller. */
export type NumberRoutesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<RouteOrder>>;
  where?: InputMaybe<RouteWhere>;
};

/** A page of a list of type Number (Relay). */
export type NumberConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<NumberEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<Number>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** An item of a list of type Number, with its cursor (Relay). */
export type NumberEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: Number;
};

/** A DID or Number whose calls go differently after changes. */
export type NumberEffect = {
  /** What would become of its calls. */
  readonly after: NumberPath;
  /** What becomes of its calls now. */
  readonly before: NumberPath;
  /** What the changes do to its calls. */
  readonly effect: CallEffect;
  /** DID or Number. */
  readonly kind: ResourceKind;
  /** Reference of the number. A reference that would be generated is an example. */
  readonly ref: Scalars['String']['output'];
  /** The number before the changes; of a new number, after them. */
  readonly telUrl: Scalars['String']['output'];
};

/** How many of the compared numbers go differently. */
export type NumberEffectCounts = {
  /** Numbers that ring elsewhere or come through another gateway. */
  readonly moves: Scalars['Int']['output'];
  /** Numbers that do not ring, for another reason than before. */
  readonly other: Scalars['Int']['output'];
  /** Numbers that start ringing. */
  readonly starts: Scalars['Int']['output'];
  /** Numbers that stop ringing. */
  readonly stops: Scalars['Int']['output'];
};

/** Explains why a number rings or does not. */
export type NumberExplanation = {
  /** The time of which this is explained; null for now. */
  readonly at: Maybe<Scalars['DateTimeISO']['output']>;
  /** The change that broke the first broken link at that time, which `revert` takes back; of a number that did not exist yet, its later creation; null for now, and if none is known. */
  readonly change: Maybe<HistoryEntry>;
  /** The digits of the number, by which the SIP server routes calls. */
  readonly digits: Scalars['String']['output'];
  /** What happened to the registration of the gateway or the devices by that time, if that is why. */
  readonly event: Maybe<RegistrationEvent>;
  /** Of the resources of that time, to which `steps` and `attempts` lead as they were: those that no longer exist, also if another one has the reference since. */
  readonly former: ReadonlyArray<FormerResource>;
  /** Other DIDs and Numbers with the same digits, at most ten. */
  readonly others: ReadonlyArray<PhoneNumber>;
  /** Whether a call reaches a device. */
  readonly reachable: Scalars['Boolean']['output'];
  /** The verdict: the first broken link. */
  readonly state: NumberState;
  /** The links in the path of a call: number, gateway, address of record, domain, target and devices. Links after a broken one are included. */
  readonly steps: ReadonlyArray<ExplanationStep>;
  /** A description of the first broken link, and how to fix it. */
  readonly summary: Scalars['String']['output'];
  /** The number as given in the query. */
  readonly telUrl: Scalars['String']['output'];
  /** What is not known of that time, or no longer, with the setting that would have kept it; empty for now. */
  readonly unknown: ReadonlyArray<Scalars['String']['output']>;
};

/** DIDs and Numbers that have the same gateway, lead to the same domain or address of record, and are in the same state. */
export type NumberFlow = {
  /** The address of record, as a SIP URI; null if the end of the flow is a domain, or summed up. */
  readonly addressOfRecord: Maybe<Scalars['String']['output']>;
  /** How many numbers. */
  readonly count: Scalars['Int']['output'];
  /** The domain with this host; null if there is none. */
  readonly domain: Maybe<Domain>;
  /** The gateway; null if those that fewer numbers have are summed up. */
  readonly gateway: Maybe<Gateway>;
  /** The host of the address of record; null if those that fewer numbers lead to are summed up. */
  readonly host: Maybe<Scalars['String']['output']>;
  /** The verdict of explainNumber on each of them. */
  readonly state: NumberState;
  /** The agent or peer; null if there is none, or the end of the flow is a domain. */
  readonly target: Maybe<Target>;
};

/** What numbers lead to in a flow. */
export type NumberFlowEnd =
  /** The host of the address of record. */
  | 'DOMAIN'
  /** The address of record. */
  | 'TARGET';

/** Where calls to numbers go: from gateways to domains or addresses of record, and whether they ring. */
export type NumberFlows = {
  /** What the flows lead to. */
  readonly by: NumberFlowEnd;
  /** The cursor of the last number that was examined. */
  readonly endCursor: Scalars['String']['output'];
  /** How many domains or addresses of record the flows lead to, with those that are summed up. */
  readonly ends: Scalars['Int']['output'];
  /** How many numbers were examined. */
  readonly examined: Scalars['Int']['output'];
  /** The flows, first those of the most numbers. The gateways and the ends of the most numbers have flows of their own; the others are summed up. */
  readonly flows: ReadonlyArray<NumberFlow>;
  /** How many gateways the flows have, with those that are summed up. */
  readonly gateways: Scalars['Int']['output'];
  /** Whether further numbers follow: continue after `endCursor`. */
  readonly hasNextPage: Scalars['Boolean']['output'];
};

/** Whether a number rings. */
export type NumberHealth = {
  /** The address of record to which calls to the number are routed. */
  readonly aorLink: Scalars['String']['output'];
  /** The gateway. */
  readonly gateway: Gateway;
  /** Whether it is a DID or a Number. */
  readonly kind: ResourceKind;
  /** The DID or Number. */
  readonly number: PhoneNumber;
  /** Other DIDs and Numbers with the same digits, at most ten. */
  readonly others: ReadonlyArray<PhoneNumber>;
  /** Whether a call reaches a device. */
  readonly reachable: Scalars['Boolean']['output'];
  /** The number's reference. */
  readonly ref: Scalars['String']['output'];
  /** The verdict: the first broken link. */
  readonly state: NumberState;
  /** A description of the first broken link. `explainNumber` also suggests corrections. */
  readonly summary: Scalars['String']['output'];
  /** The number, as a tel URI. */
  readonly telUrl: Scalars['String']['output'];
};

/** Numbers that do not ring for the same reason: they have the same gateway, address of record, unknown domain or digits, or are in a domain none of whose numbers has a registered device. */
export type NumberHealthCause = {
  /** How many of the examined numbers do not ring for this reason. */
  readonly count: Scalars['Int']['output'];
  /** The domain, if none of its numbers has a registered device and they lead to several addresses of record; otherwise null. */
  readonly domain: Maybe<Domain>;
  /** The first of these numbers. Its `summary` says what is wrong. */
  readonly first: NumberHealth;
  /** When the last registration ended, of the gateway or of a device; null if none is known, and for a domain. */
  readonly since: Maybe<Scalars['DateTimeISO']['output']>;
  /** The first broken link of these numbers. */
  readonly state: NumberState;
};

/** A page of a list of type NumberHealth (Relay). */
export type NumberHealthConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<NumberHealthEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<NumberHealth>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** How many DIDs and Numbers are in each state. */
export type NumberHealthCounts = {
  /** Why the examined numbers do not ring, by what has to be mended: first what concerns the most numbers. To sum up several parts, add those with the same state, and the same domain, or else the same gateway, address of record, host or digits of `first`. */
  readonly causes: ReadonlyArray<NumberHealthCause>;
  /** The cursor of the last number that was examined. */
  readonly endCursor: Scalars['String']['output'];
  /** How many numbers were examined. */
  readonly examined: Scalars['Int']['output'];
  /** Whether further numbers follow: continue after `endCursor`, and add the counts. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** The states of the examined numbers; states without numbers have 0. */
  readonly states: ReadonlyArray<NumberStateCount>;
};


/** How many DIDs and Numbers are in each state. */
export type NumberHealthCountsCausesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** An item of a list of type NumberHealth, with its cursor (Relay). */
export type NumberHealthEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: NumberHealth;
};

/** The kinds of numbers. */
export type NumberKind =
  /** A direct inward dialling number. */
  | 'DID'
  /** A number that calls can also leave from. */
  | 'Number';

/** A sort order of lists of type Number. */
export type NumberOrder = {
  /** The direction. */
  readonly direction?: OrderDirection;
  /** The field to sort by. */
  readonly field: NumberOrderField;
};

/** Fields that lists of type Number can be sorted by. */
export type NumberOrderField =
  /** The address of record to which calls to the number are routed, as a SIP URI. */
  | 'AOR_LINK'
  /** When the resource was created. */
  | 'CREATED_ON'
  /** False: calls to the number do not ring. By default, true. */
  | 'ENABLED'
  /** Reference of the Gateway that the number belongs to. */
  | 'GATEWAY_REF'
  /** City. */
  | 'GEO_INFO_CITY'
  /** Name of the country. */
  | 'GEO_INFO_COUNTRY'
  /** Two-letter code of the country (ISO 3166-1). */
  | 'GEO_INFO_COUNTRY_ISOCODE'
  /** The last number of a range, as a tel URI with as many digits as `telUrl`: all numbers from `telUrl` to this one, at most a million. A number inside that exists as a resource of its own comes before the range. Ranges cannot overlap, and a range cannot contain numbers of another gateway. */
  | 'LAST_TEL_URL'
  /** When the resource was last changed. */
  | 'MODIFIED_ON'
  /** Reference. */
  | 'REF'
  /** The number, as a tel URI (RFC 3966). With `lastTelUrl`, the first number of a range. */
  | 'TEL_URL';

/** What becomes of calls to a number before or after changes. */
export type NumberPath = {
  /** The name of the gateway; null without the number. */
  readonly gateway: Maybe<Scalars['String']['output']>;
  /** The verdict of explainNumber. */
  readonly state: NumberState;
  /** What rings, or why nothing does. */
  readonly summary: Scalars['String']['output'];
  /** The address of record and the further targets; empty without the number. */
  readonly targets: ReadonlyArray<Scalars['String']['output']>;
};

/** The outcome of a call to a number: the first broken link of its path. */
export type NumberState =
  /** Several numbers have the same digits, but different targets or spellings. */
  | 'AMBIGUOUS'
  /** The number is disabled. */
  | 'DISABLED'
  /** No domain has the host in aorLink. */
  | 'DOMAIN_MISSING'
  /** The registrations of the agent's or peer's devices have expired. */
  | 'EXPIRED'
  /** The gateway is disabled. */
  | 'GATEWAY_DISABLED'
  /** The gateway is draining: it takes no new calls. */
  | 'GATEWAY_DRAINING'
  /** The gateway's registration has expired and was not renewed. */
  | 'GATEWAY_EXPIRED'
  /** The gateway is not registered: its provider did not respond, or no REGISTER was sent. */
  | 'GATEWAY_NOT_REGISTERED'
  /** The provider rejects the gateway's registration. */
  | 'GATEWAY_REFUSED'
  /** Only of `explainNumber`: the SIP server would refuse the call now, because of a limit of calls in progress or of minutes. */
  | 'LIMIT_REACHED'
  /** The number does not exist. */
  | 'MISSING'
  /** The agent or peer has no registered device. */
  | 'NOT_REGISTERED'
  /** Only of `explainNumber`: the call would go to outside numbers only, for which no gateway can be called now. */
  | 'NO_WAY_OUT'
  /** A call rings at least one device. */
  | 'REACHABLE'
  /** The agent or peer in aorLink, or its domain, is disabled. */
  | 'TARGET_DISABLED'
  /** The agent in aorLink does not belong to the domain in aorLink, but to another one. */
  | 'TARGET_FORBIDDEN'
  /** No agent or peer has the user name in aorLink. */
  | 'TARGET_MISSING'
  /** Only of an earlier time: what was then is no longer known, or was never recorded. */
  | 'UNKNOWN';

/** The number of DIDs and Numbers in a state. */
export type NumberStateCount = {
  /** The number of DIDs and Numbers. */
  readonly count: Scalars['Int']['output'];
  /** The state. */
  readonly state: NumberState;
};

/** The called number. */
export type NumberStep = ExplanationStep & {
  /** Whether this is the first link that does not work. */
  readonly broken: Scalars['Boolean']['output'];
  /** The DID or Number. */
  readonly number: Maybe<PhoneNumber>;
  /** The state of the link. */
  readonly state: StepState;
  /** If the number, domain or user name does not exist: an existing one that differs by one character; null if there is none. */
  readonly suggestion: Maybe<Scalars['String']['output']>;
  /** A description of the state. */
  readonly summary: Scalars['String']['output'];
};

/** Whom calls to a number reach. */
export type NumberTarget = {
  /** Targets of one order ring together; the first is 1. */
  readonly order: Scalars['Int']['output'];
  /** The agent or peer; null if there is none, or for an outside number. */
  readonly resource: Maybe<Target>;
  /** For how many seconds those of the order before ring without an answer until it rings; 0 for the first order. */
  readonly seconds: Scalars['Int']['output'];
  /** The address of record, as a SIP URI; or the outside number, as a tel URI. */
  readonly target: Scalars['String']['output'];
};

/** Conditions on a Number; all must hold. */
export type NumberWhere = {
  /** The agents that show this number when they call. At least one must meet these conditions. */
  readonly agents?: InputMaybe<AgentWhere>;
  /** All of these conditions hold. */
  readonly and?: InputMaybe<ReadonlyArray<NumberWhere>>;
  /** The address of record to which calls to the number are routed, as a SIP URI. */
  readonly aorLink?: InputMaybe<TextFilter>;
  /** The number itself, such as `+4930100123`, or the range that contains it. Uses an index. */
  readonly covers?: InputMaybe<Scalars['String']['input']>;
  /** When the resource was created. */
  readonly createdOn?: InputMaybe<DateTimeFilter>;
  /** The domains whose calls leave with this number. At least one must meet these conditions. */
  readonly domains?: InputMaybe<DomainWhere>;
  /** False: calls to the number do not ring. By default, true. */
  readonly enabled?: InputMaybe<BooleanFilter>;
  /** The targets after `aorLink`, which is the first, in order: addresses of record such as `sip:1002@sip.local`, and outside numbers such as `tel:+49301234`. A target without seconds rings together with the one before it, an outside number through one gateway; `tel:+49301234 after 20` rings when those before have rung for 20 seconds, or at once if they are busy, not registered or refuse. */
  readonly furtherTargets?: InputMaybe<TextListFilter>;
  /** The gateway that the number belongs to. */
  readonly gateway?: InputMaybe<GatewayWhere>;
  /** Reference of the Gateway that the number belongs to. */
  readonly gatewayRef?: InputMaybe<TextFilter>;
  /** The location of the number. */
  readonly geoInfo?: InputMaybe<GeoInfoWhere>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<TextListFilter>;
  /** The last number of a range, as a tel URI with as many digits as `telUrl`: all numbers from `telUrl` to this one, at most a million. A number inside that exists as a resource of its own comes before the range. Ranges cannot overlap, and a range cannot contain numbers of another gateway. */
  readonly lastTelUrl?: InputMaybe<TextFilter>;
  /** When the resource was last changed. */
  readonly modifiedOn?: InputMaybe<DateTimeFilter>;
  /** These conditions do not hold. */
  readonly not?: InputMaybe<NumberWhere>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<TextFilter>;
  /** At least one of these conditions holds. */
  readonly or?: InputMaybe<ReadonlyArray<NumberWhere>>;
  /** The peers that may show this number when they call. At least one must meet these conditions. */
  readonly peers?: InputMaybe<PeerWhere>;
  /** Reference of the resource. */
  readonly ref?: InputMaybe<TextFilter>;
  /** The routes that this number is a caller of. At least one must meet these conditions. */
  readonly routes?: InputMaybe<RouteWhere>;
  /** The Agent or Peer that aorLink names. */
  readonly target?: InputMaybe<TargetWhere>;
  /** The Agents and Peers that aorLink and furtherTargets name. At least one must meet these conditions. */
  readonly targets?: InputMaybe<TargetWhere>;
  /** The number, as a tel URI (RFC 3966). With `lastTelUrl`, the first number of a range. */
  readonly telUrl?: InputMaybe<TextFilter>;
};

/** The direction of a sort order. */
export type OrderDirection =
  /** Ascending; items without a value come first. */
  | 'ASC'
  /** Descending; items without a value come last. */
  | 'DESC';

/** Position of a page in its list (Relay). */
export type PageInfo = {
  /** The cursor of the last item; null on an empty page. */
  readonly endCursor: Maybe<Scalars['String']['output']>;
  /** Whether items follow the page. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Whether items precede the page. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the first item; null on an empty page. */
  readonly startCursor: Maybe<Scalars['String']['output']>;
};

/** Another SIP server, such as a PBX or a conference server. It may register in any domain. */
export type Peer = Node & Resource & {
  /** Version of the resource definitions: v1beta1. */
  readonly apiVersion: Scalars['String']['output'];
  /** The numbers that the peer may show when it calls through their gateways. */
  readonly callerNumbers: ReadonlyArray<Number>;
  /** The calls of the Peer, newest first. */
  readonly calls: CallConnection;
  /** The host or host:port where the peer is reached while it is not registered. */
  readonly contactAddr: Maybe<Scalars['String']['output']>;
  /** The devices that are currently registered for this Peer. */
  readonly contacts: ReadonlyArray<Contact>;
  /** When the resource was created. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** The product, such as Asterisk. */
  readonly device: Maybe<Scalars['String']['output']>;
  /** The DIDs whose address of record names this peer. */
  readonly dids: DidConnection;
  /** False: the peer cannot register or be called, and can call only emergency numbers. By default, true. */
  readonly enabled: Maybe<Scalars['Boolean']['output']>;
  /** The DIDs that have this peer as a further target. */
  readonly furtherDids: DidConnection;
  /** The numbers that have this peer as a further target. */
  readonly furtherNumbers: NumberConnection;
  /** Who changed the Peer, newest first. */
  readonly history: HistoryEntryConnection;
  /** Opaque and globally unique. Pass it to `node` and `nodes`. */
  readonly id: Scalars['ID']['output'];
  /** The kind of the resource. */
  readonly kind: ResourceKind;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** When the resource was last changed. */
  readonly modifiedOn: Scalars['DateTimeISO']['output'];
  /** Display name. */
  readonly name: Scalars['String']['output'];
  /** A note for people: at most 1,000 characters. */
  readonly note: Maybe<Scalars['String']['output']>;
  /** The numbers whose address of record names this peer. */
  readonly numbers: NumberConnection;
  /** Reference, unique within the kind. Generated if it was not given. */
  readonly ref: Scalars['String']['output'];
  /** When devices of the Peer registered, moved, ended or were refused; newest first. */
  readonly registrationEvents: RegistrationEventConnection;
  /** Whether a secret is set. The secret itself is never returned. */
  readonly secretSet: Scalars['Boolean']['output'];
  /** Networks from which the calls of the peer come without a digest: addresses or CIDR blocks. The longest one that contains an address decides. */
  readonly sources: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** SIP user name: at most 64 bytes, without @, : and ". */
  readonly username: Scalars['String']['output'];
};


/** Another SIP server, such as a PBX or a conference server. It may register in any domain. */
export type PeerCallsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** Another SIP server, such as a PBX or a conference server. It may register in any domain. */
export type PeerDidsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<DidOrder>>;
  where?: InputMaybe<DidWhere>;
};


/** Another SIP server, such as a PBX or a conference server. It may register in any domain. */
export type PeerFurtherDidsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<DidOrder>>;
  where?: InputMaybe<DidWhere>;
};


/** Another SIP server, such as a PBX or a conference server. It may register in any domain. */
export type PeerFurtherNumbersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<NumberOrder>>;
  where?: InputMaybe<NumberWhere>;
};


/** Another SIP server, such as a PBX or a conference server. It may register in any domain. */
export type PeerHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** Another SIP server, such as a PBX or a conference server. It may register in any domain. */
export type PeerNumbersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<NumberOrder>>;
  where?: InputMaybe<NumberWhere>;
};


/** Another SIP server, such as a PBX or a conference server. It may register in any domain. */
export type PeerRegistrationEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of a list of type Peer (Relay). */
export type PeerConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<PeerEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<Peer>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** An item of a list of type Peer, with its cursor (Relay). */
export type PeerEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: Peer;
};

/** A sort order of lists of type Peer. */
export type PeerOrder = {
  /** The direction. */
  readonly direction?: OrderDirection;
  /** The field to sort by. */
  readonly field: PeerOrderField;
};

/** Fields that lists of type Peer can be sorted by. */
export type PeerOrderField =
  /** The host or host:port where the peer is reached while it is not registered. */
  | 'CONTACT_ADDR'
  /** When the resource was created. */
  | 'CREATED_ON'
  /** The product, such as Asterisk. */
  | 'DEVICE'
  /** False: the peer cannot register or be called, and can call only emergency numbers. By default, true. */
  | 'ENABLED'
  /** When the resource was last changed. */
  | 'MODIFIED_ON'
  /** Display name. */
  | 'NAME'
  /** Reference. */
  | 'REF'
  /** SIP user name: at most 64 bytes, without @, : and ". */
  | 'USERNAME';

/** Conditions on a Peer; all must hold. */
export type PeerWhere = {
  /** All of these conditions hold. */
  readonly and?: InputMaybe<ReadonlyArray<PeerWhere>>;
  /** The numbers that the peer may show when it calls through their gateways. At least one must meet these conditions. */
  readonly callerNumbers?: InputMaybe<NumberWhere>;
  /** The host or host:port where the peer is reached while it is not registered. */
  readonly contactAddr?: InputMaybe<TextFilter>;
  /** When the resource was created. */
  readonly createdOn?: InputMaybe<DateTimeFilter>;
  /** The product, such as Asterisk. */
  readonly device?: InputMaybe<TextFilter>;
  /** The DIDs whose address of record names this peer. At least one must meet these conditions. */
  readonly dids?: InputMaybe<DidWhere>;
  /** False: the peer cannot register or be called, and can call only emergency numbers. By default, true. */
  readonly enabled?: InputMaybe<BooleanFilter>;
  /** The DIDs that have this peer as a further target. At least one must meet these conditions. */
  readonly furtherDids?: InputMaybe<DidWhere>;
  /** The numbers that have this peer as a further target. At least one must meet these conditions. */
  readonly furtherNumbers?: InputMaybe<NumberWhere>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<TextListFilter>;
  /** When the resource was last changed. */
  readonly modifiedOn?: InputMaybe<DateTimeFilter>;
  /** Display name. */
  readonly name?: InputMaybe<TextFilter>;
  /** These conditions do not hold. */
  readonly not?: InputMaybe<PeerWhere>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<TextFilter>;
  /** The numbers whose address of record names this peer. At least one must meet these conditions. */
  readonly numbers?: InputMaybe<NumberWhere>;
  /** At least one of these conditions holds. */
  readonly or?: InputMaybe<ReadonlyArray<PeerWhere>>;
  /** Reference of the resource. */
  readonly ref?: InputMaybe<TextFilter>;
  /** Whether the resource is currently registered. */
  readonly registered?: InputMaybe<Scalars['Boolean']['input']>;
  /** Networks from which the calls of the peer come without a digest: addresses or CIDR blocks. The longest one that contains an address decides. */
  readonly sources?: InputMaybe<TextListFilter>;
  /** SIP user name: at most 64 bytes, without @, : and ". */
  readonly username?: InputMaybe<TextFilter>;
};

/** A set of changes that waits, or has waited, for a time or for a confirmation. It is listed for 30 days. */
export type PendingChanges = {
  /** When they were made; null if they are not. */
  readonly appliedOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** Seconds within which the changes must be confirmed; null if they need no confirmation. */
  readonly confirmWithin: Maybe<Scalars['Int']['output']>;
  /** The number of changes. */
  readonly count: Scalars['Int']['output'];
  /** When the changes were sent. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** When they will be made or reverted; null if nothing more happens. */
  readonly dueOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** What was measured last, every two seconds until the end; null before the first time. */
  readonly figures: Maybe<RevertFigures>;
  /** Name of the user who confirmed or cancelled them; null for sipgraph itself. */
  readonly finishedBy: Maybe<Scalars['String']['output']>;
  /** Since when nothing more happens. */
  readonly finishedOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** Identifies the set, for `confirmChanges` and `cancelChanges`. Once the changes are made, it is their `request` in the history. */
  readonly id: Scalars['String']['output'];
  /** Why they were reverted, not made or not reverted, with the figure and its limit. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** From which figures on the changes are reverted. */
  readonly revertIf: RevertLimits;
  /** The `request` of the revert in the history. */
  readonly revertedBy: Maybe<Scalars['String']['output']>;
  /** What has become of it. */
  readonly state: PendingState;
  /** Name of the user who made or scheduled the changes. */
  readonly username: Scalars['String']['output'];
  /** How many gateways are measured: those that were up or registered, up to 1000, changed ones first. */
  readonly watchedGateways: Scalars['Int']['output'];
  /** How many numbers are measured: those that the changes may affect and that rang, up to 1000. */
  readonly watchedNumbers: Scalars['Int']['output'];
};

/** A page of a list of type PendingChanges (Relay). */
export type PendingChangesConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<PendingChangesEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<PendingChanges>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** An item of a list of type PendingChanges, with its cursor (Relay). */
export type PendingChangesEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: PendingChanges;
};

/** What has become of a set of changes that waits, or has waited, for a time or for a confirmation. */
export type PendingState =
  /** They were scheduled, and are made. They need no confirmation. */
  | 'APPLIED'
  /** They were scheduled, and were cancelled before they were made. */
  | 'CANCELLED'
  /** They were confirmed, and are kept. */
  | 'CONFIRMED'
  /** They were scheduled, and were not made: see `reason`. */
  | 'NOT_APPLIED'
  /** They had to be reverted, and were not, because somebody has built upon them: see `reason`. */
  | 'NOT_REVERTED'
  /** They were reverted, for the `reason`. */
  | 'REVERTED'
  /** They are made at `dueOn`. */
  | 'SCHEDULED'
  /** They are made, and reverted at `dueOn` unless somebody confirms them. */
  | 'UNCONFIRMED';

/** A DID or a Number. */
export type PhoneNumber = Did | Number;

/** Whether the agent's identity is hidden from the callee (RFC 3323). */
export type Privacy =
  /** `None` in REST. */
  | 'NONE'
  /** `Private` in REST. */
  | 'PRIVATE';

/** Conditions on a value of type Privacy; all must hold. */
export type PrivacyFilter = {
  /** Equal to this value. */
  readonly eq?: InputMaybe<Privacy>;
  /** Equal to one of these values. */
  readonly in?: InputMaybe<ReadonlyArray<Privacy>>;
  /** Whether the value is null. All other conditions are false for null. */
  readonly isNull?: InputMaybe<Scalars['Boolean']['input']>;
  /** Not equal to this value. */
  readonly ne?: InputMaybe<Privacy>;
  /** Equal to none of these values. */
  readonly notIn?: InputMaybe<ReadonlyArray<Privacy>>;
};

/** Queries. Each field requires a token. */
export type Query = {
  /** The Agent with this reference. Fails with NOT_FOUND if there is none, unless `asOf` is given. */
  readonly agent: Maybe<Agent>;
  /** Lists the Agent resources that match `filter` and `where`, by default all, in creation order unless `orderBy` is given. */
  readonly agents: AgentConnection;
  /** The API tokens of a user, without the tokens themselves. */
  readonly apiTokens: ReadonlyArray<ApiToken>;
  /** A call; null if it is no longer kept. */
  readonly call: Maybe<Call>;
  /** Counts the calls that began in a time of at most 31 days. Hours come in order, other groups by the number of calls. */
  readonly callCounts: ReadonlyArray<CallCount>;
  /** The calls that the SIP server recorded, in progress or not. */
  readonly calls: CallConnection;
  /** The current position in the stream of changes. To miss no change, read it, then read the data, and then subscribe with it as `since`. */
  readonly changeCursor: Scalars['String']['output'];
  /** The devices that are currently registered, in the order of registration. */
  readonly contacts: ContactConnection;
  /** The DID with this reference. Fails with NOT_FOUND if there is none, unless `asOf` is given. */
  readonly did: Maybe<Did>;
  /** Lists the DID resources that match `filter` and `where`, by default all, in creation order unless `orderBy` is given. */
  readonly dids: DidConnection;
  /** The Domain with this reference. Fails with NOT_FOUND if there is none, unless `asOf` is given. */
  readonly domain: Maybe<Domain>;
  /** Lists the Domain resources that match `filter` and `where`, by default all, in creation order unless `orderBy` is given. */
  readonly domains: DomainConnection;
  /** Explains whether a call to an address of record succeeds. `numberHealth(addressOfRecord)` returns the numbers that lead to it. */
  readonly explainAddress: AddressExplanation;
  /** Explains what becomes of a call: whether it rings, leaves through a gateway or is refused, in the order in which the SIP server decides, and the INVITEs that it sends. Either `from` and `to` are given, or a `call` on record. Limits of requests are not considered. */
  readonly explainCall: CallExplanation;
  /** Explains whether a call to a number succeeds: the links of its path, and the first broken one. `tel:+1 706 604-1487`, `0017066041487` and `17066041487` are the same number; so is `(706) 604-1487` if HOME_COUNTRY is `US`. */
  readonly explainNumber: NumberExplanation;
  /** The caller's exports, newest first. */
  readonly exports: ReadonlyArray<Export>;
  /** The Gateway with this reference. Fails with NOT_FOUND if there is none, unless `asOf` is given. */
  readonly gateway: Maybe<Gateway>;
  /** Lists the Gateway resources that match `filter` and `where`, by default all, in creation order unless `orderBy` is given. */
  readonly gateways: GatewayConnection;
  /** Who changed what, newest first. Changes of users, tokens and keys, and sign-ins are for admins only. */
  readonly history: HistoryEntryConnection;
  /** What requests did, newest first: `history`, summarized by request. A page can have fewer requests than were asked for, or none, although `hasNextPage` is true: continue after `endCursor`. */
  readonly historyRequests: HistoryRequestPage;
  /** The resource with this id; null if there is none (Relay). */
  readonly node: Maybe<Node>;
  /** The resources with these ids, in the same order, and null for ids without a resource; at most 100 ids. */
  readonly nodes: ReadonlyArray<Maybe<Node>>;
  /** The Number with this reference. Fails with NOT_FOUND if there is none, unless `asOf` is given. */
  readonly number: Maybe<Number>;
  /** Sums up DIDs and Numbers by their gateway, what they lead to, and the verdict of explainNumber, in creation order. Examines at most 20,000 numbers; for others, continue after `endCursor` while `hasNextPage` is true. */
  readonly numberFlows: NumberFlows;
  /** The verdict of explainNumber on all DIDs and Numbers, in creation order. A DID and a Number with the same digits at two gateways have a verdict each, on calls from their gateway; explainNumber explains one of them, an enabled one before a disabled one. With `states`, a page examines at most 2,000 numbers. It can then have fewer items than requested, or none, although `hasNextPage` is true: continue after `endCursor`. `totalCount` then examines all numbers. */
  readonly numberHealth: NumberHealthConnection;
  /** Counts DIDs and Numbers by the verdict of explainNumber, in creation order. Examines at most 20,000 numbers; to count all, continue after `endCursor` while `hasNextPage` is true. */
  readonly numberHealthCounts: NumberHealthCounts;
  /** Lists the Number resources that match `filter` and `where`, by default all, in creation order unless `orderBy` is given. */
  readonly numbers: NumberConnection;
  /** The Peer with this reference. Fails with NOT_FOUND if there is none, unless `asOf` is given. */
  readonly peer: Maybe<Peer>;
  /** Lists the Peer resources that match `filter` and `where`, by default all, in creation order unless `orderBy` is given. */
  readonly peers: PeerConnection;
  /** Sets of changes of `applyChanges` that wait for a time or for a confirmation, and what has become of those of the last 30 days, newest first. */
  readonly pendingChanges: PendingChangesConnection;
  /** The addresses from which calls to numbers were refused in the last 30 days, newest first, at most 100. An address that is added to the sources of the gateway is no longer listed. */
  readonly refusedCallers: ReadonlyArray<RefusedCaller>;
  /** Addresses that belong to no gateway, peer or user, and whose calls were refused in the last 30 days, newest first, at most 100. An address that is added to the sources of a gateway or a peer is no longer listed. An address that called numbers of several gateways is listed for each. */
  readonly refusedSources: ReadonlyArray<RefusedSource>;
  /** Registrations of devices and gateways that began, moved, ended or were refused, newest first. */
  readonly registrationEvents: RegistrationEventConnection;
  /** The gateways that are currently registered at their providers. */
  readonly registrations: RegistrationConnection;
  /** Compares recorded calls with what would become of them now, as `sipgraph replay` does, without a SIP server. Requires the role of an admin. */
  readonly replayCalls: ReplayResult;
  /** The Route with this reference. Fails with NOT_FOUND if there is none, unless `asOf` is given. */
  readonly route: Maybe<Route>;
  /** Lists the Route resources that match `filter` and `where`, by default all, in creation order unless `orderBy` is given. */
  readonly routes: RouteConnection;
  /** Registered devices, trunks by state, and numbers by state over time. Empty if samples are off. */
  readonly samples: Samples;
  /** Finds resources with a text in their names, references or other texts, ignoring case; for a number in any spelling, also the DIDs and Numbers that begin with it or are ranges around it. The order of the kinds is Gateway, Agent, Peer, Domain, DID, Number, Route. For texts without a number, DIDs and Numbers are not searched. */
  readonly search: ReadonlyArray<Resource>;
  /** The SIP server; null if SIP_RPC_URL is not set. */
  readonly sipServer: Maybe<SipServer>;
  /** Information about the server. */
  readonly systemInfo: SystemInfo;
  /** The caller's task of the last hour; null without one. A user has one task at a time. */
  readonly task: Maybe<Task>;
  /** The number of trunks in each state. */
  readonly trunkCounts: ReadonlyArray<TrunkCount>;
  /** The gateways that register at their providers, and those whose hosts are checked with OPTIONS, in any state, in creation order. */
  readonly trunks: TrunkConnection;
  /** A user's sign-ins whose tokens are still good, newest first: the last 200. Requires the role ADMIN. */
  readonly userSessions: ReadonlyArray<Session>;
  /** All users. Requires the role ADMIN. */
  readonly users: UserConnection;
  /** The signed-in user. */
  readonly viewer: Viewer;
  /** The caller's views of lists, by list and name. */
  readonly views: ReadonlyArray<View>;
  /** The last 100 messages to a webhook, newest first. Requires the role ADMIN. */
  readonly webhookDeliveries: ReadonlyArray<WebhookDelivery>;
  /** All webhooks. Requires the role ADMIN. */
  readonly webhooks: ReadonlyArray<Webhook>;
};


/** Queries. Each field requires a token. */
export type QueryAgentArgs = {
  asOf?: InputMaybe<Scalars['DateTimeISO']['input']>;
  ref: Scalars['String']['input'];
};


/** Queries. Each field requires a token. */
export type QueryAgentsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<AgentOrder>>;
  where?: InputMaybe<AgentWhere>;
};


/** Queries. Each field requires a token. */
export type QueryApiTokensArgs = {
  userRef?: InputMaybe<Scalars['String']['input']>;
};


/** Queries. Each field requires a token. */
export type QueryCallArgs = {
  id: Scalars['ID']['input'];
};


/** Queries. Each field requires a token. */
export type QueryCallCountsArgs = {
  by: CallGroup;
  first?: InputMaybe<Scalars['Int']['input']>;
  from?: InputMaybe<Scalars['DateTimeISO']['input']>;
  to?: InputMaybe<Scalars['DateTimeISO']['input']>;
};


/** Queries. Each field requires a token. */
export type QueryCallsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<CallOrder>;
  where?: InputMaybe<CallWhere>;
};


/** Queries. Each field requires a token. */
export type QueryContactsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  where?: InputMaybe<ContactWhere>;
};


/** Queries. Each field requires a token. */
export type QueryDidArgs = {
  asOf?: InputMaybe<Scalars['DateTimeISO']['input']>;
  ref: Scalars['String']['input'];
};


/** Queries. Each field requires a token. */
export type QueryDidsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<DidOrder>>;
  where?: InputMaybe<DidWhere>;
};


/** Queries. Each field requires a token. */
export type QueryDomainArgs = {
  asOf?: InputMaybe<Scalars['DateTimeISO']['input']>;
  ref: Scalars['String']['input'];
};


/** Queries. Each field requires a token. */
export type QueryDomainsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<DomainOrder>>;
  where?: InputMaybe<DomainWhere>;
};


/** Queries. Each field requires a token. */
export type QueryExplainAddressArgs = {
  addressOfRecord: Scalars['String']['input'];
};


/** Queries. Each field requires a token. */
export type QueryExplainCallArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  call?: InputMaybe<Scalars['ID']['input']>;
  from?: InputMaybe<Scalars['String']['input']>;
  sourceAddress?: InputMaybe<Scalars['String']['input']>;
  to?: InputMaybe<Scalars['String']['input']>;
};


/** Queries. Each field requires a token. */
export type QueryExplainNumberArgs = {
  at?: InputMaybe<Scalars['DateTimeISO']['input']>;
  telUrl: Scalars['String']['input'];
};


/** Queries. Each field requires a token. */
export type QueryGatewayArgs = {
  asOf?: InputMaybe<Scalars['DateTimeISO']['input']>;
  ref: Scalars['String']['input'];
};


/** Queries. Each field requires a token. */
export type QueryGatewaysArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<GatewayOrder>>;
  where?: InputMaybe<GatewayWhere>;
};


/** Queries. Each field requires a token. */
export type QueryHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  where?: InputMaybe<HistoryWhere>;
};


/** Queries. Each field requires a token. */
export type QueryHistoryRequestsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  where?: InputMaybe<HistoryWhere>;
};


/** Queries. Each field requires a token. */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/** Queries. Each field requires a token. */
export type QueryNodesArgs = {
  ids: ReadonlyArray<Scalars['ID']['input']>;
};


/** Queries. Each field requires a token. */
export type QueryNumberArgs = {
  asOf?: InputMaybe<Scalars['DateTimeISO']['input']>;
  ref: Scalars['String']['input'];
};


/** Queries. Each field requires a token. */
export type QueryNumberFlowsArgs = {
  addressOfRecord?: InputMaybe<Scalars['String']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  agentRef?: InputMaybe<Scalars['String']['input']>;
  by?: InputMaybe<NumberFlowEnd>;
  domainRef?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  gatewayRef?: InputMaybe<Scalars['String']['input']>;
  peerRef?: InputMaybe<Scalars['String']['input']>;
  states?: InputMaybe<ReadonlyArray<NumberState>>;
};


/** Queries. Each field requires a token. */
export type QueryNumberHealthArgs = {
  addressOfRecord?: InputMaybe<Scalars['String']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  agentRef?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  domainRef?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  gatewayRef?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  peerRef?: InputMaybe<Scalars['String']['input']>;
  states?: InputMaybe<ReadonlyArray<NumberState>>;
};


/** Queries. Each field requires a token. */
export type QueryNumberHealthCountsArgs = {
  addressOfRecord?: InputMaybe<Scalars['String']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  agentRef?: InputMaybe<Scalars['String']['input']>;
  domainRef?: InputMaybe<Scalars['String']['input']>;
  gatewayRef?: InputMaybe<Scalars['String']['input']>;
  peerRef?: InputMaybe<Scalars['String']['input']>;
};


/** Queries. Each field requires a token. */
export type QueryNumbersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<NumberOrder>>;
  where?: InputMaybe<NumberWhere>;
};


/** Queries. Each field requires a token. */
export type QueryPeerArgs = {
  asOf?: InputMaybe<Scalars['DateTimeISO']['input']>;
  ref: Scalars['String']['input'];
};


/** Queries. Each field requires a token. */
export type QueryPeersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<PeerOrder>>;
  where?: InputMaybe<PeerWhere>;
};


/** Queries. Each field requires a token. */
export type QueryPendingChangesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  states?: InputMaybe<ReadonlyArray<PendingState>>;
};


/** Queries. Each field requires a token. */
export type QueryRefusedCallersArgs = {
  gatewayRef?: InputMaybe<Scalars['String']['input']>;
};


/** Queries. Each field requires a token. */
export type QueryRegistrationEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  where?: InputMaybe<RegistrationEventWhere>;
};


/** Queries. Each field requires a token. */
export type QueryRegistrationsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** Queries. Each field requires a token. */
export type QueryReplayCallsArgs = {
  csv: Scalars['String']['input'];
};


/** Queries. Each field requires a token. */
export type QueryRouteArgs = {
  asOf?: InputMaybe<Scalars['DateTimeISO']['input']>;
  ref: Scalars['String']['input'];
};


/** Queries. Each field requires a token. */
export type QueryRoutesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ReadonlyArray<RouteOrder>>;
  where?: InputMaybe<RouteWhere>;
};


/** Queries. Each field requires a token. */
export type QuerySamplesArgs = {
  from?: InputMaybe<Scalars['DateTimeISO']['input']>;
  resolution?: InputMaybe<SampleResolution>;
  series: ReadonlyArray<SampleSeries>;
  to?: InputMaybe<Scalars['DateTimeISO']['input']>;
};


/** Queries. Each field requires a token. */
export type QuerySearchArgs = {
  first?: Scalars['Int']['input'];
  text: Scalars['String']['input'];
};


/** Queries. Each field requires a token. */
export type QueryTrunksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
  states?: InputMaybe<ReadonlyArray<TrunkState>>;
};


/** Queries. Each field requires a token. */
export type QueryUserSessionsArgs = {
  userRef: Scalars['String']['input'];
};


/** Queries. Each field requires a token. */
export type QueryUsersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** Queries. Each field requires a token. */
export type QueryWebhookDeliveriesArgs = {
  ref: Scalars['String']['input'];
};

/** A way out that was tried for a call, or a device that was called. What is not known, or not yet, is null. */
export type RecordedAttempt = {
  /** When it began. */
  readonly at: Maybe<Scalars['DateTimeISO']['output']>;
  /** The address to which the INVITE was sent, or from which the device responded, as a SIP URI. */
  readonly destination: Maybe<Scalars['String']['output']>;
  /** The time until the final response, in milliseconds. */
  readonly duration: Maybe<Scalars['Int']['output']>;
  /** The gateway; null for a device, and if it does not exist. */
  readonly gateway: Maybe<Gateway>;
  /** Reference of the gateway, also if it no longer exists; null for a device. */
  readonly gatewayRef: Maybe<Scalars['String']['output']>;
  /** The reason phrase of that response. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** The header Reason of that response (RFC 3326). */
  readonly reasonHeader: Maybe<Scalars['String']['output']>;
  /** The status code of the final response; 408 also without any response, null if it could not be sent. */
  readonly status: Maybe<Scalars['Int']['output']>;
};

/** An address from which calls to a gateway's numbers were refused, because it is neither the gateway's host nor one of its sources. The provider may have a network that is missing in `sources`. */
export type RefusedCaller = {
  /** How many calls were refused. It may have been more, because the SIP server notes at most ten new addresses a second. */
  readonly calls: Scalars['Float']['output'];
  /** The digits of the number that was called last. */
  readonly digits: Scalars['String']['output'];
  /** When the first call was refused. */
  readonly firstOn: Scalars['DateTimeISO']['output'];
  /** The gateway whose number was called. */
  readonly gateway: Gateway;
  /** The IP address of the caller; null for viewers. */
  readonly ip: Maybe<Scalars['String']['output']>;
  /** When the last call was refused. */
  readonly lastOn: Scalars['DateTimeISO']['output'];
};

/** An address from which calls were refused, because it is that of no gateway, peer or registered user. */
export type RefusedSource = {
  /** How many calls were refused. It may have been more, because the SIP server notes at most ten new addresses a second. */
  readonly calls: Scalars['Float']['output'];
  /** The digits of the number that was called last; null if it is the number of no gateway. */
  readonly digits: Maybe<Scalars['String']['output']>;
  /** When the first call was refused. */
  readonly firstOn: Scalars['DateTimeISO']['output'];
  /** The gateway whose number was called; null if no gateway has it. */
  readonly gateway: Maybe<Gateway>;
  /** The IP address of the caller; null for viewers. */
  readonly ip: Maybe<Scalars['String']['output']>;
  /** When the last call was refused. */
  readonly lastOn: Scalars['DateTimeISO']['output'];
};

/** The registration of a gateway at its provider (RFC 3261, 10), or the reason why the gateway is not registered. */
export type Registration = {
  /** Lifetime of the registration that the provider granted, in seconds. */
  readonly expires: Scalars['Int']['output'];
  /** When the registration ends, unless it is refreshed, or when it ended; null if it was never granted. */
  readonly expiresOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** The gateway. */
  readonly gateway: Gateway;
  /** Reference of the gateway. */
  readonly gatewayRef: Scalars['String']['output'];
  /** The provider's host. */
  readonly host: Scalars['String']['output'];
  /** Opaque and globally unique, for caches. It does not change while the gateway exists. */
  readonly id: Scalars['ID']['output'];
  /** The provider's IP address; empty if the provider never responded. */
  readonly ip: Scalars['String']['output'];
  /** The provider's last response, such as 403 Forbidden; 408 if there was none; null if it is unknown. */
  readonly lastResponse: Maybe<Scalars['String']['output']>;
  /** When the SIP server retries after a failed attempt. */
  readonly nextAttemptAt: Maybe<Scalars['DateTimeISO']['output']>;
  /** The provider's port; 0 if the provider never responded. */
  readonly port: Scalars['Int']['output'];
  /** When the registration was last granted; null if it never was. */
  readonly registeredOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** The state of the registration. */
  readonly state: RegistrationState;
  /** Transport to the provider, such as udp; empty if the provider never responded. */
  readonly transport: Scalars['String']['output'];
  /** User name at the provider. */
  readonly username: Scalars['String']['output'];
};

/** The state of the registration of a gateway at its provider changed. A refresh is not an event. */
export type RegistrationChange = Change & {
  /** When the event was recorded. */
  readonly at: Scalars['DateTimeISO']['output'];
  /** The position of the event in the stream of changes. Pass it as `since` to any subscription to continue after it. */
  readonly cursor: Scalars['String']['output'];
  /** The gateway, if it no longer exists, also if another one has its reference since; null if it exists. */
  readonly former: Maybe<FormerResource>;
  /** The current state of the gateway; null if it does not exist, also if another one has its reference since. */
  readonly gateway: Maybe<Gateway>;
  /** The gateway's reference. */
  readonly gatewayRef: Scalars['String']['output'];
  /** The new state; null if the gateway no longer has a registration. */
  readonly state: Maybe<RegistrationState>;
};

/** A page of a list of type Registration (Relay). */
export type RegistrationConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<RegistrationEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<Registration>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** An item of a list of type Registration, with its cursor (Relay). */
export type RegistrationEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: Registration;
};

/** A registration that began, moved, ended or was refused: of a device, or of a gateway at its provider. What is not known, or does not apply, is null. */
export type RegistrationEvent = {
  /** The address of record of the device, as a SIP URI. */
  readonly addressOfRecord: Maybe<Scalars['String']['output']>;
  /** When it happened. */
  readonly at: Scalars['DateTimeISO']['output'];
  /** How many devices were registered at the node for the address of record afterwards. */
  readonly devices: Maybe<Scalars['Int']['output']>;
  /** What happened. */
  readonly event: RegistrationTransition;
  /** The gateway that registers at its provider; null for devices, and if it no longer exists. */
  readonly gateway: Maybe<Gateway>;
  /** The address of the device or the provider. Viewers do not see it. */
  readonly host: Maybe<Scalars['String']['output']>;
  /** Opaque and globally unique, for caches. */
  readonly id: Scalars['ID']['output'];
  /** The node of the SIP server, as host:port. */
  readonly node: Maybe<Scalars['String']['output']>;
  /** Its port. Viewers do not see it. */
  readonly port: Maybe<Scalars['Int']['output']>;
  /** Why, such as `Wrong secret` or `Connection closed`. */
  readonly reason: Maybe<Scalars['String']['output']>;
  /** The status code of the response, such as 401. */
  readonly status: Maybe<Scalars['Int']['output']>;
  /** The agent or peer of the device; null if there was none, or if it no longer exists. */
  readonly target: Maybe<Target>;
  /** Transport, such as udp. */
  readonly transport: Maybe<Scalars['String']['output']>;
  /** The User-Agent header of the device. */
  readonly userAgent: Maybe<Scalars['String']['output']>;
};

/** A page of a list of type RegistrationEvent (Relay). */
export type RegistrationEventConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<RegistrationEventEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<RegistrationEvent>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** An item of a list of type RegistrationEvent, with its cursor (Relay). */
export type RegistrationEventEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: RegistrationEvent;
};

/** Conditions on a transition of a registration; all must hold. */
export type RegistrationEventWhere = {
  /** The address of record, such as `sip:1001@sip.local`. */
  readonly addressOfRecord?: InputMaybe<Scalars['String']['input']>;
  /** Reference of the agent. */
  readonly agentRef?: InputMaybe<Scalars['String']['input']>;
  /** What happened. */
  readonly event?: InputMaybe<RegistrationTransition>;
  /** One of these happened. */
  readonly events?: InputMaybe<ReadonlyArray<RegistrationTransition>>;
  /** At this time or later. */
  readonly from?: InputMaybe<Scalars['DateTimeISO']['input']>;
  /** Reference of the gateway. */
  readonly gatewayRef?: InputMaybe<Scalars['String']['input']>;
  /** Reference of the peer. */
  readonly peerRef?: InputMaybe<Scalars['String']['input']>;
  /** At this time or earlier. */
  readonly to?: InputMaybe<Scalars['DateTimeISO']['input']>;
};

/** The state of the registration of a gateway at its provider. */
export type RegistrationState =
  /** The registration has expired and was not renewed. */
  | 'EXPIRED'
  /** The provider refused the last attempt. */
  | 'REFUSED'
  /** The provider granted a registration that has not expired. */
  | 'REGISTERED'
  /** The provider did not respond to the last attempt. */
  | 'UNREACHABLE';

/** What happened to a registration. Refreshes are not recorded. */
export type RegistrationTransition =
  /** The registration was not refreshed in time, or its connection was closed. */
  | 'EXPIRED'
  /** A provider did not respond to a gateway. */
  | 'LOST'
  /** A registered device sent another contact address, or registered from another address. */
  | 'MOVED'
  /** The SIP server refused a device, or a provider a gateway: see `status` and `reason`. */
  | 'REFUSED'
  /** A device registered, or a provider granted the registration of a gateway. */
  | 'REGISTERED'
  /** There were so many events that those of the next hours are not recorded. */
  | 'UNRECORDED'
  /** The device or the gateway ended its registration. */
  | 'UNREGISTERED';

/** How recorded calls would go now. */
export type ReplayResult = {
  /** Calls that were compared. */
  readonly calls: Scalars['Int']['output'];
  /** Calls that go in another way. */
  readonly differ: Scalars['Int']['output'];
  /** Those of `differ` and `later`, then those of `unknown`; of each, first the most frequent. */
  readonly differences: ReadonlyArray<CallDifference>;
  /** Records without a call, such as a BYE. */
  readonly ignored: Scalars['Int']['output'];
  /** Records that cannot be read. */
  readonly invalid: Scalars['Int']['output'];
  /** The first record that cannot be read, and why. */
  readonly invalidRecord: Maybe<Scalars['String']['output']>;
  /** Calls that left by a gateway which is now tried only if another one fails. */
  readonly later: Scalars['Int']['output'];
  /** Calls that go the same way. */
  readonly same: Scalars['Int']['output'];
  /** Calls that depend on what only the SIP server knows. */
  readonly unknown: Scalars['Int']['output'];
};

/** The fields of every kind of resource. */
export type Resource = {
  /** Version of the resource definitions: v1beta1. */
  readonly apiVersion: Scalars['String']['output'];
  /** When the resource was created. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** Opaque and globally unique. Pass it to `node` and `nodes`. */
  readonly id: Scalars['ID']['output'];
  /** The kind of the resource. */
  readonly kind: ResourceKind;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** When the resource was last changed. */
  readonly modifiedOn: Scalars['DateTimeISO']['output'];
  /** A note for people: at most 1,000 characters. */
  readonly note: Maybe<Scalars['String']['output']>;
  /** Reference, unique within the kind. Generated if it was not given. */
  readonly ref: Scalars['String']['output'];
};

/** A resource was created, updated or deleted. */
export type ResourceChange = Change & {
  /** When the event was recorded. */
  readonly at: Scalars['DateTimeISO']['output'];
  /** The position of the event in the stream of changes. Pass it as `since` to any subscription to continue after it. */
  readonly cursor: Scalars['String']['output'];
  /** What happened to the resource. */
  readonly event: ResourceEvent;
  /** The resource, if it no longer exists, also if another one has its reference since; null if it exists. */
  readonly former: Maybe<FormerResource>;
  /**
   * The resource's id.
   * @deprecated Since 2026-11-29: use resourceId. Caches take this one for the id of the change.
   */
  readonly id: Scalars['ID']['output'];
  /** The kind of the resource. */
  readonly kind: ResourceKind;
  /** The resource's reference. */
  readonly ref: Scalars['String']['output'];
  /** The current state of the resource; null if it does not exist, also if another one has its reference since. */
  readonly resource: Maybe<Resource>;
  /** The resource's id, also after it was deleted. */
  readonly resourceId: Scalars['ID']['output'];
};

/** What happened to a resource. */
export type ResourceEvent =
  /** The resource was created. */
  | 'CREATED'
  /** The resource was deleted. */
  | 'DELETED'
  /** The resource was updated. */
  | 'UPDATED';

/** The kind of a resource. */
export type ResourceKind =
  /** A SIP user, such as a person with a phone, who registers in one or more domains. */
  | 'Agent'
  /** A direct inward dialling number. Calls to it arrive through its gateway and are routed to its address of record. */
  | 'DID'
  /** A SIP domain. The SIP server is its registrar. */
  | 'Domain'
  /** A SIP trunk: the server of a provider that connects calls to and from the telephone network. */
  | 'Gateway'
  /** A telephone number. Calls to it are routed to its address of record; calls from a domain can use it as their caller. */
  | 'Number'
  /** Another SIP server, such as a PBX or a conference server. It may register in any domain. */
  | 'Peer'
  /** A way out of a domain: the numbers, and with them the gateways, that calls to dialed numbers with a prefix leave through. The longest prefix decides. */
  | 'Route';

/** What was measured after changes. */
export type RevertFigures = {
  /** How many of these failed. */
  readonly failedCalls: Scalars['Int']['output'];
  /** Gateways that were up or registered before the changes, and are down, not registered or deleted now. */
  readonly gatewaysLost: Scalars['Int']['output'];
  /** Calls that began after the changes, and were answered or failed. */
  readonly newCalls: Scalars['Int']['output'];
  /** Numbers that rang before the changes, and do not ring now. */
  readonly numbersStopped: Scalars['Int']['output'];
};

/** Figures after changes; from any of these on, the changes are reverted within 5 seconds. */
export type RevertLimits = {
  /** Percent of the calls that began after the changes and were answered or failed: 1 to 100. */
  readonly failedCallsPercent: Maybe<Scalars['Float']['output']>;
  /** Gateways that were up or registered before the changes and are down, not registered or deleted: 1 to 100,000. */
  readonly gatewaysLost: Maybe<Scalars['Int']['output']>;
  /** How many such calls there must be before `failedCallsPercent` counts: 1 to 5,000, by default 20. */
  readonly minCalls: Maybe<Scalars['Int']['output']>;
  /** Numbers that rang before the changes and do not ring any more: 1 to 100,000. */
  readonly numbersStopped: Maybe<Scalars['Int']['output']>;
};

/** Figures after changes; from any of these on, the changes are reverted within 5 seconds. */
export type RevertLimitsInput = {
  /** Percent of the calls that began after the changes and were answered or failed: 1 to 100. */
  readonly failedCallsPercent?: InputMaybe<Scalars['Float']['input']>;
  /** Gateways that were up or registered before the changes and are down, not registered or deleted: 1 to 100,000. */
  readonly gatewaysLost?: InputMaybe<Scalars['Int']['input']>;
  /** How many such calls there must be before `failedCallsPercent` counts: 1 to 5,000, by default 20. */
  readonly minCalls?: InputMaybe<Scalars['Int']['input']>;
  /** Numbers that rang before the changes and do not ring any more: 1 to 100,000. */
  readonly numbersStopped?: InputMaybe<Scalars['Int']['input']>;
};

/** A secret for a revert, because old secrets are not kept. */
export type RevertSecretInput = {
  /** Name of the field, such as `secret`. */
  readonly field: Scalars['String']['input'];
  /** Reference of the resource; by default, each that needs the secret. */
  readonly ref?: InputMaybe<Scalars['String']['input']>;
  /** The secret. */
  readonly value: Scalars['String']['input'];
};

/** What a revert changed, or would change. */
export type RevertedChange = {
  /** The fields that changed. */
  readonly changes: ReadonlyArray<FieldChange>;
  /** The entry that was reverted. */
  readonly entry: Scalars['ID']['output'];
  /** What happened to the resource by the revert. */
  readonly event: HistoryEvent;
  /** The kind of the resource. */
  readonly kind: HistoryKind;
  /** The resource's reference. */
  readonly ref: Scalars['String']['output'];
};

/** The role of a user, which determines the permissions. */
export type Role =
  /** Can read and write resources, and manage users. */
  | 'ADMIN'
  /** Can read and write resources. */
  | 'OPERATOR'
  /** Can read resources, without secrets. */
  | 'VIEWER';

/** A way out of a domain: the numbers, and with them the gateways, that calls to dialed numbers with a prefix leave through. The longest prefix decides. */
export type Route = Node & Resource & {
  /** Version of the resource definitions: v1beta1. */
  readonly apiVersion: Scalars['String']['output'];
  /** The calls of the Route, newest first. */
  readonly calls: CallConnection;
  /** When the resource was created. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** The domain whose calls the route carries. */
  readonly domain: Domain;
  /** Reference of the Domain whose calls the route carries. */
  readonly domainRef: Scalars['String']['output'];
  /** Whether `prefix` is a whole emergency number, such as 112. Calls to it leave through this route before anything else is looked at. */
  readonly emergency: Maybe<Scalars['Boolean']['output']>;
  /** False: the route carries no calls, as if it did not exist. An emergency route is always enabled. By default, true. */
  readonly enabled: Maybe<Scalars['Boolean']['output']>;
  /** Who changed the Route, newest first. */
  readonly history: HistoryEntryConnection;
  /** Opaque and globally unique. Pass it to `node` and `nodes`. */
  readonly id: Scalars['ID']['output'];
  /** The kind of the resource. */
  readonly kind: ResourceKind;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** When the resource was last changed. */
  readonly modifiedOn: Scalars['DateTimeISO']['output'];
  /** Display name. */
  readonly name: Scalars['String']['output'];
  /** A note for people: at most 1,000 characters. */
  readonly note: Maybe<Scalars['String']['output']>;
  /** The numbers that are the callers of the attempts, in order. Their gateways carry the calls. */
  readonly numbers: ReadonlyArray<Number>;
  /** The beginning of the dialed numbers, such as `+49`; the empty text matches every number. Separators are removed, and `00` at the start becomes `+`. Unique within the domain. */
  readonly prefix: Scalars['String']['output'];
  /** Reference, unique within the kind. Generated if it was not given. */
  readonly ref: Scalars['String']['output'];
  /** The order of the numbers in `numberRefs`, an entry for each: those of the same priority come in an order that is random for each call, by weight (RFC 2782). By default, they come in the order of `numberRefs`. */
  readonly shares: Maybe<ReadonlyArray<RouteShare>>;
};


/** A way out of a domain: the numbers, and with them the gateways, that calls to dialed numbers with a prefix leave through. The longest prefix decides. */
export type RouteCallsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A way out of a domain: the numbers, and with them the gateways, that calls to dialed numbers with a prefix leave through. The longest prefix decides. */
export type RouteHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of a list of type Route (Relay). */
export type RouteConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<RouteEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<Route>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** An item of a list of type Route, with its cursor (Relay). */
export type RouteEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: Route;
};

/** A sort order of lists of type Route. */
export type RouteOrder = {
  /** The direction. */
  readonly direction?: OrderDirection;
  /** The field to sort by. */
  readonly field: RouteOrderField;
};

/** Fields that lists of type Route can be sorted by. */
export type RouteOrderField =
  /** When the resource was created. */
  | 'CREATED_ON'
  /** Reference of the Domain whose calls the route carries. */
  | 'DOMAIN_REF'
  /** Whether `prefix` is a whole emergency number, such as 112. Calls to it leave through this route before anything else is looked at. */
  | 'EMERGENCY'
  /** False: the route carries no calls, as if it did not exist. An emergency route is always enabled. By default, true. */
  | 'ENABLED'
  /** When the resource was last changed. */
  | 'MODIFIED_ON'
  /** Display name. */
  | 'NAME'
  /** The beginning of the dialed numbers, such as `+49`; the empty text matches every number. Separators are removed, and `00` at the start becomes `+`. Unique within the domain. */
  | 'PREFIX'
  /** Reference. */
  | 'REF';

/** The order of a number of a route, and its share of the calls. */
export type RouteShare = {
  /** Lower priorities are called first (RFC 2782). Numbers of the same priority share the calls. */
  readonly priority: Scalars['Int']['output'];
  /** The share of the calls among numbers of the same priority (RFC 2782); by default, 10. */
  readonly weight: Maybe<Scalars['Int']['output']>;
};

/** The order of a number of a route, and its share of the calls. */
export type RouteShareInput = {
  /** Lower priorities are called first (RFC 2782). Numbers of the same priority share the calls. */
  readonly priority: Scalars['Int']['input'];
  /** The share of the calls among numbers of the same priority (RFC 2782); by default, 10. */
  readonly weight?: InputMaybe<Scalars['Int']['input']>;
};

/** Conditions on a list of entries; all must hold. */
export type RouteShareListFilter = {
  /** Whether the list is empty. */
  readonly isEmpty?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether the value is null. All other conditions are false for null. */
  readonly isNull?: InputMaybe<Scalars['Boolean']['input']>;
  /** The priority of each entry. */
  readonly priority?: InputMaybe<IntListFilter>;
  /** The weight of each entry. */
  readonly weight?: InputMaybe<IntListFilter>;
};

/** What the caller's domain does with calls that nobody here answers. */
export type RouteStep = ExplanationStep & {
  /** Whether this is the first link that does not work. */
  readonly broken: Scalars['Boolean']['output'];
  /** The domain; null if there is none. */
  readonly domain: Maybe<Domain>;
  /** The route; null if the egress policy decides, or if the call does not leave. */
  readonly route: Maybe<Route>;
  /** The state of the link. */
  readonly state: StepState;
  /** If the number, domain or user name does not exist: an existing one that differs by one character; null if there is none. */
  readonly suggestion: Maybe<Scalars['String']['output']>;
  /** A description of the state. */
  readonly summary: Scalars['String']['output'];
};

/** Conditions on a Route; all must hold. */
export type RouteWhere = {
  /** All of these conditions hold. */
  readonly and?: InputMaybe<ReadonlyArray<RouteWhere>>;
  /** When the resource was created. */
  readonly createdOn?: InputMaybe<DateTimeFilter>;
  /** The domain whose calls the route carries. */
  readonly domain?: InputMaybe<DomainWhere>;
  /** Reference of the Domain whose calls the route carries. */
  readonly domainRef?: InputMaybe<TextFilter>;
  /** Whether `prefix` is a whole emergency number, such as 112. Calls to it leave through this route before anything else is looked at. */
  readonly emergency?: InputMaybe<BooleanFilter>;
  /** False: the route carries no calls, as if it did not exist. An emergency route is always enabled. By default, true. */
  readonly enabled?: InputMaybe<BooleanFilter>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<TextListFilter>;
  /** When the resource was last changed. */
  readonly modifiedOn?: InputMaybe<DateTimeFilter>;
  /** Display name. */
  readonly name?: InputMaybe<TextFilter>;
  /** These conditions do not hold. */
  readonly not?: InputMaybe<RouteWhere>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<TextFilter>;
  /** The numbers that are the callers of the attempts, in order. Their gateways carry the calls. At least one must meet these conditions. */
  readonly numbers?: InputMaybe<NumberWhere>;
  /** At least one of these conditions holds. */
  readonly or?: InputMaybe<ReadonlyArray<RouteWhere>>;
  /** The beginning of the dialed numbers, such as `+49`; the empty text matches every number. Separators are removed, and `00` at the start becomes `+`. Unique within the domain. */
  readonly prefix?: InputMaybe<TextFilter>;
  /** Reference of the resource. */
  readonly ref?: InputMaybe<TextFilter>;
  /** The order of the numbers in `numberRefs`, an entry for each: those of the same priority come in an order that is random for each call, by weight (RFC 2782). By default, they come in the order of `numberRefs`. */
  readonly shares?: InputMaybe<RouteShareListFilter>;
};

/** The length of the intervals of samples. Days begin at midnight UTC. */
export type SampleResolution =
  /** Days, of the last 90 days. */
  | 'DAY'
  /** Hours, of the last 90 days. */
  | 'HOUR'
  /** Minutes, of the last 48 hours. */
  | 'MINUTE'
  /** Quarters of an hour, of the last 90 days. */
  | 'QUARTER_HOUR';

/** What is sampled. A value is the average of its interval, or the sum for CHANGES, CALLS_ANSWERED, CALLS_BUSY and CALLS_FAILED_*. */
export type SampleSeries =
  /** Calls in progress. */
  | 'CALLS'
  /** Calls that were answered. */
  | 'CALLS_ANSWERED'
  /** Calls that failed with 486 or 600: the callee was busy. */
  | 'CALLS_BUSY'
  /** Calls that failed with another status from 400 to 499, also those that the caller ended (487). */
  | 'CALLS_FAILED_4XX'
  /** Calls that failed with a status from 500 to 599. */
  | 'CALLS_FAILED_5XX'
  /** Calls that failed with another status from 600 to 699. */
  | 'CALLS_FAILED_6XX'
  /** Calls that failed with a status from 300 to 399, or without one. */
  | 'CALLS_FAILED_OTHER'
  /** Changes of resources, at most 1,000 a minute. */
  | 'CHANGES'
  /** Registered devices. */
  | 'DEVICES'
  /** Numbers in the state AMBIGUOUS. */
  | 'NUMBERS_AMBIGUOUS'
  /** Numbers in the state DISABLED. */
  | 'NUMBERS_DISABLED'
  /** Numbers in the state DOMAIN_MISSING. */
  | 'NUMBERS_DOMAIN_MISSING'
  /** Numbers in the state EXPIRED. */
  | 'NUMBERS_EXPIRED'
  /** Numbers in the state GATEWAY_DISABLED. */
  | 'NUMBERS_GATEWAY_DISABLED'
  /** Numbers in the state GATEWAY_DRAINING. */
  | 'NUMBERS_GATEWAY_DRAINING'
  /** Numbers in the state GATEWAY_EXPIRED. */
  | 'NUMBERS_GATEWAY_EXPIRED'
  /** Numbers in the state GATEWAY_NOT_REGISTERED. */
  | 'NUMBERS_GATEWAY_NOT_REGISTERED'
  /** Numbers in the state GATEWAY_REFUSED. */
  | 'NUMBERS_GATEWAY_REFUSED'
  /** Numbers in the state NOT_REGISTERED. */
  | 'NUMBERS_NOT_REGISTERED'
  /** Numbers in the state REACHABLE. */
  | 'NUMBERS_REACHABLE'
  /** Numbers in the state TARGET_DISABLED. */
  | 'NUMBERS_TARGET_DISABLED'
  /** Numbers in the state TARGET_FORBIDDEN. */
  | 'NUMBERS_TARGET_FORBIDDEN'
  /** Numbers in the state TARGET_MISSING. */
  | 'NUMBERS_TARGET_MISSING'
  /** Trunks in the state DOWN. */
  | 'TRUNKS_DOWN'
  /** Trunks in the state EXPIRED. */
  | 'TRUNKS_EXPIRED'
  /** Trunks in the state REFUSED. */
  | 'TRUNKS_REFUSED'
  /** Trunks in the state REGISTERED. */
  | 'TRUNKS_REGISTERED'
  /** Trunks in the state UNKNOWN. */
  | 'TRUNKS_UNKNOWN'
  /** Trunks in the state UNREACHABLE. */
  | 'TRUNKS_UNREACHABLE'
  /** Trunks in the state UP. */
  | 'TRUNKS_UP';

/** The values of a series. */
export type SampledSeries = {
  /** The series. */
  readonly series: SampleSeries;
  /** A value for each of `times`; null for what was not counted. */
  readonly values: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
};

/** The state of the installation over time. Intervals without samples are missing. */
export type Samples = {
  /** When the numbers of each interval were counted. With many numbers, counting takes longer than a minute. */
  readonly numbersCountedOn: ReadonlyArray<Maybe<Scalars['DateTimeISO']['output']>>;
  /** The length of the intervals. */
  readonly resolution: SampleResolution;
  /** The values of each series. */
  readonly series: ReadonlyArray<SampledSeries>;
  /** The starts of the intervals, oldest first. */
  readonly times: ReadonlyArray<Scalars['DateTimeISO']['output']>;
};

/** A sign-in with name and secret whose token is still good. */
export type Session = {
  /** The address from which the user signed in. */
  readonly address: Scalars['String']['output'];
  /** When the user signed in. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** Whether this request uses the token of the session. */
  readonly current: Scalars['Boolean']['output'];
  /** The browser and the device, such as `Firefox on Windows`, or the program, as the user agent names them; null if they are unknown. Programs may send anything. */
  readonly device: Maybe<Scalars['String']['output']>;
  /** When the token expires. */
  readonly expiresOn: Scalars['DateTimeISO']['output'];
  /** Identifies the session for endSession. */
  readonly id: Scalars['ID']['output'];
  /** The User-Agent header of the sign-in: at most 200 printable characters of ASCII; null if it is unknown. */
  readonly userAgent: Maybe<Scalars['String']['output']>;
};

/** A range of numbers, a route or an egress policy that loses calls to a rule, or to a user with the name of an outside number, that comes first. */
export type ShadowedRule = {
  /** The number, the domain and the prefix, or the address of the user that comes first. */
  readonly by: Scalars['String']['output'];
  /** Reference of the number, route, agent or peer that comes first. */
  readonly byRef: Scalars['String']['output'];
  /** Whether the route takes no more calls to longer numbers, because there is a longer prefix for each next digit. */
  readonly isWhole: Scalars['Boolean']['output'];
  /** DID, Number or Route; Domain for its egress policy. */
  readonly kind: ResourceKind;
  /** Reference of the range or the route. */
  readonly ref: Scalars['String']['output'];
  /** The first and the last number of the range, or the domain and the prefix. */
  readonly rule: Scalars['String']['output'];
};

/** What calls would do differently after changes. */
export type SimulatedCalls = {
  /** How many of the compared numbers go differently. */
  readonly counts: NumberEffectCounts;
  /** How many of these ways out are emergency numbers, which come first. */
  readonly emergencyCount: Scalars['Int']['output'];
  /** If the changes may affect further numbers, the cursor to compare them with `after`; otherwise null. */
  readonly endCursor: Maybe<Scalars['String']['output']>;
  /** How many numbers that the changes may affect were compared. */
  readonly examined: Scalars['Int']['output'];
  /** Gateways and domains that lose their last number or their last way for calls, of the first 100 gateways and domains that the changes are about, and those, and peers, that accept calls from fewer networks. */
  readonly lostWays: ReadonlyArray<LostWay>;
  /** How many gateways, peers and domains lose something. */
  readonly lostWaysCount: Scalars['Int']['output'];
  /** The numbers that go differently: first those that stop ringing, then in creation order. */
  readonly numbers: ReadonlyArray<NumberEffect>;
  /** Ranges and routes that lose calls to changed numbers inside the range, longer prefixes or emergency numbers, or to changed agents and peers with the name of an outside number, which take precedence. */
  readonly shadowed: ReadonlyArray<ShadowedRule>;
  /** How many ranges and routes lose calls. */
  readonly shadowedCount: Scalars['Int']['output'];
  /** The routes, emergency numbers and egress policies whose calls leave differently, of a domain or of one changed agent or peer. Without its route, a call leaves by that for a shorter prefix or by the egress policy. */
  readonly waysOut: ReadonlyArray<WayOutEffect>;
  /** How many ways out differ. */
  readonly waysOutCount: Scalars['Int']['output'];
};


/** What calls would do differently after changes. */
export type SimulatedCallsLostWaysArgs = {
  first?: Scalars['Int']['input'];
};


/** What calls would do differently after changes. */
export type SimulatedCallsNumbersArgs = {
  first?: Scalars['Int']['input'];
};


/** What calls would do differently after changes. */
export type SimulatedCallsShadowedArgs = {
  first?: Scalars['Int']['input'];
};


/** What calls would do differently after changes. */
export type SimulatedCallsWaysOutArgs = {
  first?: Scalars['Int']['input'];
};

/** What to revert in a simulation: exactly one of `request` and `entry`. */
export type SimulatedRevertInput = {
  /** Number of the entry of the history. */
  readonly entry?: InputMaybe<Scalars['ID']['input']>;
  /** The id of the request or of the run of a command. */
  readonly request?: InputMaybe<Scalars['String']['input']>;
  /** Secrets that the revert needs. */
  readonly secrets?: InputMaybe<ReadonlyArray<RevertSecretInput>>;
};

/** What changes would do, and what calls would do differently. */
export type Simulation = {
  /** What calls would do differently. */
  readonly calls: SimulatedCalls;
  /** What each change would do, in the given order. */
  readonly changes: ReadonlyArray<AppliedChange>;
};

/** The SIP server that this service manages. */
export type SipServer = {
  /** Whether the SIP server currently responds. */
  readonly reachable: Scalars['Boolean']['output'];
  /** Uptime in seconds; null while the SIP server cannot be reached. */
  readonly uptime: Maybe<Scalars['Int']['output']>;
  /** The version that the SIP server reports; null while it cannot be reached. */
  readonly version: Maybe<Scalars['String']['output']>;
};

/** Where a call from outside comes from. */
export type SourceStep = ExplanationStep & {
  /** Whether this is the first link that does not work. */
  readonly broken: Scalars['Boolean']['output'];
  /** The gateway. */
  readonly gateway: Maybe<Gateway>;
  /** The state of the link. */
  readonly state: StepState;
  /** If the number, domain or user name does not exist: an existing one that differs by one character; null if there is none. */
  readonly suggestion: Maybe<Scalars['String']['output']>;
  /** A description of the state. */
  readonly summary: Scalars['String']['output'];
};

/** The state of a link in the path of a call. */
export type StepState =
  /** Several numbers match. */
  | 'AMBIGUOUS'
  /** The resource is disabled. */
  | 'DISABLED'
  /** The gateway takes no new calls. */
  | 'DRAINING'
  /** The registration has expired. */
  | 'EXPIRED'
  /** The registration is rejected, the agent does not belong to the domain, or the SIP server does not accept the call. */
  | 'FORBIDDEN'
  /** The resource does not exist. */
  | 'MISSING'
  /** The resource does not exist, but the call does not need it. */
  | 'NOT_NEEDED'
  /** The device or gateway exists but is not registered. */
  | 'NOT_REGISTERED'
  /** The link works. */
  | 'OK'
  /** Only the SIP server knows, because it depends on the address of a host name. For an earlier time: also if it is not known what was then. */
  | 'UNKNOWN';

/** Subscriptions to events, over WebSockets (graphql-ws) and server-sent events (graphql-sse). */
export type Subscription = {
  /** An event for each limit of calls that is nearly reached or reached, and for each emergency call. */
  readonly callAlert: CallAlertChange;
  /** An event for each call that begins, rings, is answered or ends, within about a second. It has no cursor: after an interruption, read the calls again. */
  readonly callsChanged: CallsChange;
  /** An event for each device that registers, and for each registration that ends. */
  readonly contactsChanged: ContactsChange;
  /** An event for each change of the health of a destination of a gateway: it stopped responding to OPTIONS, or responds again. */
  readonly destinationHealthChanged: DestinationHealthChange;
  /** An event for each change of a gateway's health: its host stopped responding to OPTIONS, or responds again. */
  readonly gatewayHealthChanged: GatewayHealthChange;
  /** The progress of your import with this `progressId`. The first event comes immediately: then start the import. With several processes behind a load balancer, send both over one WebSocket, because only the process that imports knows the progress. */
  readonly importProgress: ImportProgress;
  /** An event for each change of a gateway's registration at its provider. */
  readonly registrationsChanged: RegistrationChange;
  /** An event for each resource that is created, updated or deleted, by any user, over GraphQL or REST. */
  readonly resourceChanged: ResourceChange;
};


/** Subscriptions to events, over WebSockets (graphql-ws) and server-sent events (graphql-sse). */
export type SubscriptionCallAlertArgs = {
  since?: InputMaybe<Scalars['String']['input']>;
};


/** Subscriptions to events, over WebSockets (graphql-ws) and server-sent events (graphql-sse). */
export type SubscriptionCallsChangedArgs = {
  where?: InputMaybe<CallWhere>;
};


/** Subscriptions to events, over WebSockets (graphql-ws) and server-sent events (graphql-sse). */
export type SubscriptionContactsChangedArgs = {
  aor?: InputMaybe<Scalars['String']['input']>;
  since?: InputMaybe<Scalars['String']['input']>;
};


/** Subscriptions to events, over WebSockets (graphql-ws) and server-sent events (graphql-sse). */
export type SubscriptionDestinationHealthChangedArgs = {
  since?: InputMaybe<Scalars['String']['input']>;
};


/** Subscriptions to events, over WebSockets (graphql-ws) and server-sent events (graphql-sse). */
export type SubscriptionGatewayHealthChangedArgs = {
  since?: InputMaybe<Scalars['String']['input']>;
};


/** Subscriptions to events, over WebSockets (graphql-ws) and server-sent events (graphql-sse). */
export type SubscriptionImportProgressArgs = {
  progressId: Scalars['ID']['input'];
};


/** Subscriptions to events, over WebSockets (graphql-ws) and server-sent events (graphql-sse). */
export type SubscriptionRegistrationsChangedArgs = {
  since?: InputMaybe<Scalars['String']['input']>;
};


/** Subscriptions to events, over WebSockets (graphql-ws) and server-sent events (graphql-sse). */
export type SubscriptionResourceChangedArgs = {
  kinds?: InputMaybe<ReadonlyArray<ResourceKind>>;
  refs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  since?: InputMaybe<Scalars['String']['input']>;
};

/** Information about the server. */
export type SystemInfo = {
  /** Prefix of the paths of the REST API. */
  readonly apiPath: Scalars['String']['output'];
  /** Version of the REST API. */
  readonly apiVersion: Scalars['String']['output'];
  /** The variables among EXTERN_ADDR, LOCALNETS and REGISTRAR_INTF that are set. */
  readonly env: ReadonlyArray<EnvironmentVariable>;
  /** The country (ISO 3166-1) where numbers without a country code are from; null if HOME_COUNTRY is not set. */
  readonly homeCountry: Maybe<Scalars['String']['output']>;
  /** Version of sipgraph. */
  readonly version: Scalars['String']['output'];
};

/** The resource that the address of record of a number names: an Agent in that domain, otherwise a Peer. */
export type Target = Agent | Peer;

/** The agent or peer that the address of record names. */
export type TargetStep = ExplanationStep & {
  /** Whether this is the first link that does not work. */
  readonly broken: Scalars['Boolean']['output'];
  /** The state of the link. */
  readonly state: StepState;
  /** If the number, domain or user name does not exist: an existing one that differs by one character; null if there is none. */
  readonly suggestion: Maybe<Scalars['String']['output']>;
  /** A description of the state. */
  readonly summary: Scalars['String']['output'];
  /** The agent or peer; null if there is none. */
  readonly target: Maybe<Target>;
};

/** Conditions on the Agent or Peer that the address of record of a number names. All must hold. */
export type TargetWhere = {
  /** The target is an Agent that meets these conditions. */
  readonly agent?: InputMaybe<AgentWhere>;
  /** Whether there is an Agent or a Peer. */
  readonly exists?: InputMaybe<Scalars['Boolean']['input']>;
  /** The target is a Peer that meets these conditions. */
  readonly peer?: InputMaybe<PeerWhere>;
  /** Whether the resource is currently registered. */
  readonly registered?: InputMaybe<Scalars['Boolean']['input']>;
};

/** A change that is made in the background, in pieces, because it is too large for one request. Others can write between two pieces. */
export type Task = {
  /** When it was created. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** Records or entries that were processed in this state. */
  readonly done: Scalars['Float']['output'];
  /** When it ended; null until then. An hour after its last step, it is deleted with what was uploaded for it. */
  readonly finishedOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** What a move did, or would do; null until it has ended. */
  readonly move: Maybe<MoveResult>;
  /** Why it failed; null otherwise. */
  readonly problem: Maybe<Scalars['String']['output']>;
  /** Reference of the task. */
  readonly ref: Scalars['String']['output'];
  /** The id of the request in the history that has all that was written, to revert it as a whole; null if nothing was written. */
  readonly request: Maybe<Scalars['String']['output']>;
  /** The state. */
  readonly state: TaskState;
  /** Records or entries that there are; null while that is not known. */
  readonly total: Maybe<Scalars['Float']['output']>;
  /** What it does. */
  readonly type: TaskType;
  /** Records that were created or updated, or entries that were reverted, also before it ended early and was started again. */
  readonly written: Scalars['Float']['output'];
};

/** The state of a task. */
export type TaskState =
  /** It was cancelled. What it had written stays: see `written`. */
  | 'CANCELLED'
  /** It has checked everything: see `move`. The check changed nothing, and the task can be started again. */
  | 'CHECKED'
  /** It waits for its turn, or checks what it would do, and changes nothing. */
  | 'CHECKING'
  /** All changes are made. */
  | 'DONE'
  /** It ended earlier: see `problem`. What it had written stays: see `written`. */
  | 'FAILED'
  /** It waits for parts of the dump, and to be started. */
  | 'UPLOADING'
  /** It waits for its turn, or makes the changes. */
  | 'WRITING';

/** What a task does. */
export type TaskType =
  /** It moves in another system, of which a dump was uploaded. */
  | 'MOVE'
  /** It reverts a request of the history. */
  | 'REVERT';

/** Conditions on a text; all must hold. */
export type TextFilter = {
  /** Contains this text. */
  readonly contains?: InputMaybe<Scalars['String']['input']>;
  /** Contains this text, ignoring case. */
  readonly containsIgnoreCase?: InputMaybe<Scalars['String']['input']>;
  /** Ends with this text. */
  readonly endsWith?: InputMaybe<Scalars['String']['input']>;
  /** Ends with this text, ignoring case. */
  readonly endsWithIgnoreCase?: InputMaybe<Scalars['String']['input']>;
  /** Equal to this value. */
  readonly eq?: InputMaybe<Scalars['String']['input']>;
  /** Equal to this text, ignoring case. */
  readonly eqIgnoreCase?: InputMaybe<Scalars['String']['input']>;
  /** Greater than this value. Texts are compared by code points. */
  readonly gt?: InputMaybe<Scalars['String']['input']>;
  /** Greater than or equal to this value. */
  readonly gte?: InputMaybe<Scalars['String']['input']>;
  /** Equal to one of these values. */
  readonly in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Whether the value is null. All other conditions are false for null. */
  readonly isNull?: InputMaybe<Scalars['Boolean']['input']>;
  /** Less than this value. */
  readonly lt?: InputMaybe<Scalars['String']['input']>;
  /** Less than or equal to this value. */
  readonly lte?: InputMaybe<Scalars['String']['input']>;
  /** The whole text matches this regular expression, which has the syntax of JsonPath filters. */
  readonly matches?: InputMaybe<Scalars['String']['input']>;
  /** Not equal to this value. */
  readonly ne?: InputMaybe<Scalars['String']['input']>;
  /** Equal to none of these values. */
  readonly notIn?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Starts with this text. */
  readonly startsWith?: InputMaybe<Scalars['String']['input']>;
  /** Starts with this text, ignoring case. */
  readonly startsWithIgnoreCase?: InputMaybe<Scalars['String']['input']>;
};

/** Conditions on a list of texts; all must hold. */
export type TextListFilter = {
  /** Contains this entry. */
  readonly contains?: InputMaybe<Scalars['String']['input']>;
  /** Contains all of these entries. */
  readonly containsAll?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Contains one of these entries. */
  readonly containsAny?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Whether the list is empty. */
  readonly isEmpty?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether the value is null. All other conditions are false for null. */
  readonly isNull?: InputMaybe<Scalars['Boolean']['input']>;
  /** Contains an entry that starts with this text. */
  readonly startsWith?: InputMaybe<Scalars['String']['input']>;
};

/** A bearer token for the Authorization header. */
export type Token = {
  /** When the token expires. */
  readonly expiresOn: Scalars['DateTimeISO']['output'];
  /** The role of the user. */
  readonly role: Role;
  /** The token: send it as `Authorization: Bearer <token>`. */
  readonly token: Scalars['String']['output'];
};

/** A SIP transport (RFC 3261, 18; RFC 7118; RFC 4168). */
export type Transport =
  /** `sctp` in REST. */
  | 'SCTP'
  /** `tcp` in REST. */
  | 'TCP'
  /** `tls` in REST. */
  | 'TLS'
  /** `udp` in REST. */
  | 'UDP'
  /** `ws` in REST. */
  | 'WS'
  /** `wss` in REST. */
  | 'WSS';

/** Conditions on a value of type Transport; all must hold. */
export type TransportFilter = {
  /** Equal to this value. */
  readonly eq?: InputMaybe<Transport>;
  /** Equal to one of these values. */
  readonly in?: InputMaybe<ReadonlyArray<Transport>>;
  /** Whether the value is null. All other conditions are false for null. */
  readonly isNull?: InputMaybe<Scalars['Boolean']['input']>;
  /** Not equal to this value. */
  readonly ne?: InputMaybe<Transport>;
  /** Equal to none of these values. */
  readonly notIn?: InputMaybe<ReadonlyArray<Transport>>;
};

/** Conditions on a list of values of type Transport; all must hold. */
export type TransportListFilter = {
  /** Contains this value. */
  readonly contains?: InputMaybe<Transport>;
  /** Contains all of these values. */
  readonly containsAll?: InputMaybe<ReadonlyArray<Transport>>;
  /** Contains one of these values. */
  readonly containsAny?: InputMaybe<ReadonlyArray<Transport>>;
};

/** A gateway that registers at its provider, or whose host is checked with OPTIONS. */
export type Trunk = {
  /** The gateway. */
  readonly gateway: Gateway;
  /** The registration at the provider, or the result of the last attempt; null if no attempt is recorded. */
  readonly registration: Maybe<Registration>;
  /** When the registration was last granted or, for a trunk that is not registered, when its last registration ended; null if it was never granted. For a gateway that does not register, when its state began. */
  readonly since: Maybe<Scalars['DateTimeISO']['output']>;
  /** The state of the registration, or of the host of a gateway that does not register. */
  readonly state: TrunkState;
};

/** A page of a list of type Trunk (Relay). */
export type TrunkConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<TrunkEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<Trunk>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** The number of trunks in a state. */
export type TrunkCount = {
  /** The number of trunks. */
  readonly count: Scalars['Int']['output'];
  /** How many of them have a host that does not respond to OPTIONS. A registered trunk can be one of them. */
  readonly silent: Scalars['Int']['output'];
  /** The state. */
  readonly state: TrunkState;
};

/** An item of a list of type Trunk, with its cursor (Relay). */
export type TrunkEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: Trunk;
};

/** A time in which a trunk was in one state. */
export type TrunkPeriod = {
  /** The start. */
  readonly from: Scalars['DateTimeISO']['output'];
  /** The state. */
  readonly state: TrunkState;
  /** The end. */
  readonly to: Scalars['DateTimeISO']['output'];
};

/** The state of a gateway that registers at its provider or, if it does not register, its health. */
export type TrunkState =
  /** The gateway does not register, and its host does not respond to OPTIONS. */
  | 'DOWN'
  /** The registration has expired and was not renewed. */
  | 'EXPIRED'
  /** The provider refused the last attempt. */
  | 'REFUSED'
  /** The provider granted a registration that has not expired. */
  | 'REGISTERED'
  /** No attempt is recorded. */
  | 'UNKNOWN'
  /** The provider did not respond to the last attempt. */
  | 'UNREACHABLE'
  /** The gateway does not register, and its host responds to OPTIONS. */
  | 'UP';

/** Changes to an Agent. An omitted field keeps its value; null clears it. */
export type UpdateAgentInput = {
  /** Reference of the Number that the agent shows when it calls through the gateway of that number. */
  readonly callerNumberRef?: InputMaybe<Scalars['String']['input']>;
  /** Minutes a day (UTC) of answered calls that the agent makes to numbers that begin with a prefix, as `+1900=60`; at most 16. Every entry that matches the dialed number limits the call. Emergency calls are never refused. */
  readonly dailyMinutes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** URIs of the domains that the agent belongs to, in order. */
  readonly domains?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** False: the agent cannot register or be called, and can call only emergency numbers. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Maximum number of concurrent calls that the agent makes, including ringing calls. Emergency calls are never refused. */
  readonly maxCalls?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum number of new calls that the agent makes in each second. Emergency calls are never refused. */
  readonly maxCallsPerSecond?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum number of registered devices. */
  readonly maxContacts?: InputMaybe<Scalars['Int']['input']>;
  /** Display name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<Scalars['String']['input']>;
  /** Whether the agent's identity is hidden from the callee. */
  readonly privacy?: InputMaybe<Privacy>;
  /** Password for digest authentication (RFC 3261, 22). */
  readonly secret?: InputMaybe<Scalars['String']['input']>;
  /** SIP user name: at most 64 bytes, without @, : and ". Unique within each of the domains. */
  readonly username?: InputMaybe<Scalars['String']['input']>;
};

/** An update of a resource. Exactly one kind must be given. */
export type UpdateChange = {
  /** The resource is an Agent: its changes. An omitted field keeps its value; null clears it. */
  readonly agent?: InputMaybe<UpdateAgentInput>;
  /** The resource is a DID: its changes. An omitted field keeps its value; null clears it. */
  readonly did?: InputMaybe<UpdateDidInput>;
  /** The resource is a Domain: its changes. An omitted field keeps its value; null clears it. */
  readonly domain?: InputMaybe<UpdateDomainInput>;
  /** The resource is a Gateway: its changes. An omitted field keeps its value; null clears it. */
  readonly gateway?: InputMaybe<UpdateGatewayInput>;
  /** The `modifiedOn` that you have read. If the resource was changed later, by another request, nothing is changed. */
  readonly ifUnchangedSince?: InputMaybe<Scalars['DateTimeISO']['input']>;
  /** The resource is a Number: its changes. An omitted field keeps its value; null clears it. */
  readonly number?: InputMaybe<UpdateNumberInput>;
  /** The resource is a Peer: its changes. An omitted field keeps its value; null clears it. */
  readonly peer?: InputMaybe<UpdatePeerInput>;
  /** Reference of the resource, or `#` and a `localRef`. */
  readonly ref: Scalars['String']['input'];
  /** The resource is a Route: its changes. An omitted field keeps its value; null clears it. */
  readonly route?: InputMaybe<UpdateRouteInput>;
};

/** Changes to a DID. An omitted field keeps its value; null clears it. */
export type UpdateDidInput = {
  /** The address of record to which calls to the number are routed, as a SIP URI. */
  readonly aorLink?: InputMaybe<Scalars['String']['input']>;
  /** False: calls to the number do not ring. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** The targets after `aorLink`, which is the first, in order: addresses of record such as `sip:1002@sip.local`, and outside numbers such as `tel:+49301234`. A target without seconds rings together with the one before it, an outside number through one gateway; `tel:+49301234 after 20` rings when those before have rung for 20 seconds, or at once if they are busy, not registered or refuse. */
  readonly furtherTargets?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Reference of the Gateway that the number belongs to. */
  readonly gatewayRef?: InputMaybe<Scalars['String']['input']>;
  /** The location of the number. */
  readonly geoInfo?: InputMaybe<GeoInfoInput>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The last number of a range, as a tel URI with as many digits as `telUrl`: all numbers from `telUrl` to this one, at most a million. A number inside that exists as a resource of its own comes before the range. Ranges cannot overlap, and a range cannot contain numbers of another gateway. */
  readonly lastTelUrl?: InputMaybe<Scalars['String']['input']>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<Scalars['String']['input']>;
  /** The number, as a tel URI (RFC 3966). With `lastTelUrl`, the first number of a range. */
  readonly telUrl?: InputMaybe<Scalars['String']['input']>;
};

/** Changes to a Domain. An omitted field keeps its value; null clears it. */
export type UpdateDomainInput = {
  /** The addresses that may not register in this domain and call from or to its users, and exceptions. */
  readonly accessControlList?: InputMaybe<AccessControlListInput>;
  /** Minutes a day (UTC) of answered calls that leave from the domain to numbers that begin with a prefix, as `+1900=60`; at most 16. Every entry that matches the dialed number limits the call. Emergency calls are never refused. */
  readonly dailyMinutes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The domain, such as sip.local. */
  readonly domainUri?: InputMaybe<Scalars['String']['input']>;
  /** How calls from this domain reach the telephone network. */
  readonly egressPolicy?: InputMaybe<EgressPolicyInput>;
  /** False: nobody can register in the domain or be called in it, and only its emergency numbers can be called from it. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Maximum number of concurrent calls from and to users of the domain, including ringing calls. Emergency calls are never refused. */
  readonly maxCalls?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum number of new calls from and to users of the domain in each second. Emergency calls are never refused. */
  readonly maxCallsPerSecond?: InputMaybe<Scalars['Int']['input']>;
  /** Display name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<Scalars['String']['input']>;
};

/** Changes to a Gateway. An omitted field keeps its value; null clears it. */
export type UpdateGatewayInput = {
  /** User name in digests, if it differs from `username`. */
  readonly authUsername?: InputMaybe<Scalars['String']['input']>;
  /** Minutes a day (UTC) of answered calls that leave through the gateway to numbers that begin with a prefix, as `+1900=60`; at most 16. Every entry that matches the dialed number limits the call. Emergency calls are never refused. */
  readonly dailyMinutes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Where calls also go, besides `host`, which is the first destination: by priority, and shared by weight. */
  readonly destinations?: InputMaybe<ReadonlyArray<GatewayDestinationInput>>;
  /** True: no new call comes from the gateway or leaves through it. It stays registered, and calls in progress go on. */
  readonly draining?: InputMaybe<Scalars['Boolean']['input']>;
  /** False: no new call comes from the gateway or leaves through it, and it does not register. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Requested lifetime of the registration at the provider, in seconds (RFC 3261, 10.2). */
  readonly expires?: InputMaybe<Scalars['Int']['input']>;
  /** The host in From and P-Asserted-Identity of calls through the gateway; by default, its host and port. */
  readonly fromDomain?: InputMaybe<Scalars['String']['input']>;
  /** Host name or address of the provider's SIP server. */
  readonly host?: InputMaybe<Scalars['String']['input']>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Maximum number of concurrent calls from and to the provider, including ringing calls. Emergency calls are never refused. */
  readonly maxCalls?: InputMaybe<Scalars['Int']['input']>;
  /** Maximum number of new calls from and to the provider in each second. Emergency calls are never refused. */
  readonly maxCallsPerSecond?: InputMaybe<Scalars['Int']['input']>;
  /** Display name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<Scalars['String']['input']>;
  /** How the provider writes numbers in SIP URIs, in calls to it and from it: `E164` (+4930123, the default), `E164_NO_PLUS` (4930123), or a country such as `DE` (030123, and 0033123 abroad). Numbers that are stored without `+` are sent with their digits. */
  readonly numberFormat?: InputMaybe<Scalars['String']['input']>;
  /** The host or host:port to which requests to the provider are sent, instead of its host. Calls of the provider come from there. */
  readonly outboundProxy?: InputMaybe<Scalars['String']['input']>;
  /** Port of the provider's SIP server; by default, that of the transport. */
  readonly port?: InputMaybe<Scalars['Int']['input']>;
  /** Further registrars of the provider, as host or host:port. Stored for clients; the SIP server registers only at `host`. */
  readonly registries?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Password at the provider; requires a user name. */
  readonly secret?: InputMaybe<Scalars['String']['input']>;
  /** Whether the SIP server registers at the provider. By default, it does if there is a user name and a secret. */
  readonly sendRegister?: InputMaybe<Scalars['Boolean']['input']>;
  /** Networks from which the provider also sends calls, besides the addresses of its host: addresses or CIDR blocks. */
  readonly sources?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** What stands before the called number in the Request-URI: up to 16 digits, `*` or `#`. */
  readonly technicalPrefix?: InputMaybe<Scalars['String']['input']>;
  /** Transport to the provider. */
  readonly transport?: InputMaybe<Transport>;
  /** User name at the provider; requires a secret. A gateway without credentials is identified by its address. */
  readonly username?: InputMaybe<Scalars['String']['input']>;
};

/** Changes to a Number. An omitted field keeps its value; null clears it. */
export type UpdateNumberInput = {
  /** The address of record to which calls to the number are routed, as a SIP URI. */
  readonly aorLink?: InputMaybe<Scalars['String']['input']>;
  /** False: calls to the number do not ring. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** The targets after `aorLink`, which is the first, in order: addresses of record such as `sip:1002@sip.local`, and outside numbers such as `tel:+49301234`. A target without seconds rings together with the one before it, an outside number through one gateway; `tel:+49301234 after 20` rings when those before have rung for 20 seconds, or at once if they are busy, not registered or refuse. */
  readonly furtherTargets?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Reference of the Gateway that the number belongs to. */
  readonly gatewayRef?: InputMaybe<Scalars['String']['input']>;
  /** The location of the number. */
  readonly geoInfo?: InputMaybe<GeoInfoInput>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The last number of a range, as a tel URI with as many digits as `telUrl`: all numbers from `telUrl` to this one, at most a million. A number inside that exists as a resource of its own comes before the range. Ranges cannot overlap, and a range cannot contain numbers of another gateway. */
  readonly lastTelUrl?: InputMaybe<Scalars['String']['input']>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<Scalars['String']['input']>;
  /** The number, as a tel URI (RFC 3966). With `lastTelUrl`, the first number of a range. */
  readonly telUrl?: InputMaybe<Scalars['String']['input']>;
};

/** Changes to a Peer. An omitted field keeps its value; null clears it. */
export type UpdatePeerInput = {
  /** References of the Numbers that the peer may show when it calls through the gateways of these numbers. Another number is replaced. */
  readonly callerNumberRefs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The host or host:port where the peer is reached while it is not registered. */
  readonly contactAddr?: InputMaybe<Scalars['String']['input']>;
  /** The product, such as Asterisk. */
  readonly device?: InputMaybe<Scalars['String']['input']>;
  /** False: the peer cannot register or be called, and can call only emergency numbers. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Display name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<Scalars['String']['input']>;
  /** Password for digest authentication (RFC 3261, 22). */
  readonly secret?: InputMaybe<Scalars['String']['input']>;
  /** Networks from which the calls of the peer come without a digest: addresses or CIDR blocks. The longest one that contains an address decides. */
  readonly sources?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** SIP user name: at most 64 bytes, without @, : and ". */
  readonly username?: InputMaybe<Scalars['String']['input']>;
};

/** Changes to a Route. An omitted field keeps its value; null clears it. */
export type UpdateRouteInput = {
  /** Reference of the Domain whose calls the route carries. */
  readonly domainRef?: InputMaybe<Scalars['String']['input']>;
  /** Whether `prefix` is a whole emergency number, such as 112. Calls to it leave through this route before anything else is looked at. */
  readonly emergency?: InputMaybe<Scalars['Boolean']['input']>;
  /** False: the route carries no calls, as if it did not exist. An emergency route is always enabled. By default, true. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** Labels for selecting resources, such as `site=berlin`: at most 16, each key once, sorted by key. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Display name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** A note for people: at most 1,000 characters. */
  readonly note?: InputMaybe<Scalars['String']['input']>;
  /** References of the Numbers that are the callers of the attempts, in order. The gateway of each number carries its attempt. */
  readonly numberRefs?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The beginning of the dialed numbers, such as `+49`; the empty text matches every number. Separators are removed, and `00` at the start becomes `+`. Unique within the domain. */
  readonly prefix?: InputMaybe<Scalars['String']['input']>;
  /** The order of the numbers in `numberRefs`, an entry for each: those of the same priority come in an order that is random for each call, by weight (RFC 2782). By default, they come in the order of `numberRefs`. */
  readonly shares?: InputMaybe<ReadonlyArray<RouteShareInput>>;
};

/** Minutes a day (UTC) to numbers that begin with a prefix. */
export type UsedMinutes = {
  /** How many minutes may be used in a day. */
  readonly minutes: Scalars['Int']['output'];
  /** What the dialed number begins with. */
  readonly prefix: Scalars['String']['output'];
  /** How many seconds of today's are used by calls that have ended. */
  readonly usedSeconds: Scalars['Int']['output'];
};

/** A user who can sign in. */
export type User = {
  /** When the user was created. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** Deprecated elements of this graph in requests by the user without an API token. A request is counted within ten seconds. */
  readonly deprecatedUses: ReadonlyArray<DeprecatedUse>;
  /** When the user was last changed. */
  readonly modifiedOn: Scalars['DateTimeISO']['output'];
  /** Reference of the user. */
  readonly ref: Scalars['String']['output'];
  /** The role of the user. */
  readonly role: Role;
  /** Name to sign in with. */
  readonly username: Scalars['String']['output'];
};

/** A page of a list of type User (Relay). */
export type UserConnection = {
  /** The items with their cursors. */
  readonly edges: ReadonlyArray<UserEdge>;
  /** The items without cursors. */
  readonly nodes: ReadonlyArray<User>;
  /** Position of the page in the list. */
  readonly pageInfo: PageInfo;
  /** Number of items on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** An item of a list of type User, with its cursor (Relay). */
export type UserEdge = {
  /** Position of the item in the list, for `after` or `before`. */
  readonly cursor: Scalars['String']['output'];
  /** The item. */
  readonly node: User;
};

/** A view of a list that its user has saved: filter, order and columns under a name. */
export type View = {
  /** What the list shows, as the client that saved the view wrote it. */
  readonly content: Scalars['String']['output'];
  /** The list, such as `dids`. */
  readonly list: Scalars['String']['output'];
  /** Name of the view. */
  readonly name: Scalars['String']['output'];
  /** Reference of the view. */
  readonly ref: Scalars['String']['output'];
};

/** The signed-in user. */
export type Viewer = {
  /** Deprecated elements of this graph in requests by the user without an API token. A request is counted within ten seconds. */
  readonly deprecatedUses: ReadonlyArray<DeprecatedUse>;
  /** Reference of the user. */
  readonly ref: Scalars['String']['output'];
  /** The role of the user. */
  readonly role: Role;
  /** The sign-ins whose tokens are still good, newest first: the last 200. */
  readonly sessions: ReadonlyArray<Session>;
  /** Name of the user. */
  readonly username: Scalars['String']['output'];
};

/** A changed agent or peer whose calls leave differently. */
export type WayOutCaller = {
  /** Agent or Peer. */
  readonly kind: ResourceKind;
  /** Reference of the agent or peer. */
  readonly ref: Scalars['String']['output'];
  /** The user name with which it calls from the domain. */
  readonly user: Scalars['String']['output'];
};

/** A way out of a domain through which calls go differently after changes. */
export type WayOutEffect = {
  /** The same after the changes. */
  readonly after: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** The gateways that take the calls now, in order, each with the number that is shown, and with those of its settings that differ, such as `gateway at sip.example as tel:+331`; empty if none does; null if there is no such route or policy, it is disabled, or `caller` cannot call there. */
  readonly before: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** The agent or peer of which only the calls differ, because its name, its domains, its numbers or whether it can call differ; null for all calls of the domain. */
  readonly caller: Maybe<WayOutCaller>;
  /** The domain whose calls leave. */
  readonly domainUri: Scalars['String']['output'];
  /** Whether `prefix` is an emergency number. */
  readonly emergency: Scalars['Boolean']['output'];
  /** The beginning of the dialed numbers of a route; null for the egress policy. */
  readonly prefix: Maybe<Scalars['String']['output']>;
};

/** A receiver of events over HTTP. */
export type Webhook = {
  /** Seconds for which a gateway, destination or number must be in a state before the webhook is told: 0 to 86400, by default 60. */
  readonly after: Scalars['Int']['output'];
  /** The attempts to deliver messages, oldest first, without pings. Intervals without attempts are missing. */
  readonly attempts: ReadonlyArray<WebhookAttempts>;
  /** When the webhook was created. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** The events that are sent. */
  readonly events: ReadonlyArray<WebhookEvent>;
  /** Which failed calls are sent, and how often, for CALL_FAILED. By default, all, in one message a minute at most. */
  readonly failedCalls: Maybe<FailedCallRule>;
  /** The kinds of resources whose changes are sent as RESOURCE_CHANGED, at least one. By default, all. Other events do not depend on it. */
  readonly kinds: Maybe<ReadonlyArray<ResourceKind>>;
  /** Name of the user who created the webhook. */
  readonly madeBy: Scalars['String']['output'];
  /** A note about the webhook. */
  readonly note: Maybe<Scalars['String']['output']>;
  /** When the webhook was paused, by a user or because nothing could be delivered for a day; null while it is active. */
  readonly pausedOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** Why the webhook was paused; null while it is active. */
  readonly pausedReason: Maybe<Scalars['String']['output']>;
  /** Until when messages are also signed with the previous secret; null if they are not. */
  readonly previousSecretUntil: Maybe<Scalars['DateTimeISO']['output']>;
  /** Reference of the webhook. */
  readonly ref: Scalars['String']['output'];
  /** The references of resources, gateways and numbers, of what has limits or makes emergency calls, and addresses of record such as `sip:1001@sip.local`, whose events are sent: 1 to 100. By default, all. */
  readonly refs: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** The URL of the receiver. */
  readonly url: Scalars['String']['output'];
};


/** A receiver of events over HTTP. */
export type WebhookAttemptsArgs = {
  by?: WebhookAttemptInterval;
};

/** The intervals in which attempts are counted. */
export type WebhookAttemptInterval =
  /** The last 30 days, by day. Days begin at midnight UTC. */
  | 'DAY'
  /** The last 24 hours, by hour. */
  | 'HOUR';

/** How many attempts to deliver messages to a webhook succeeded and failed in an interval. */
export type WebhookAttempts = {
  /** Attempts that failed. A message is sent again until it is accepted. */
  readonly failed: Scalars['Int']['output'];
  /** The start of the interval. */
  readonly from: Scalars['DateTimeISO']['output'];
  /** Attempts that the receiver accepted. */
  readonly succeeded: Scalars['Int']['output'];
};

/** A message to a webhook, and what became of it. */
export type WebhookDelivery = {
  /** How often the message was sent. */
  readonly attempts: Scalars['Int']['output'];
  /** When the message was stored. */
  readonly createdOn: Scalars['DateTimeISO']['output'];
  /** When the message was delivered; null until then. */
  readonly deliveredOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** The `webhook-id` of the message, the same in all attempts. */
  readonly id: Scalars['ID']['output'];
  /** When the next attempt is due; null if the message was delivered, or is due now. */
  readonly nextAttemptOn: Maybe<Scalars['DateTimeISO']['output']>;
  /** The result of the last attempt; null before the first. */
  readonly outcome: Maybe<Scalars['String']['output']>;
  /** The body: JSON with `type`, `timestamp` and `data`. */
  readonly payload: Scalars['String']['output'];
};

/** An event that a webhook can be told about. */
export type WebhookEvent =
  /** Calls failed: those of the rule `failedCalls`. */
  | 'CALL_FAILED'
  /** Scheduled changes were made. */
  | 'CHANGES_APPLIED'
  /** Scheduled changes were not made, because they would do something else, or are not possible any more. */
  | 'CHANGES_NOT_APPLIED'
  /** Changes had to be reverted, and were not, because somebody has built upon them. */
  | 'CHANGES_NOT_REVERTED'
  /** Changes that nobody confirmed in time, or after which a limit was reached, were reverted. */
  | 'CHANGES_REVERTED'
  /** A device registered for an address of record, or its registration ended. */
  | 'CONTACTS_CHANGED'
  /** A destination of a gateway has not responded to OPTIONS for the time `after`. */
  | 'DESTINATION_DOWN'
  /** A destination that was down has responded again for the time `after`. */
  | 'DESTINATION_UP'
  /** An agent or a peer called an emergency number, whatever became of the call. At most ten a minute of each. */
  | 'EMERGENCY_CALL'
  /** A gateway that was lost has been registered again for the time `after`. */
  | 'GATEWAY_BACK'
  /** The host of a gateway has not responded to OPTIONS for the time `after`, also of one that does not register. */
  | 'GATEWAY_DOWN'
  /** A gateway has not been registered at its provider for the time `after`. */
  | 'GATEWAY_LOST'
  /** The host of a gateway that was down has responded again for the time `after`. */
  | 'GATEWAY_UP'
  /** An agent, a peer, a domain or a gateway reaches 80 % of its limit of calls at once, of new calls in a second, or of minutes a day. For calls at once, it is sent again only after they were below 60 %. Once a minute at most. */
  | 'LIMIT_NEARLY_REACHED'
  /** A call was refused, or left through another gateway, because of the limit of an agent, a peer, a domain or a gateway. Sent once a minute at most. */
  | 'LIMIT_REACHED'
  /** A number of `refs` that had stopped has rung again for the time `after`. */
  | 'NUMBER_BACK'
  /** A number of `refs` has not rung for the time `after`. */
  | 'NUMBER_STOPPED'
  /** The state of the registration of a gateway at its provider changed. */
  | 'REGISTRATION_CHANGED'
  /** A resource was created, updated or deleted. */
  | 'RESOURCE_CHANGED';

/** The result of a ping. */
export type WebhookPing = {
  /** The first 500 bytes of the body of the response, on one line. The receiver wrote it: show it as text. */
  readonly body: Scalars['String']['output'];
  /** Whether the receiver accepted the message with a status from 200 to 299. */
  readonly delivered: Scalars['Boolean']['output'];
  /** The status of the response, or why there is none. */
  readonly outcome: Scalars['String']['output'];
  /** Milliseconds until the end of the response, or until the failure. */
  readonly roundTrip: Scalars['Int']['output'];
  /** The status code of the response; null if there is none. */
  readonly status: Maybe<Scalars['Int']['output']>;
};
