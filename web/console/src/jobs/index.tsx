import type { Feature } from '../feature';
import { mayWrite } from '../graph/session';
import { texts } from '../texts';

/** What people come to do, in a few clicks: give somebody a phone, a phone a new secret, numbers another trunk. */
export const jobs: Feature = {
  pages: [
    { path: 'new-phone-user', load: async () => (await import('./new-user-page')).NewUserPage, isFor: mayWrite },
    { path: 'replace-trunk/:ref', load: async () => (await import('./replace-page')).ReplacePage, isFor: mayWrite },
  ],
  jobs: [{ to: 'new-phone-user', label: texts.jobs.newUser, isFor: mayWrite }],
  listActions: [{ load: async () => (await import('./links')).NewUserLink, kinds: ['Agent'] }],
  resourceActions: [
    { load: async () => (await import('./reset-secret')).ResetSecret, kinds: ['Agent', 'Peer'] },
    { load: async () => (await import('./links')).ReplaceLink, kinds: ['Gateway'], isForUsed: true },
  ],
};
