import { Box, Typography } from '@mui/material';

import { useMayWrite } from '../graph/session';
import { PageLink, questionPath, replacePath, ResourceLink } from '../parts/links';
import { Section } from '../parts/page';
import { colorOf } from '../parts/progress';
import { Time } from '../parts/time';
import { texts } from '../texts';
import type { Cause } from './operations';
import { hostOf, keyOf, type Numbers } from './use-now';

const words = texts.now;
// More are on the page of the health.
const SHOWN = 20;

/** Why numbers do not ring, by what has to be mended: first what concerns the most numbers. */
export function Attention({ numbers: { states, causes, examined, isComplete } }: { readonly numbers: Numbers }) {
  const shown = causes.slice(0, SHOWN);
  const lost = examined - (states.get('REACHABLE') ?? 0);
  const others = lost - shown.reduce((sum, { count }) => sum + count, 0);
  if (examined === 0) return null;
  return (
    <Section title={words.attention}>
      {lost === 0 && isComplete && <Typography color="text.secondary">{words.fine}</Typography>}
      {shown.length > 0 && (
        <Box component="ul" aria-label={words.attention} sx={LIST}>
          {shown.map((cause) => (
            <Line key={keyOf(cause)} cause={cause} />
          ))}
        </Box>
      )}
      {others > 0 && (
        <PageLink to="/health" variant="body2" sx={{ display: 'inline-block', mt: 1 }}>
          {words.others(others)}
        </PageLink>
      )}
    </Section>
  );
}

/** The looks of a list whose lines are separated by a line. */
export const LIST = {
  ...{ m: 0, p: 0, listStyle: 'none', border: 1, borderColor: 'divider', borderRadius: 1, overflow: 'hidden' },
  '& > li + li': { borderTop: 1, borderColor: 'divider' },
} as const;

/** Long names are shown in full under the pointer. */
const NAME = {
  ...{ fontWeight: 600, overflowWrap: 'anywhere', overflow: 'hidden' },
  ...{ display: '-webkit-box', WebkitBoxOrient: 'vertical', WebkitLineClamp: '2' },
} as const;

function Line({ cause }: { readonly cause: Cause }) {
  const { state, count, since, domain, first } = cause;
  const mayWrite = useMayWrite();
  const gateway = state.startsWith('GATEWAY_') ? first.gateway : null;
  const name = nameOf(cause);
  return (
    <Box
      component="li"
      sx={{
        ...{ display: 'grid', columnGap: 2, alignItems: 'baseline', px: 2, py: 1, typography: 'body2' },
        // On a phone, the name and the count are above the reason and the actions.
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr) auto',
          md: 'minmax(0, 4fr) minmax(0, 3fr) 6.5rem 9rem 11.5rem',
        },
      }}
    >
      <Box title={name} sx={NAME}>
        {gateway && (
          <ResourceLink kind="Gateway" of={gateway.ref}>
            {name}
          </ResourceLink>
        )}
        {domain && (
          <ResourceLink kind="Domain" of={domain.ref}>
            {name}
          </ResourceLink>
        )}
        {!gateway && !domain && name}
      </Box>
      <Box sx={{ color: colorOf('broken'), gridRow: { xs: 2, md: 1 }, gridColumn: { xs: 1, md: 2 } }}>
        {reasonOf(cause)}
      </Box>
      <Box sx={{ textAlign: 'right', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
        {words.numbers(count)}
      </Box>
      <Box sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums', textAlign: { xs: 'right', md: 'left' } }}>
        {since !== null && words.since(<Time isBrief isRough value={since} />)}
      </Box>
      <Box sx={{ display: 'flex', gap: 2, gridColumn: { xs: '1 / -1', md: 'auto' }, whiteSpace: 'nowrap' }}>
        <PageLink
          to={questionPath(isUnregistered(cause) ? first.aorLink : first.telUrl)}
          aria-label={words.explainOf(name)}
        >
          {words.explain}
        </PageLink>
        {mayWrite && gateway && (
          <PageLink to={replacePath(gateway.ref)} aria-label={words.moveOf(name)}>
            {words.move}
          </PageLink>
        )}
      </Box>
    </Box>
  );
}

/** What all numbers of a cause have in common. */
function nameOf({ state, domain, first: { telUrl, aorLink, gateway } }: Cause): string {
  if (domain) return domain.domainUri;
  if (state.startsWith('GATEWAY_')) return gateway?.name ?? telUrl;
  if (state === 'AMBIGUOUS' || state === 'DISABLED') return telUrl;
  return state === 'DOMAIN_MISSING' ? hostOf(aorLink) : aorLink.replace(/^sips?:/i, '');
}

/** What is wrong, and for gateways what the provider responded. */
function reasonOf({ state, domain, first: { gateway } }: Cause): string {
  if (domain) return words.noDevices;
  const response = gateway?.registration?.lastResponse;
  if (state === 'GATEWAY_REFUSED') return response ?? texts.health.states[state];
  if (state !== 'GATEWAY_NOT_REGISTERED') return texts.health.states[state];
  return gateway?.registration ? words.noResponse : words.neverTried;
}

/** Whether only a device is missing. */
function isUnregistered({ state }: Cause): boolean {
  return state === 'NOT_REGISTERED' || state === 'EXPIRED';
}
