import { Typography } from '@mui/material';

import type { ResourceRecord } from '../data/data-provider';
import { contactsOf, REGISTRATIONS, RESOURCES, useLiveQuery } from '../graph/live-query';
import type { Kind } from '../model/model';
import { Status } from '../parts/status';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { hasState, stateOf } from './state';

interface Props {
  readonly kind: Kind;
  readonly record: ResourceRecord;
}

/** What a resource is doing now and why, on its page: of a number, the verdict of the explanation. */
export function ResourceState({ kind, record }: Props) {
  const { telUrl } = record;
  if (typeof telUrl === 'string') return <Verdict telUrl={telUrl} />;
  const state = hasState(kind) ? stateOf(kind, record) : undefined;
  if (!state) return null;
  const { progress, text, since, cause, roundTrip } = state;
  return (
    <Status progress={progress}>
      <strong>{texts.kinds.because(text, cause)}</strong>
      {since !== null && (
        <Typography component="span" sx={{ color: 'text.secondary', ml: 1 }}>
          {texts.parts.list(
            texts.kinds.since(<Time isBrief value={since} />),
            roundTrip !== null && texts.kinds.roundTrip(roundTrip),
          )}
        </Typography>
      )}
    </Status>
  );
}

const VERDICT = 'query Verdict($telUrl: String!) { explainNumber(telUrl: $telUrl) { reachable summary } }';
const WATCHED = [RESOURCES, REGISTRATIONS, contactsOf()];
// Milliseconds: the first event is followed at once.
const PAUSE = 1000;

interface Explained {
  readonly explainNumber: { readonly reachable: boolean; readonly summary: string };
}

function Verdict({ telUrl }: { readonly telUrl: string }) {
  const { data } = useLiveQuery<Explained>(VERDICT, { telUrl }, () => WATCHED, { pause: PAUSE });
  if (!data) return null;
  const { reachable, summary } = data.explainNumber;
  return (
    <Status progress={reachable ? 'works' : 'broken'}>
      <strong>{texts.kinds.verdict(reachable)}</strong>
      <Typography component="span" sx={{ color: 'text.secondary', ml: 1 }}>
        {summary}
      </Typography>
    </Status>
  );
}
