import { LinearProgress, Stack } from '@mui/material';
import { Title } from 'react-admin';
import { Navigate, useSearchParams } from 'react-router-dom';

import { callOf, callPath, type Question, questionOf } from '../explain/question';
import { onDemand } from '../on-demand';
import { utcOf } from '../parts/local-time';
import { texts } from '../texts';
import { NowPage } from './now-page';

const Answer = onDemand<{ readonly question: Question; readonly from: string; readonly source: string }>(
  () => import('../explain/answer').then((file) => file.Answer),
  <LinearProgress aria-label={texts.parts.loading} />,
);

const MomentPage = onDemand(
  () => import('../explain/moment').then((file) => file.MomentPage),
  <LinearProgress aria-label={texts.parts.loading} />,
);

/** The first page: what is wrong now, what was at the time in the address of the page, or the answer to the question there. */
export function HomePage() {
  const [parameters] = useSearchParams();
  const [asked = '', from = '', source = ''] = ['q', 'from', 'source'].map((name) => parameters.get(name) ?? '');
  const call = callOf(asked);
  if (call) return <Navigate replace to={callPath(call)} />;
  const question = questionOf(asked);
  if (!question) return utcOf(parameters.get('at')) === undefined ? <NowPage /> : <MomentPage />;
  return (
    <Stack component="section" spacing={2} sx={{ py: 2, maxWidth: 900 }}>
      <Title title={texts.explain.title} />
      <Answer key={`answer ${question.text}`} question={question} from={from} source={source} />
    </Stack>
  );
}
