import type { ApiTokenService } from '../auth/api-token-service';
import type { SessionService } from '../auth/sign-ins';
import type { UserService } from '../auth/user-service';
import type { ChangeFeed } from '../changes/change-feed';
import type { Consistency } from '../database/reads/request-reads';
import type { HistoryReader } from '../history/history-reader';
import type { PastReader } from '../history/past-reader';
import type { RevertService } from '../history/revert-service';
import type { Model } from '../model/model';
import type { Metrics } from '../monitoring/metrics';
import type { SystemInfo } from '../monitoring/system-info';
import type { ImportProgress } from '../resources/bulk/import-progress';
import type { ImportService } from '../resources/bulk/import-service';
import type { ManyService } from '../resources/bulk/many-service';
import type { Filters } from '../resources/lists/filters';
import type { ResourceReader } from '../resources/read/resource-reader';
import type { ResourceService } from '../resources/write/resource-service';
import type { AddressDiagnosis } from '../sip/diagnosis/address-diagnosis';
import type { NumberDiagnosis } from '../sip/diagnosis/number-diagnosis';
import type { BindingService } from '../sip/live/binding-service';
import type { ContactReader } from '../sip/live/contact-reader';
import type { RegistrationReader } from '../sip/live/registration-reader';
import type { SipServer } from '../sip/live/sip-server';
import type { TrunkReader } from '../sip/live/trunk-reader';
import type { WebhookService } from '../webhooks/webhook-service';

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

/** The services that every user has for the own account. */
export interface AccountServices {
  readonly apiTokens: ApiTokenService;
  readonly sessions: SessionService;
}
