import type { Feature } from '../feature';
import HomeIcon from '@mui/icons-material/PhoneInTalk';

import { texts } from '../texts';

/** The feature of this folder. */
export const explain: Feature = {
  pages: [{ path: '', load: () => import('./home-page').then(({ HomePage }) => HomePage) }],
  panels: [{ load: () => import('./answer').then(({ NumberPanel }) => NumberPanel), kinds: ['DID', 'Number'] }],
  menu: [{ to: '', label: texts.explain.title, icon: <HomeIcon />, position: 10 }],
};
