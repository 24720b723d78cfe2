import { useRecordContext } from 'react-admin';

import { NumberChain } from './number-chain';

/** Whether a number rings, on its page, with a link to the chain. */
export function NumberPanel() {
  return <NumberChain telUrl={String(useRecordContext()?.['telUrl'])} isBrief />;
}
