import { Button, Card, CardContent, LinearProgress, Stack, Typography } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { useRecordContext } from 'react-admin';

import { addressOf } from '../../../../src/spelling/written';
import { contactsOf, REGISTRATIONS, RESOURCES, useLiveQuery, type Watched } from '../graph/live-query';
import { onDemand } from '../on-demand';
import { QuestionLink } from '../parts/links';
import { colorOf } from '../parts/progress';
import { TextWithNumbers } from '../parts/telephone';
import { texts } from '../texts';
import type { CallEnds } from './call-form';
import { useCaller } from './caller';
import { Chain } from './chain';
import { Matches } from './matches';
import { Mend } from './mend';
import {
  type AddressAnswer,
  EXPLAIN_ADDRESS,
  EXPLAIN_NUMBER,
  type NumberAnswer,
  targetsOf,
  watchedOf,
} from './operations';
import type { Question } from './question';
import { AtTime, PastCallChain, PastChain } from './past-answer';
import { Reading, Verdict } from './reading';
import { Targets } from './targets';

const CallForm = onDemand(() => import('./call-form').then((module) => module.CallForm));
const CallResult = onDemand(() => import('./call-answer').then((module) => module.CallResult));

interface AnswerProps extends CallEnds {
  readonly question: Question;
}

/** The answer to what was entered on the first page: of a call, if it has a caller. */
export function Answer({ question, from: written, source }: AnswerProps) {
  const from = useCaller(written, source);
  const [isAsking, setAsking] = useState(false);
  if (from === undefined) return <LinearProgress aria-label={texts.parts.loading} />;
  return (
    <Stack spacing={2}>
      {isAsking || from !== '' ? (
        <CallForm key={`${from} ${source}`} from={from} source={source} />
      ) : (
        <div>
          <Button onClick={() => setAsking(true)}>{texts.explain.call.ask}</Button>
        </div>
      )}
      {from === '' ? (
        <WithoutCaller {...question} />
      ) : (
        <AtTime past={(at) => <PastCallChain to={question.text} from={from} source={source} at={at} />}>
          <CallResult to={question.text} from={from} source={source} />
        </AtTime>
      )}
    </Stack>
  );
}

function WithoutCaller({ is, text }: Question) {
  switch (is) {
    case 'number':
      return (
        <AtTime past={(at) => <PastChain telUrl={text} at={at} />}>
          <NumberChain telUrl={text} />
        </AtTime>
      );
    case 'address':
      return <AddressChain aor={text} />;
    case 'name':
      return <Matches text={text} />;
  }
}

/** Whether a number rings and, if it has several targets, which of them, on its page, with a link to the chain. */
export function NumberPanel() {
  return <NumberChain telUrl={String(useRecordContext()?.['telUrl'])} isBrief />;
}

interface NumberChainProps {
  readonly telUrl: string;
  /** Leaves out the chain, and links to it. */
  readonly isBrief?: boolean;
}

/** Why a number rings or does not; stays true while it is open. */
function NumberChain({ telUrl, isBrief = false }: NumberChainProps) {
  const result = useLiveQuery<NumberAnswer>(EXPLAIN_NUMBER, { telUrl }, watchedOf);
  const answer = result.data?.explainNumber;
  const mend = answer && <Mend answer={answer} asked={telUrl} onMended={result.refresh} />;
  return (
    <Stack spacing={2}>
      <Reading {...result} />
      {answer?.state === 'MISSING' && (
        <Missing title={texts.explain.missing.number} summary={answer.summary} text={telUrl} mend={mend} />
      )}
      {answer && answer.state !== 'MISSING' && (
        <>
          <Verdict
            title={answer.reachable ? texts.explain.rings : texts.explain.ringsNot}
            summary={answer.summary}
            severity={answer.reachable ? 'success' : 'error'}
          />
          {isBrief ? (
            <>
              <Targets of={targetsOf(answer.steps)} />
              <QuestionLink text={telUrl}>
                {texts.explain.meant(<TextWithNumbers>{telUrl}</TextWithNumbers>)}
              </QuestionLink>
            </>
          ) : (
            <Chain steps={answer.steps} mend={mend} />
          )}
        </>
      )}
    </Stack>
  );
}

/** Why an address of record rings or does not, and the numbers that lead to it; stays true while it is open. */
function AddressChain({ aor }: { readonly aor: string }) {
  const result = useLiveQuery<AddressAnswer>(EXPLAIN_ADDRESS, { aor }, watchedForAddress);
  const answer = result.data && { ...result.data.explainAddress, numbers: result.data.numberHealth };
  const mend = answer && <Mend answer={answer} onMended={result.refresh} />;
  return (
    <Stack spacing={2}>
      <Reading {...result} />
      {answer && NOBODY.includes(answer.state) ? (
        <Missing title={texts.explain.missing.address} summary={answer.summary} text={userOf(aor)} mend={mend} />
      ) : (
        answer && (
          <>
            <Verdict
              title={answer.reachable ? texts.explain.addressRings : texts.explain.addressRingsNot}
              summary={answer.summary}
              severity={answer.reachable ? 'success' : 'error'}
            />
            <Chain steps={answer.steps} mend={mend} />
          </>
        )
      )}
      {answer && <Numbers {...answer.numbers} />}
    </Stack>
  );
}

/** The states of an address of record that no agent or peer has. */
const NOBODY = ['DOMAIN_MISSING', 'TARGET_MISSING'];

/** The user name in an address of record. */
function userOf(aor: string): string {
  return addressOf(aor).replace(/^sips?:|@[^@]*$/gi, '');
}

interface MissingProps {
  readonly title: string;
  readonly summary: string;
  /** What resources are searched for. */
  readonly text: string;
  /** How to create what is missing. */
  readonly mend: ReactNode;
}

/** Nothing has this number or address: what resembles it, and how to create it. Nothing is broken. */
function Missing({ title, summary, text, mend }: MissingProps) {
  return (
    <>
      <Matches text={text} />
      <Verdict severity="info" title={title} summary={summary} />
      {mend}
    </>
  );
}

// The state of a gateway is part of what is shown about the numbers.
function watchedForAddress(data: AddressAnswer | undefined): readonly Watched[] {
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
