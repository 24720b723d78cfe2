import HomeIcon from '@mui/icons-material/PhoneInTalk';

import type { Feature } from '../feature';
import { texts } from '../texts';

/** The first page: the state of everything, or the answer to a question in its address. */
export const now: Feature = {
  pages: [{ path: '', load: () => import('./home-page').then(({ HomePage }) => HomePage) }],
  menu: [{ to: '', label: texts.now.title, icon: <HomeIcon />, position: 10 }],
};
