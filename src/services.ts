import type { Access } from './auth/access';
import type { Authenticator } from './auth/authenticator';
import type { Session } from './auth/session';
import type { UserService } from './auth/user-service';
import type { Consistency } from './database/caller-reads';
import type { ChangeFeed } from './changes/change-feed';
import type { HistoryReader } from './history/history-reader';
import type { PastReader } from './history/past-reader';
import type { RevertService } from './history/revert-service';
import type { ImportProgress } from './imports/import-progress';
import type { ImportService } from './imports/import-service';
import type { BindingService } from './live/binding-service';
import type { AddressDiagnosis } from './diagnosis/address-diagnosis';
import type { NumberDiagnosis } from './diagnosis/number-diagnosis';
import type { ContactReader } from './live/contact-reader';
import type { RegistrationReader } from './live/registration-reader';
import type { TrunkReader } from './live/trunk-reader';
import type { Model } from './model/model';
import type { Filters } from './resources/filters';
import type { SipServer } from './live/sip-server';
import type { ManyService } from './resources/many-service';
import type { ResourceReader } from './resources/resource-reader';
import type { ResourceService } from './resources/resource-service';
import type { Metrics } from './system/metrics';
import type { SystemInfo } from './system/system-info';
import type { WebhookService } from './webhooks/webhook-service';

/** Services for every user. */
export interface ReadServices {
  /** Chooses where the request reads; undefined without replicas. Without a call, it reads from the primary. */
  readonly consistency: Consistency | undefined;
  readonly model: Model;
  readonly resources: ResourceReader;
  readonly filters: Filters;
  readonly contacts: ContactReader;
  readonly registrations: RegistrationReader;
  readonly trunks: TrunkReader;
  readonly systemInfo: SystemInfo;
  /** Undefined if none is configured. */
  readonly sipServer: SipServer | undefined;
  readonly metrics: Metrics;
  readonly changes: ChangeFeed;
  readonly history: HistoryReader;
  readonly past: PastReader;
  readonly importProgress: ImportProgress;
  readonly diagnosis: NumberDiagnosis;
  readonly addresses: AddressDiagnosis;
}

/** Services for operators and admins. */
export interface WriteServices {
  readonly resources: ResourceService;
  readonly many: ManyService;
  readonly imports: ImportService;
  readonly bindings: BindingService;
  readonly reverts: RevertService;
}

/** Services for admins. */
export interface AdminServices {
  readonly users: UserService;
  readonly webhooks: WebhookService;
}

export type AppSession = Session<ReadServices, WriteServices, AdminServices>;

/**
 * The services that GraphQL and REST use: `access`, which opens sessions with services, and `authenticator`, which
 * signs users in.
 */
export interface TransportAccess {
  readonly access: Access<ReadServices, WriteServices, AdminServices>;
  readonly authenticator: Authenticator;
}
