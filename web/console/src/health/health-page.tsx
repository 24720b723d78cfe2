import { Alert, Button, Card, CardContent, LinearProgress, Link, Stack, Typography } from '@mui/material';
import { Title, useGetOne } from 'react-admin';
import { Link as RouterLink, useSearchParams } from 'react-router-dom';

import type { ResourceRecord } from '../data/data-provider';
import { useKind } from '../model/model';
import { ResourceLink } from '../parts/links';
import { Section } from '../parts/page';
import { Time } from '../parts/time';
import { StackedAreas, type Area } from '../samples/stacked-areas';
import { texts } from '../texts';
import { NumberList } from './number-list';
import type { NumberState } from './operations';
import { type Scope, scopeIn } from './scope';
import { StateBars } from './state-bars';
import { useCounts } from './use-counts';

const STATES = texts.health.states;

/** What is drawn over time, the numbers that ring at the bottom. */
const AREAS: readonly Area[] = [
  { series: 'numbersRinging', label: STATES.REACHABLE },
  { series: 'numbersNotRegistered', label: STATES.NOT_REGISTERED },
  { series: 'numbersExpired', label: STATES.EXPIRED },
  { series: 'numbersGatewayNotRegistered', label: STATES.GATEWAY_NOT_REGISTERED },
  { series: 'numbersGatewayExpired', label: STATES.GATEWAY_EXPIRED },
  { series: 'numbersGatewayRefused', label: STATES.GATEWAY_REFUSED },
  { series: 'numbersDomainMissing', label: STATES.DOMAIN_MISSING },
  { series: 'numbersTargetForbidden', label: STATES.TARGET_FORBIDDEN },
  { series: 'numbersTargetMissing', label: STATES.TARGET_MISSING },
  { series: 'numbersAmbiguous', label: STATES.AMBIGUOUS },
];

/** How many numbers ring, and why the others do not. */
export function HealthPage() {
  const [parameters] = useSearchParams();
  const state = parameters.get('state') ?? '';
  const scope = scopeIn(parameters);
  const { counts, error, recount } = useCounts(scope);
  return (
    <Stack component="section" spacing={2} sx={{ py: 2 }}>
      <Title title={texts.titles.health} />
      {scope && <ScopeTitle scope={scope} />}
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
              <StateBars counts={counts} scope={scope} chosen={state} />
            </Stack>
          )}
        </CardContent>
      </Card>
      {/* Samples are of all numbers. */}
      {!scope && (
        <Section title={texts.samples.overTime}>
          <StackedAreas label={texts.samples.overTime} areas={AREAS} />
        </Section>
      )}
      {isState(state) ? (
        <NumberList key={JSON.stringify([state, scope])} state={state} scope={scope} />
      ) : (
        <Typography color="text.secondary">{texts.health.choose}</Typography>
      )}
    </Stack>
  );
}

function isState(text: string): text is NumberState {
  return text in texts.health.states;
}

/** Whose numbers the page is about, and the way to those of all. */
function ScopeTitle({ scope: { kind, ref } }: { readonly scope: Scope }) {
  const { collection, label } = useKind(kind);
  const { data } = useGetOne<ResourceRecord>(collection, { id: ref }, { retry: false });
  const name = data?.[label];
  return (
    <Typography>
      {texts.health.of(
        kind,
        <ResourceLink kind={kind} of={ref}>
          {typeof name === 'string' ? name : ref}
        </ResourceLink>,
        <Link component={RouterLink} to="/health">
          {texts.health.all}
        </Link>,
      )}
    </Typography>
  );
}
