import { mayAct, type Role } from '../auth/role';
import type { Config } from '../config/config';
import type { Product } from '../database/driver';
import type { Consistency, RequestReads } from '../database/reads/request-reads';
import { HistoryReader } from '../history/history-reader';
import { PastReader } from '../history/past-reader';
import type { ListMemory } from '../resources/lists/cached-lists';
import type { Filters } from '../resources/lists/filters';
import { ResourceReader } from '../resources/read/resource-reader';
import { AddressDiagnosis } from '../sip/diagnosis/address-diagnosis';
import { NumberDiagnosis } from '../sip/diagnosis/number-diagnosis';
import { ContactReader } from '../sip/live/contact-reader';
import { RegistrationReader } from '../sip/live/registration-reader';
import { TrunkReader } from '../sip/live/trunk-reader';
import type { ReadServices } from './services';

/** What the requests of a process share. */
export interface SharedServices extends Pick<
  ReadServices,
  'model' | 'filters' | 'systemInfo' | 'sipServer' | 'metrics' | 'changes' | 'importProgress'
> {
  readonly product: Product;
  readonly lists: ListMemory;
  readonly node: Config['sipNode'];
  /** Waits until all committed changes have a number. */
  readonly number: () => Promise<void>;
}

/** The read services of one request. A service is created when it is used, because most requests use one or two. */
export class RequestServices implements ReadServices {
  private reader: ResourceReader | undefined;
  private charged: Filters | undefined;

  constructor(
    private readonly shared: SharedServices,
    private readonly reads: RequestReads,
    /** Charges the user's budget for a read, in objects. */
    private readonly spend: (objects: number) => void,
    private readonly role: Role,
  ) {}

  get resources(): ResourceReader {
    return (this.reader ??= new ResourceReader(this.reads, this.shared.lists));
  }

  get filters(): Filters {
    const others = mayAct(this.role, 'operator');
    return (this.charged ??= this.shared.filters.forCaller(this.spend, others));
  }

  get consistency(): Consistency | undefined {
    return this.reads.consistency;
  }

  get contacts(): ContactReader {
    return new ContactReader(this.reads);
  }

  get registrations(): RegistrationReader {
    return new RegistrationReader(this.reads);
  }

  get trunks(): TrunkReader {
    return new TrunkReader(this.reads);
  }

  get addresses(): AddressDiagnosis {
    return new AddressDiagnosis(this.reads, this.shared.node, this.spend);
  }

  get diagnosis(): NumberDiagnosis {
    return new NumberDiagnosis(this.reads, this.shared.node, this.spend);
  }

  /** Entries are numbered on the primary when they are read, so a replica lacks them. */
  get history(): HistoryReader {
    return new HistoryReader(this.reads.onPrimary, this.shared.product, this.shared.number, this.spend);
  }

  get past(): PastReader {
    return new PastReader(this.reads.onPrimary, this.shared.product, this.shared.number, this.spend);
  }

  get model(): ReadServices['model'] {
    return this.shared.model;
  }

  get systemInfo(): ReadServices['systemInfo'] {
    return this.shared.systemInfo;
  }

  get sipServer(): ReadServices['sipServer'] {
    return this.shared.sipServer;
  }

  get metrics(): ReadServices['metrics'] {
    return this.shared.metrics;
  }

  get importProgress(): ReadServices['importProgress'] {
    return this.shared.importProgress;
  }

  get changes(): ReadServices['changes'] {
    return this.shared.changes;
  }
}
