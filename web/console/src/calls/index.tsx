import CallIcon from '@mui/icons-material/Call';

import type { Feature } from '../feature';
import { texts } from '../texts';

/** The calls that the SIP server recorded. */
export const calls: Feature = {
  pages: [
    { path: 'calls', load: () => import('./calls-page').then(({ CallsPage }) => CallsPage) },
    { path: 'calls/:id', load: () => import('./call-page').then(({ CallPage }) => CallPage) },
  ],
  panels: [
    {
      load: () => import('./resource-calls').then(({ ResourceCalls }) => ResourceCalls),
      kinds: ['Agent', 'Peer', 'Gateway', 'Domain', 'Route', 'DID', 'Number'],
    },
  ],
  menu: [{ to: 'calls', label: texts.titles.calls, icon: <CallIcon />, group: 'numbers', position: 15 }],
};
