import type { Feature } from '../feature';

/** The feature of this folder. The first page has its answers (now/home-page.tsx). */
export const explain: Feature = {
  panels: [{ load: () => import('./answer').then(({ NumberPanel }) => NumberPanel), kinds: ['DID', 'Number'] }],
  resourceActions: [
    {
      load: () => import('./explain-gateway').then(({ ExplainGateway }) => ExplainGateway),
      kinds: ['Gateway'],
      isForAll: true,
    },
  ],
};
