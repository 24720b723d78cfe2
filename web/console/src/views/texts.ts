/** The texts of views, which are loaded with lists. */
export const viewTexts = {
  views: 'Saved views',
  save: 'Save view',
  saveTitle: (list: string) => `Save this view of ${list}`,
  name: 'Name',
  hint: 'Saves the filter, the order and the columns for you, on every machine. A view with this name is replaced.',
  saved: (name: string) => `The view ${name} is saved.`,
  deleteOf: (name: string) => `Delete the view ${name}`,
  deleteTitle: (name: string) => `Delete the view ${name}?`,
  deleteAbout: 'The resources in it stay.',
  delete: 'Delete',
} as const;
