import type { Feature } from '../feature';

/** The feature of this folder. */
export const samples: Feature = {
  panels: [
    {
      load: () => import('./trunk-availability').then(({ TrunkAvailability }) => TrunkAvailability),
      kinds: ['Gateway'],
    },
  ],
};
