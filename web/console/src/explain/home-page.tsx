import { LinearProgress, Stack, Typography } from '@mui/material';
import { Title } from 'react-admin';
import { useSearchParams } from 'react-router-dom';

import { onDemand } from '../on-demand';
import { texts } from '../texts';
import { questionOf, type Question } from './question';
import { SearchField } from './search-field';

const Answer = onDemand<{ readonly question: Question }>(
  () => import('./answer').then((file) => file.Answer),
  <LinearProgress aria-label={texts.parts.loading} />,
);

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
