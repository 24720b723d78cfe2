import { Card, CardContent, Stack, Typography } from '@mui/material';

import { contactsOf, REGISTRATIONS, RESOURCES, useLiveQuery, type Watched } from '../graph/live-query';
import { QuestionLink } from '../parts/links';
import { colorOf } from '../parts/progress';
import { texts } from '../texts';
import { Chain } from './chain';
import { Mend } from './mend';
import { EXPLAIN_ADDRESS, type AddressAnswer } from './operations';
import { Reading, Verdict } from './verdict';

/** Why an address of record rings or does not, and the numbers that lead to it; stays true while it is open. */
export function AddressChain({ aor }: { readonly aor: string }) {
  const result = useLiveQuery<AddressAnswer>(EXPLAIN_ADDRESS, { aor }, watchedOf);
  const answer = result.data && { ...result.data.explainAddress, numbers: result.data.numberHealth };
  return (
    <Stack spacing={2}>
      <Reading {...result} />
      {answer && (
        <>
          <Verdict
            title={answer.reachable ? texts.explain.addressRings : texts.explain.addressRingsNot}
            summary={answer.summary}
            reachable={answer.reachable}
          />
          <Chain steps={answer.steps} mend={<Mend answer={answer} onMended={result.refresh} />} />
          <Numbers {...answer.numbers} />
        </>
      )}
    </Stack>
  );
}

// The state of a gateway is part of what is shown about the numbers.
function watchedOf(data: AddressAnswer | undefined): readonly Watched[] {
  return [RESOURCES, REGISTRATIONS, ...(data ? [contactsOf(data.explainAddress.addressOfRecord)] : [])];
}

function Numbers({ totalCount, nodes }: AddressAnswer['numberHealth']) {
  const { title, none, more } = texts.explain.numbers;
  return (
    <Card variant="outlined">
      <CardContent>
        <Typography component="h2" variant="subtitle1">
          {title}
        </Typography>
        {nodes.length === 0 && <Typography color="text.secondary">{none}</Typography>}
        <Stack component="ul" sx={{ pl: 2.5, m: 0 }}>
          {nodes.map(({ kind, ref, telUrl, reachable, summary }) => (
            <li key={kind + ref}>
              <QuestionLink text={telUrl} />{' '}
              <Typography component="span" variant="body2" sx={{ color: colorOf(reachable ? 'works' : 'broken') }}>
                {summary}
              </Typography>
            </li>
          ))}
        </Stack>
        {totalCount > nodes.length && <Typography>{more(totalCount - nodes.length)}</Typography>}
      </CardContent>
    </Card>
  );
}
