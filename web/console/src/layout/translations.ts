import polyglotI18nProvider from 'ra-i18n-polyglot';
import english from 'ra-language-english';

import { texts } from '../texts';

const { ra } = english;
/** The texts of react-admin's own parts, with those that we call something else. */
const messages = { ...english, ra: { ...ra, auth: { ...ra.auth, logout: texts.layout.signOut } } };

/** Gives react-admin its texts. */
export const i18nProvider = polyglotI18nProvider(() => messages, 'en', [{ locale: 'en', name: 'English' }], {
  allowMissing: true,
});
