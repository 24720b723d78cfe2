import { Alert, Button, Card, CardContent, LinearProgress, Stack, Typography } from '@mui/material';
import { Title } from 'react-admin';
import { useSearchParams } from 'react-router-dom';

import { NamedLink, PageLink } from '../parts/links';
import { Section } from '../parts/page';
import { Time } from '../parts/time';
import { StackedAreas, type Area } from '../samples/stacked-areas';
import { texts } from '../texts';
import { NumberList } from './number-list';
import type { NumberState } from './operations';
import { argumentsOf, healthPath, isState, type Scope, scopesIn } from './scope';
import { StateBars } from './state-bars';
import { useCounts } from './use-counts';

/** What is drawn over time, the numbers that ring at the bottom. */
const DRAWN = [
  ...['REACHABLE', 'NOT_REGISTERED', 'EXPIRED', 'DISABLED', 'GATEWAY_DISABLED', 'GATEWAY_DRAINING'],
  ...['GATEWAY_NOT_REGISTERED', 'GATEWAY_EXPIRED', 'GATEWAY_REFUSED', 'DOMAIN_MISSING', 'TARGET_FORBIDDEN'],
  ...['TARGET_MISSING', 'TARGET_DISABLED', 'AMBIGUOUS'],
] as const satisfies readonly NumberState[];
const AREAS = DRAWN.map((state): Area => ({ series: `NUMBERS_${state}`, label: texts.health.states[state] }));

/** How many numbers ring, and why the others do not. */
export function HealthPage() {
  const [parameters] = useSearchParams();
  const state = parameters.get('state') ?? '';
  const scopes = scopesIn(parameters);
  const { counts, error, recount } = useCounts(scopes);
  return (
    <Stack component="section" spacing={2} sx={{ py: 2 }}>
      <Title title={texts.titles.health} />
      {scopes.length > 0 && <ScopesTitle scopes={scopes} />}
      {error && <Alert severity="error">{texts.parts.failed(error.message)}</Alert>}
      <Card variant="outlined">
        <CardContent>
          {!counts && !error && <LinearProgress aria-label={texts.health.searching} />}
          {counts && (
            <Stack spacing={1}>
              <Stack direction="row" spacing={1} useFlexGap sx={{ alignItems: 'center', flexWrap: 'wrap' }}>
                <div role="status">
                  <Typography component="h2" variant="h6">
                    {counts.isComplete ? texts.health.counted(counts.examined) : texts.health.counting(counts.examined)}
                  </Typography>
                </div>
                <Typography color="text.secondary" variant="body2">
                  {texts.health.countedAt(<Time isBrief value={counts.at} />)}
                </Typography>
                <Button onClick={recount}>{texts.health.recount}</Button>
              </Stack>
              <StateBars counts={counts} pathOf={(each) => healthPath(scopes, each)} chosen={state} />
            </Stack>
          )}
        </CardContent>
      </Card>
      {/* Samples are of all numbers. */}
      {scopes.length === 0 && (
        <Section title={texts.samples.overTime}>
          <StackedAreas label={texts.samples.overTime} areas={AREAS} />
        </Section>
      )}
      {isState(state) ? (
        <NumberList
          key={JSON.stringify([state, scopes])}
          isSought
          state={state}
          scopes={scopes}
          kept={{ ...argumentsOf(scopes), state }}
        />
      ) : (
        <Typography color="text.secondary">{texts.health.choose}</Typography>
      )}
    </Stack>
  );
}

/** Whose numbers the page is about, and the way to those of all. */
function ScopesTitle({ scopes }: { readonly scopes: readonly Scope[] }) {
  const all = <PageLink to="/health">{texts.health.all}</PageLink>;
  const names = scopes.map(({ kind, ref }) => ({
    kind,
    name: <NamedLink key={kind} kind={kind} of={ref} />,
  }));
  return <Typography>{texts.health.of(names, all)}</Typography>;
}
