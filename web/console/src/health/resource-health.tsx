import { Alert, Button, LinearProgress, Link, Stack, Typography } from '@mui/material';
import { Link as RouterLink } from 'react-router-dom';

import type { ResourceProps } from '../feature';
import { Section } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { addressOf, scopeOf, type Scope } from './scope';
import { StateBars } from './state-bars';
import { useCounts, type Counts } from './use-counts';

/** How many numbers of a resource ring, and why the others do not, on its page. */
export function ResourceHealth({ kind, resourceRef }: ResourceProps) {
  const scope = scopeOf(kind, resourceRef);
  return scope ? <ScopeHealth scope={scope} /> : null;
}

function ScopeHealth({ scope }: { readonly scope: Scope }) {
  const { counts, error, recount } = useCounts(scope, true);
  const { recount: again, searching } = texts.health;
  return (
    <Section
      title={texts.titles.health}
      action={counts?.isLive === false && <Button onClick={recount}>{again}</Button>}
    >
      {error && <Alert severity="error">{texts.parts.failed(error.message)}</Alert>}
      {!counts && !error && <LinearProgress aria-label={searching} />}
      {counts && (
        <Stack spacing={1}>
          <Typography color="text.secondary">
            <Amount counts={counts} scope={scope} />
          </Typography>
          {counts.examined > 0 && <StateBars counts={counts} scope={scope} />}
        </Stack>
      )}
    </Section>
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
  return firstOf(
    scope.kind,
    examined,
    time,
    <Link component={RouterLink} to={addressOf(scope)}>
      {countAll}
    </Link>,
  );
}
