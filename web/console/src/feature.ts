import type { ComponentType, ReactElement } from 'react';

import type { Session } from './graph/session';

/** Loads a component when it is shown first, from a file of its own. */
export type Load<Props = object> = () => Promise<ComponentType<Props>>;

/** A page with an address of its own. */
export interface FeaturePage {
  /** Below /console, such as `live` or `history/:entry`. The page at '' is the first page. */
  readonly path: string;
  readonly load: Load;
}

/** An entry of the menu. */
export interface MenuEntry {
  /** The path of the page. */
  readonly to: string;
  readonly label: string;
  readonly icon: ReactElement;
  /** Entries are sorted by it; those of the kinds are 100 to 199. */
  readonly position: number;
  /** Loads the page before it is shown, when the user is about to choose it; by default, that of the feature at `to`. */
  readonly load?: () => Promise<unknown>;
  /** Whether this user is offered the page; by default, everybody is. */
  readonly isFor?: (session: Session) => boolean;
}

/** What a part shown on the page of a resource is told. */
export interface ResourceProps {
  /** The kind, such as `Gateway`. */
  readonly kind: string;
  readonly resourceRef: string;
}

/** A part of the pages of resources. */
export interface ResourcePanel {
  readonly load: Load<ResourceProps>;
  /** By default, all kinds. */
  readonly kinds?: readonly string[];
}

/** What a part shown in the list of a kind is told. */
export interface ListProps {
  /** The kind, such as `Gateway`. */
  readonly kind: string;
}

/** A part of the toolbar of lists; uses react-admin's list context. */
export interface ListPart {
  readonly load: Load<ListProps>;
  /** By default, all kinds. */
  readonly kinds?: readonly string[];
}

/** A feature of the console. Its folder exports it from index.tsx; features.ts lists it. */
export interface Feature {
  readonly pages?: readonly FeaturePage[];
  readonly menu?: readonly MenuEntry[];
  /** Shown below the fields of a resource. */
  readonly panels?: readonly ResourcePanel[];
  /** Shown in the toolbar above lists. */
  readonly listActions?: readonly ListPart[];
  /** Shown while rows of a list are selected. */
  readonly bulkActions?: readonly ListPart[];
  /** Shown in the account menu. */
  readonly accountEntries?: readonly MenuEntry[];
}
