import { Alert, Button, LinearProgress, Stack, Typography } from '@mui/material';
import { useSearchParams } from 'react-router-dom';

import type { ResourceProps } from '../feature';
import { PageLink } from '../parts/links';
import { Section } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { NumberList } from './number-list';
import type { NumberState } from './operations';
import { healthPath, isState, scopeOf, type Scope } from './scope';
import { StateBars } from './state-bars';
import { useCounts, type Counts } from './use-counts';

/** The numbers of a resource, on its page: how many ring, why the others do not, and the list of them. */
export function ResourceHealth({ kind, resourceRef }: ResourceProps) {
  const scope = scopeOf(kind, resourceRef);
  return scope ? <ScopeHealth scope={scope} /> : null;
}

function ScopeHealth({ scope }: { readonly scope: Scope }) {
  const [parameters] = useSearchParams();
  const scopes = [scope];
  const { counts, error, recount } = useCounts(scopes, true);
  const { recount: again, searching } = texts.health;
  const { after: _, state = '', ...others } = Object.fromEntries(parameters);
  const chosen = isState(state) ? state : undefined;
  const keptWith = (each: NumberState | undefined): Readonly<Record<string, string>> => ({
    ...others,
    ...(each && { state: each }),
  });
  const pathOf = (each?: NumberState): string => `?${new URLSearchParams(keptWith(each)).toString()}`;
  return (
    <Stack spacing={3}>
      <Section
        title={texts.titles.health}
        action={counts?.isLive === false && <Button onClick={recount}>{again}</Button>}
      >
        {error && <Alert severity="error">{texts.parts.failed(error.message)}</Alert>}
        {!counts && !error && <LinearProgress aria-label={searching} />}
        {counts && (
          <Stack spacing={1}>
            <Typography sx={{ color: 'text.secondary' }}>
              <Amount counts={counts} scope={scope} />
            </Typography>
            {counts.examined > 0 && <StateBars counts={counts} pathOf={pathOf} chosen={state} />}
            {chosen && (
              <PageLink to={pathOf()} variant="body2">
                {texts.health.anyState}
              </PageLink>
            )}
          </Stack>
        )}
      </Section>
      {counts?.examined !== 0 && <NumberList key={chosen} state={chosen} scopes={scopes} kept={keptWith(chosen)} />}
    </Stack>
  );
}

function Amount({
  counts: { at, examined, isComplete, isLive },
  scope,
}: {
  readonly counts: Counts;
  readonly scope: Scope;
}) {
  const { countAll, countOf, firstOf } = texts.health;
  const time = <Time isBrief value={at} />;
  if (isComplete) return countOf(scope.kind, examined, isLive ? undefined : time);
  return firstOf(scope.kind, examined, time, <PageLink to={healthPath([scope])}>{countAll}</PageLink>);
}
