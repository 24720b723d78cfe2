import type { Feature } from '../feature';

/** Views of lists that the user saves under names. */
export const views: Feature = {
  listHeads: [{ load: () => import('./saved-views').then(({ SavedViews }) => SavedViews) }],
  listActions: [{ load: () => import('./save-view').then(({ SaveView }) => SaveView) }],
};
