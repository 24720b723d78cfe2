/** The titles of pages that are in menus. The other texts of these pages are loaded with them. */
export const titles = {
  account: 'Sessions and API tokens',
  health: 'Number health',
  history: 'History',
  imports: 'Import',
  live: 'Live wall',
  users: 'Users',
  webhooks: 'Webhooks',
} as const;
