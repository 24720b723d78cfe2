import type { Feature } from '../feature';

/** Changes, deletes and exports many resources of a list. */
export const bulk: Feature = {
  bulkActions: [{ load: async () => (await import('./selected-actions')).SelectedActions }],
  listActions: [{ load: async () => (await import('./filtered-actions')).FilteredActions }],
};
