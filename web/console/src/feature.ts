import type { ComponentType, ReactElement } from 'react';

import type { Session } from './graph/session';
import type { texts } from './texts';

/** Loads a component when it is shown first, from a file of its own. */
export type Load<Props = object> = () => Promise<ComponentType<Props>>;

/** A page with an address of its own. */
export interface FeaturePage {
  /** Below /console, such as `live` or `history/:entry`. The page at '' is the first page. */
  readonly path: string;
  readonly load: Load;
  /** Whether this user has the page; by default, everybody who is offered it in a menu. */
  readonly isFor?: (session: Session) => boolean;
}

/** A group of entries in the menu, in the order of texts.ts. */
export type MenuGroup = keyof typeof texts.layout.groups;

/** A page that users are offered. */
export interface Offer {
  /** The path of the page, with parameters that choose a part of it. */
  readonly to: string;
  readonly label: string;
  /** Whether this user is offered the page; by default, everybody is. */
  readonly isFor?: (session: Session) => boolean;
}

/** An entry of a menu. */
export interface MenuEntry extends Offer {
  readonly icon: ReactElement;
  /** By default, that of the entries without a heading at the top. */
  readonly group?: MenuGroup;
  /** Entries of a group are sorted by it. */
  readonly position: number;
  /** A figure beside the label, such as how many of these are down. */
  readonly count?: Load;
  /** Loads the page before it is shown, when the user is about to choose it; by default, that of the feature at `to`. */
  readonly load?: () => Promise<unknown>;
}

/** What a part shown on the page of a resource is told. */
export interface ResourceProps {
  /** The kind, such as `Gateway`. */
  readonly kind: string;
  readonly resourceRef: string;
}

/** A tab of the pages of resources, in the order of texts.ts. */
export type ResourceTab = keyof typeof texts.kinds.tabs;

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
  /** The key under which the browser keeps the choice of columns. */
  readonly columnsKey: string;
}

/** A part of lists; uses react-admin's list context. */
export interface ListPart {
  readonly load: Load<ListProps>;
  /** By default, all kinds. */
  readonly kinds?: readonly string[];
}

/** A feature of the console. Its folder exports it from index.tsx; features.ts lists it. */
export interface Feature {
  readonly pages?: readonly FeaturePage[];
  readonly menu?: readonly MenuEntry[];
  /** What the search offers to do. */
  readonly jobs?: readonly Offer[];
  /** Shown on the page of a resource, in a tab; by default, beside its fields. */
  readonly panels?: readonly (ResourcePanel & { readonly tab?: ResourceTab })[];
  /**
   * Shown beside the name of a resource: to those who may change it, or to all. `isForUsed`: offered, too, when the
   * resource cannot be deleted because others refer to it.
   */
  readonly resourceActions?: readonly (ResourcePanel & { readonly isForAll?: boolean; readonly isForUsed?: boolean })[];
  /** Shown between the toolbar of lists and their rows. */
  readonly listHeads?: readonly ListPart[];
  /** Shown in the toolbar above lists. */
  readonly listActions?: readonly ListPart[];
  /** Shown while rows of a list are selected. */
  readonly bulkActions?: readonly ListPart[];
  /** Shown above the content of every page. */
  readonly banners?: readonly Load[];
  /** Shown in the account menu. */
  readonly accountEntries?: readonly MenuEntry[];
}
