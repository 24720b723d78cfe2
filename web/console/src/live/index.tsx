import DevicesIcon from '@mui/icons-material/Devices';
import LiveIcon from '@mui/icons-material/Sensors';

import type { Feature } from '../feature';
import { texts } from '../texts';

/** The feature of this folder. */
export const live: Feature = {
  pages: [{ path: 'live', load: () => import('./wall-page').then(({ WallPage }) => WallPage) }],
  panels: [
    { load: () => import('./destinations').then(({ Destinations }) => Destinations), kinds: ['Gateway'] },
    { load: () => import('./refused-callers').then(({ RefusedCallers }) => RefusedCallers), kinds: ['Gateway'] },
    {
      load: () => import('./registration-events').then(({ RegistrationEvents }) => RegistrationEvents),
      kinds: ['Agent', 'Peer', 'Gateway'],
    },
  ],
  resourceActions: [
    { load: () => import('./test-gateway').then(({ TestGateway }) => TestGateway), kinds: ['Gateway'] },
  ],
  menu: [
    { to: 'live?show=devices', label: texts.live.devices, icon: <DevicesIcon />, group: 'people', position: 30 },
    {
      to: 'live?show=trunks',
      label: texts.live.registrations,
      icon: <LiveIcon />,
      group: 'trunks',
      position: 20,
      count: () => import('./down-count').then(({ DownCount }) => DownCount),
    },
  ],
};
