import { accounts } from './accounts';
import { bulk } from './bulk';
import { calls } from './calls';
import { explain } from './explain';
import { health } from './health';
import { history } from './history';
import { imports } from './import';
import { jobs } from './jobs';
import { live } from './live';
import { map } from './map';
import { moving } from './moving';
import { now } from './now';
import { pending } from './pending';
import { samples } from './samples';
import { views } from './views';
import { webhooks } from './webhooks';
import type { Feature } from './feature';

/** The features of the console, besides the kinds of resources. */
export const features: readonly Feature[] = [
  now,
  map,
  explain,
  live,
  calls,
  jobs,
  samples,
  health,
  views,
  bulk,
  imports,
  moving,
  history,
  pending,
  accounts,
  webhooks,
];
