import { Stack } from '@mui/material';

import { useLiveQuery } from '../graph/live-query';
import { QuestionLink } from '../parts/links';
import { texts } from '../texts';
import { Chain } from './chain';
import { Matches } from './matches';
import { Mend } from './mend';
import { EXPLAIN_NUMBER, watchedOf, type NumberAnswer } from './operations';
import { Reading, Verdict } from './verdict';

interface Props {
  readonly telUrl: string;
  /** Leaves out the chain, and links to it. */
  readonly isBrief?: boolean;
}

/** Why a number rings or does not; stays true while it is open. */
export function NumberChain({ telUrl, isBrief = false }: Props) {
  const result = useLiveQuery<NumberAnswer>(EXPLAIN_NUMBER, { telUrl }, watchedOf);
  const answer = result.data?.explainNumber;
  return (
    <Stack spacing={2}>
      <Reading {...result} />
      {answer && (
        <>
          <Verdict
            title={answer.reachable ? texts.explain.rings : texts.explain.ringsNot}
            summary={answer.summary}
            reachable={answer.reachable}
          />
          {isBrief ? (
            <QuestionLink text={telUrl}>{texts.explain.meant(telUrl)}</QuestionLink>
          ) : (
            <Chain steps={answer.steps} mend={<Mend answer={answer} asked={telUrl} onMended={result.refresh} />} />
          )}
          {!isBrief && answer.state === 'MISSING' && <Matches text={telUrl} />}
        </>
      )}
    </Stack>
  );
}
