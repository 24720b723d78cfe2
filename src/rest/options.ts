import type { Kind } from '../model/kind';
import type { Profile } from './profile';

/** What a deployment decides about the legacy API. */
export interface RestOptions {
  readonly kinds: readonly Kind[];
  readonly maxItemsPerPage: number;
  /** No document has a secret, whoever asks. */
  readonly hideSecrets: boolean;
  readonly profile: Profile;
  /** Every status is a number (docs/legacy-clients.md, "Profiles"). */
  readonly numericStatus: boolean;
  /** The name of the database product, for `/system/config`. */
  readonly provider: string;
}
