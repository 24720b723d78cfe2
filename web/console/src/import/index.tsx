import UploadFile from '@mui/icons-material/UploadFile';

import type { Feature } from '../feature';
import { mayWrite } from '../graph/session';
import { texts } from '../texts';

/** Imports files. */
export const imports: Feature = {
  pages: [{ path: 'import', load: async () => (await import('./import-page')).ImportPage }],
  menu: [
    {
      to: 'import',
      label: texts.titles.imports,
      icon: <UploadFile />,
      group: 'settings',
      position: 30,
      isFor: mayWrite,
    },
  ],
};
