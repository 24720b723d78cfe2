import { Box, Card, CardContent, Stack, Typography } from '@mui/material';

import { useLiveQuery } from '../graph/live-query';
import { type Fact, Facts } from '../parts/facts';
import { GatewayLink, ResourceLink } from '../parts/links';
import { Telephone } from '../parts/telephone';
import { texts } from '../texts';
import type { CallEnds } from './call-form';
import { Chain } from './chain';
import { type Attempt, type CallAnswer, EXPLAIN_CALL, watchedForCall } from './operations';
import { Reading, SEVERITIES, Verdict } from './reading';

const words = texts.explain.call;

/** What becomes of a call between two ends; stays true while it is open. */
export function CallResult({ to, from, source }: CallEnds & { readonly to: string }) {
  const sourceAddress = source === '' ? null : source;
  const result = useLiveQuery<CallAnswer>(EXPLAIN_CALL, { from, to, sourceAddress }, watchedForCall);
  const answer = result.data?.explainCall;
  return (
    <Stack spacing={2}>
      <Reading {...result} />
      {answer && (
        <>
          <Verdict
            severity={SEVERITIES[answer.outcome]}
            title={
              answer.status === null
                ? words.outcomes[answer.outcome]
                : words.refused(answer.status, answer.reason ?? '')
            }
            summary={answer.summary}
          />
          <Chain steps={answer.steps} mend={null} />
          {answer.attempts.length > 0 && (
            <Box>
              <Typography component="h2" variant="subtitle1">
                {words.attempts[answer.outcome]}
              </Typography>
              <Stack component="ol" spacing={1} sx={{ listStyle: 'none', m: 0, p: 0 }}>
                {answer.attempts.map((attempt, index) => (
                  <AttemptCard key={index} {...attempt} />
                ))}
              </Stack>
            </Box>
          )}
        </>
      )}
    </Stack>
  );
}

/** One INVITE, with its headers. */
function AttemptCard(attempt: Attempt) {
  const { order, after, gateway, number, health, contact, requestUri, nextHop, from, assertedIdentity, diversion } =
    attempt;
  const lines: readonly Fact[] = [
    [words.order, after === null ? String(order) : words.afterSeconds(order, after)],
    [words.gateway, gateway && <GatewayLink of={gateway} />],
    [
      words.number,
      number && (
        <ResourceLink kind="Number" of={number.ref}>
          <Telephone telUrl={number.telUrl} />
        </ResourceLink>
      ),
    ],
    [words.health, health && texts.kinds.choice(health)],
    [
      words.device,
      contact && texts.parts.list(contact.uri, texts.parts.transport(contact.transport), contact.userAgent),
    ],
    [words.requestUri, requestUri],
    [words.nextHop, nextHop ?? words.noNextHop],
    [words.shownFrom, from ?? words.kept],
    [words.identity, assertedIdentity],
    [words.diversion, diversion],
  ];
  return (
    <Card component="li" variant="outlined">
      <CardContent sx={{ py: 1, '&:last-child': { pb: 1 } }}>
        <Facts of={lines.filter(([, value]) => value !== null)} />
      </CardContent>
    </Card>
  );
}
