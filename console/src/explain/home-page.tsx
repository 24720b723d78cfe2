import { Stack, Typography } from '@mui/material';
import { Title } from 'react-admin';
import { useSearchParams } from 'react-router-dom';

import { texts } from '../texts';
import { AddressChain } from './address-chain';
import { Matches } from './matches';
import { NumberChain } from './number-chain';
import { questionOf, type Question } from './question';
import { SearchField } from './search-field';

/** The first page: one field, and the answer to what was entered. The address of the page has the question. */
export function HomePage() {
  const [parameters, setParameters] = useSearchParams();
  const asked = parameters.get('q') ?? '';
  const question = questionOf(asked);
  return (
    <Stack component="section" spacing={2} sx={{ py: 2, maxWidth: 900 }}>
      <Title title={texts.explain.title} />
      <SearchField asked={asked} onAsk={(text) => setParameters(text === '' ? {} : { q: text })} />
      {question ? (
        <Answer key={`answer ${question.text}`} question={question} />
      ) : (
        <Typography color="text.secondary">{texts.explain.search.hint}</Typography>
      )}
    </Stack>
  );
}

function Answer({ question: { is, text } }: { readonly question: Question }) {
  switch (is) {
    case 'number':
      return <NumberChain telUrl={text} />;
    case 'address':
      return <AddressChain aor={text} />;
    case 'name':
      return <Matches text={text} />;
  }
}

// Exported here so that the bundler makes no chunk of its own for it: smaller chunks enlarge the first page.
export { NumberPanel } from './number-panel';
