import type { ApiTokenService } from '../auth/api-token-service';
import type { DeprecatedUse } from '../auth/deprecated-uses';
import { mayAct, type Role } from '../auth/role';
import type { SessionService } from '../auth/sign-ins/sign-ins';
import type { UserService } from '../auth/user-service';
import type { ViewService } from '../auth/view-service';
import type { ChangeFeed } from '../changes/change-feed';
import type { Config } from '../config/config';
import type { Product } from '../database/driver';
import type { Consistency, RequestReads } from '../database/reads/request-reads';
import type { Reads } from '../database/sql';
import { HistoryReader } from '../history/history-reader';
import { Identities, type SinceOf } from '../history/identities';
import { PastDiagnosis } from '../history/past/past-diagnosis';
import { PastLiveReader } from '../history/past/past-live';
import { PastRegistrations } from '../history/past-registrations';
import { PastReader } from '../history/past-reader';
import { RequestReader } from '../history/request-reader';
import type { RevertService } from '../history/revert-service';
import type { PendingService } from '../jobs/pending/pending-service';
import { PendingReader } from '../jobs/pending/pending-store';
import type { Model } from '../model/model';
import type { Metrics } from '../monitoring/metrics';
import type { SystemInfo } from '../monitoring/system-info';
import type { ImportProgress } from '../resources/bulk/import-progress';
import type { ImportService } from '../resources/bulk/import-service';
import type { MoveService } from '../resources/moving/move-service';
import type { ChangeSetService } from '../resources/bulk/change-set-service';
import type { ManyService } from '../resources/bulk/many-service';
import type { ListMemory } from '../resources/lists/cached-lists';
import type { Filters } from '../resources/lists/filters';
import { ResourceReader } from '../resources/read/resource-reader';
import type { ResourceService } from '../resources/write/resource-service';
import { AddressDiagnosis } from '../sip/diagnosis/address-diagnosis';
import { CallDiagnosis } from '../sip/diagnosis/calls/call-diagnosis';
import { NumberDiagnosis } from '../sip/diagnosis/number-diagnosis';
import type { CallFeed } from '../sip/calls/call-feed';
import { CallReader } from '../sip/calls/call-reader';
import { LimitReader } from '../sip/calls/limit-reader';
import type { BindingService } from '../sip/live/binding-service';
import { alertsOf, type CallAlert } from '../sip/live/call-alerts';
import { ContactReader } from '../sip/live/contact-reader';
import type { GatewayTests } from '../sip/live/gateway-tests';
import { HealthReader } from '../sip/live/health-reader';
import { destinationsOf, type WatchedDestination } from '../sip/live/watched-destinations';
import { RefusedCallerReader } from '../sip/live/refused-callers';
import { RegistrationReader } from '../sip/live/registration-reader';
import type { SipServer } from '../sip/live/sip-server';
import { TrunkReader } from '../sip/live/trunk-reader';
import { RegistrationEventReader } from '../sip/past/registration-event-reader';
import { AvailabilityReader } from '../sip/samples/availability-reader';
import { SampleReader } from '../sip/samples/sample-reader';
import { KEPT } from '../sip/samples/series';
import type { WebhookService } from '../webhooks/webhook-service';

/** Services for every user that the requests of a process share. */
export interface SharedServices {
  readonly model: Model;
  readonly systemInfo: SystemInfo;
  /** Where numbers without a country code are from. */
  readonly homeCountry: Config['homeCountry'];
  /** Undefined if none is configured. */
  readonly sipServer: SipServer | undefined;
  readonly metrics: Metrics;
  readonly changes: ChangeFeed;
  readonly calls: CallFeed;
  readonly importProgress: ImportProgress;
  /** The URL of the trace of a call, with placeholders. */
  readonly traceUrl: string | undefined;
}

/** What the read services of all requests are made of. */
export interface ReadOptions {
  readonly filters: Filters;
  readonly product: Product;
  readonly lists: ListMemory;
  readonly node: Config['sipNode'];
  readonly home: Config['homeCountry'];
  /** Whether viewers see shortened numbers of calls. */
  readonly callsPrivacy: boolean;
  /** For how long transitions of registrations are kept, in milliseconds. */
  readonly liveKept: number;
  /** For how long calls are kept, in milliseconds. */
  readonly callsKept: number;
  /** Waits until all committed changes have a number. */
  readonly number: () => Promise<void>;
}

/**
 * Services for every user that read on behalf of one request. A service is created when it is used, because most
 * requests use one or two.
 */
export class ReadServices {
  /** Chooses where the request reads; undefined without replicas. Without a call, it reads from the primary. */
  readonly consistency: Consistency | undefined;
  private reader: ResourceReader | undefined;
  private charged: Filters | undefined;
  private availabilities: AvailabilityReader | undefined;
  private identity: Identities | undefined;

  constructor(
    private readonly options: ReadOptions,
    private readonly reads: Reads & Pick<RequestReads, 'onPrimary' | 'consistency'>,
    /** Charges the user's budget for a read, in objects. */
    private readonly spend: (objects: number) => void,
    private readonly role: Role,
  ) {
    this.consistency = reads.consistency;
  }

  /** The same services, which read in a transaction. */
  within(reads: Reads): ReadServices {
    return new ReadServices(
      this.options,
      { ...reads, onPrimary: reads, consistency: undefined },
      this.spend,
      this.role,
    );
  }

