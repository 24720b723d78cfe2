import { AddressChain } from './address-chain';
import { Matches } from './matches';
import { NumberChain } from './number-chain';
import type { Question } from './question';

/** The answer to what was entered on the first page. */
export function Answer({ question: { is, text } }: { readonly question: Question }) {
  switch (is) {
    case 'number':
      return <NumberChain telUrl={text} />;
    case 'address':
      return <AddressChain aor={text} />;
    case 'name':
      return <Matches text={text} />;
  }
}

// Exported here, too, so that the bundler makes one file of both.
export { NumberPanel } from './number-panel';
