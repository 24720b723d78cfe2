import MapIcon from '@mui/icons-material/Polyline';

import type { Feature } from '../feature';
import { SCOPES } from '../health/scope';
import { texts } from '../texts';

/** Where calls go, as a picture. */
export const map: Feature = {
  pages: [{ path: 'map', load: () => import('./map-page').then(({ MapPage }) => MapPage) }],
  panels: [{ load: () => import('./resource-map').then(({ ResourceMap }) => ResourceMap), kinds: Object.keys(SCOPES) }],
  menu: [{ to: 'map', label: texts.titles.map, icon: <MapIcon />, position: 20 }],
};
