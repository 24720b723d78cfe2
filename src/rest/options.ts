import type { Kind } from '../model/kind';
import type { Profile } from './profile';

/** The settings of the legacy API. */
export interface RestOptions {
  readonly kinds: readonly Kind[];
  readonly maxItemsPerPage: number;
  /** Omit secrets from all documents, for every user. */
  readonly hideSecrets: boolean;
  readonly profile: Profile;
  /** Write every status as a number (docs/legacy-clients.md, "Profiles"). */
  readonly numericStatus: boolean;
  /** The name of the database product, for `/system/config`. */
  readonly provider: string;
}
