import Webhook from '@mui/icons-material/Webhook';

import type { Feature } from '../feature';
import { isAdmin } from '../graph/session';
import { texts } from '../texts';

/** Webhooks, for admins. */
export const webhooks: Feature = {
  pages: [{ path: 'webhooks', load: async () => (await import('./webhooks-page')).WebhooksPage }],
  menu: [
    {
      to: 'webhooks',
      label: texts.titles.webhooks,
      icon: <Webhook />,
      group: 'settings',
      position: 20,
      isFor: isAdmin,
    },
  ],
};