  get resources(): ResourceReader {
    return (this.reader ??= new ResourceReader(this.reads, this.options.lists));
  }

  get filters(): Filters {
    return (this.charged ??= this.options.filters.forCaller(this.spend, mayAct(this.role, 'operator')));
  }

  get contacts(): ContactReader {
    return new ContactReader(this.reads);
  }

  get registrations(): RegistrationReader {
    return new RegistrationReader(this.reads);
  }

  get health(): HealthReader {
    return new HealthReader(this.reads);
  }

  get refusedCallers(): RefusedCallerReader {
    return new RefusedCallerReader(this.reads, this.spend, !mayAct(this.role, 'operator'));
  }

  get trunks(): TrunkReader {
    return new TrunkReader(this.reads);
  }

  get calls(): CallReader {
    const { product, callsPrivacy, callsKept } = this.options;
    const isShortened = callsPrivacy && !mayAct(this.role, 'operator');
    return new CallReader(this.reads, { product, isShortened, spend: this.spend, since: this.sinceOf(callsKept) });
  }

  /** One for all fields of a document, so that what they ask together is read together. */
  get identities(): Identities {
    const { product, number } = this.options;
    const options = { product, number, spend: this.spend, primary: this.reads.onPrimary };
    return (this.identity ??= new Identities(this.reads, options));
  }

  get registrationEvents(): RegistrationEventReader {
    const { product, liveKept } = this.options;
    const isHidden = !mayAct(this.role, 'operator');
    return new RegistrationEventReader(this.reads, { product, isHidden, since: this.sinceOf(liveKept) });
  }

  /** Since when references mean what they mean now, as far back as what refers to them is kept, in milliseconds. */
  private sinceOf(kept: number): SinceOf {
    return (mentions) => this.identities.since(mentions, Date.now() - kept);
  }

  get limits(): LimitReader {
    return new LimitReader(this.reads, this.options.product);
  }

  /** The alerts of the SIP server with these row ids, by row id. */
  alerts(rowIds: readonly number[]): Promise<ReadonlyMap<number, CallAlert>> {
    return alertsOf(this.reads.onPrimary, rowIds);
  }

  /** The destinations of gateways with these row ids, by row id. */
  watchedDestinations(rowIds: readonly number[]): Promise<ReadonlyMap<number, WatchedDestination>> {
    return destinationsOf(this.reads.onPrimary, rowIds);
  }

  get samples(): SampleReader {
    return new SampleReader(this.reads, this.spend);
  }

  get availability(): AvailabilityReader {
    return (this.availabilities ??= new AvailabilityReader(this.reads, this.spend, this.sinceOf(KEPT.QUARTER_HOUR)));
  }

  get addresses(): AddressDiagnosis {
    return new AddressDiagnosis(this.reads, this.options.node, this.spend);
  }

  get diagnosis(): NumberDiagnosis {
    const { node, home } = this.options;
    return new NumberDiagnosis(this.reads, node, home, this.spend, Date.now, this.callDiagnosis);
  }

  get callDiagnosis(): CallDiagnosis {
    const { product, node, home } = this.options;
    return new CallDiagnosis(this.reads, this.limits, product, node, home, this.spend);
  }

  /** Entries are numbered on the primary when they are read, so a replica lacks them. */
  get history(): HistoryReader {
    return new HistoryReader(this.reads.onPrimary, this.options.product, this.options.number, this.spend);
  }

  /** Sets of changes that wait, and what has become of them: a replica may lack what was just made. */
  get pending(): PendingReader {
    return new PendingReader(this.reads.onPrimary);
  }

  get requests(): RequestReader {
    return new RequestReader(this.history, this.reads.onPrimary, this.options.product, this.spend);
  }

  get past(): PastReader {
    return new PastReader(this.reads.onPrimary, this.options.product, this.options.number, this.spend);
  }

  get pastDiagnosis(): PastDiagnosis {
    const { product, node, home, liveKept, callsKept } = this.options;
    const reads = this.reads.onPrimary;
    const isHidden = !mayAct(this.role, 'operator');
    const devices = new PastRegistrations(reads, { liveKept, isHidden });
    const gateways = new PastRegistrations(reads, { liveKept, isHidden: false });
    const live = new PastLiveReader(reads, devices, gateways, { product, callsKept, liveKept });
    return new PastDiagnosis(reads, this.past, live, { product, node, home, spend: this.spend });
  }
}

/** Services for operators and admins. */
export interface WriteServices {
  readonly resources: ResourceService;
  readonly many: ManyService;
  readonly changeSets: ChangeSetService;
  readonly pending: PendingService;
  readonly imports: ImportService;
  readonly moves: MoveService;
  readonly bindings: BindingService;
  readonly gatewayTests: GatewayTests;
  readonly reverts: RevertService;
}

/** Services for admins. */
export interface AdminServices {
  readonly users: UserService;
  readonly sessions: Pick<SessionService, 'listOf'>;
  readonly webhooks: WebhookService;
}

/** The services that every user has for the own account. */
export interface AccountServices {
  readonly users: Pick<UserService, 'setSecret'>;
  readonly apiTokens: ApiTokenService;
  readonly sessions: SessionService;
  readonly views: ViewService;
  /** What is deprecated in the graph and used by API tokens and users with these refs, by ref. */
  readonly deprecatedUses: (refs: readonly string[]) => Promise<ReadonlyMap<string, readonly DeprecatedUse[]>>;
}
