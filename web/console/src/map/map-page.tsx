import {
  Alert,
  Button,
  Chip,
  FormControlLabel,
  LinearProgress,
  Stack,
  Switch,
  type Theme,
  Typography,
  useMediaQuery,
} from '@mui/material';
import { Link, useSearchParams } from 'react-router-dom';

import { argumentsOf, healthPath, scopesIn, type Scope } from '../health/scope';
import { kindOf, useModel, type Model } from '../model/model';
import { PageButton, PageLink, ResourceName } from '../parts/links';
import { Page } from '../parts/page';
import { Time } from '../parts/time';
import { heading, texts } from '../texts';
import { FlowChart } from './flow-chart';
import { FlowTable } from './flow-table';
import type { Flow, Flows } from './operations';
import type { Paths } from './picture';
import { words } from './texts';
import { useMap } from './use-map';

/** The parameters of the address besides the scopes. */
const ONLY = 'lost';
const AFTER = 'after';
const SHOWN = 10;

/** Where calls go, from gateways to devices, and where they get lost. */
export function MapPage() {
  const [parameters, setParameters] = useSearchParams();
  const scopes = scopesIn(parameters);
  const isOnlyLost = parameters.has(ONLY);
  const after = parameters.get(AFTER) ?? undefined;
  const { found, error, isPrevious, isFetching, isFollowing, readAt, refresh } = useMap({
    ...{ scopes, isOnlyLost, after, first: SHOWN },
  });
  const paths = usePaths(scopes, isOnlyLost);
  const toggle = (): void => setParameters({ ...argumentsOf(scopes), ...(!isOnlyLost && { [ONLY]: '1' }) });
  return (
    <Page title={texts.titles.map}>
      <Typography sx={{ color: 'text.secondary' }}>{words.about}</Typography>
      <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        {scopes.map((scope) => (
          <Narrowed
            key={scope.kind}
            scope={scope}
            to={mapPath(
              scopes.filter((each) => each !== scope),
              isOnlyLost,
            )}
          />
        ))}
        <FormControlLabel control={<Switch size="small" checked={isOnlyLost} onChange={toggle} />} label={words.only} />
        {scopes.length > 0 && <Lists scopes={scopes} flows={found?.flows ?? []} />}
      </Stack>
      {error && <Alert severity="error">{texts.parts.failed(error.message)}</Alert>}
      {!found && !error && <LinearProgress aria-label={texts.parts.loading} />}
      {found && (
        <Stack spacing={1} aria-busy={isPrevious || isFetching} sx={{ minWidth: 0 }}>
          <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
            <Typography role="status" sx={{ fontWeight: 600 }}>
              {words[after !== undefined ? 'following' : found.hasNextPage ? 'first' : 'examined'](found.examined)}
            </Typography>
            {!isFollowing && (
              <>
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  {words.at(<Time isBrief value={readAt} />)}
                </Typography>
                <Button onClick={refresh}>{words.again}</Button>
              </>
            )}
            {after !== undefined && <PageButton to={mapPath(scopes, isOnlyLost)}>{words.toFirst}</PageButton>}
            {found.hasNextPage && (
              <PageButton to={mapPath(scopes, isOnlyLost, found.endCursor)}>{words.next}</PageButton>
            )}
          </Stack>
          <Drawn
            found={found}
            paths={paths}
            isOnlyLost={isOnlyLost}
            isOfAll={scopes.length === 0 && after === undefined}
          />
        </Stack>
      )}
    </Page>
  );
}

function Drawn({
  found,
  paths,
  isOnlyLost,
  isOfAll,
}: {
  readonly found: Flows;
  readonly paths: Paths;
  readonly isOnlyLost: boolean;
  /** Whether all numbers were looked at, from the first one. */
  readonly isOfAll: boolean;
}) {
  const model = useModel();
  const lists = ['DID', 'Number'].map((name) => {
    const { collection } = kindOf(model, name);
    return (
      <PageLink key={name} to={`/${collection}`}>
        {heading(collection)}
      </PageLink>
    );
  });
  const isPhone = useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'), { noSsr: true });
  if (found.flows.length === 0)
    return (
      <Typography>
        {isOnlyLost && found.examined > 0 ? words.noneLost : isOfAll ? words.noneYet(lists[0], lists[1]) : words.none}
      </Typography>
    );
  return (
    <>
      <FlowChart label={words.of} found={found} paths={paths} width={isPhone ? 'narrow' : 'wide'} />
      <details>
        <summary>{words.table}</summary>
        <FlowTable found={found} paths={paths} />
      </details>
    </>
  );
}

/** What the map is narrowed to, which a click takes away. */
function Narrowed({ scope: { kind, ref }, to }: { readonly scope: Scope; readonly to: string }) {
  return (
    <Chip
      component={Link}
      to={to}
      clickable
      variant="outlined"
      title={words.remove(kind)}
      label={<>{words.narrowed(kind, <ResourceName kind={kind} of={ref} />)}</>}
    />
  );
}

/** Links to the lists of the numbers that the map shows. */
function Lists({ scopes, flows }: { readonly scopes: readonly Scope[]; readonly flows: readonly Flow[] }) {
  const model = useModel();
  const host = flows.find((flow) => flow.host !== null)?.host ?? undefined;
  const where = Object.assign({}, ...scopes.map((scope) => conditionOf(scope, host))) as object; // objects
  return ['DID', 'Number'].map((name) => {
    const { collection } = kindOf(model, name);
    return (
      <PageButton key={name} to={`/${collection}?${new URLSearchParams({ filter: JSON.stringify(where) }).toString()}`}>
        {words.list(heading(collection))}
      </PageButton>
    );
  });
}

/** The condition on numbers that they are in a scope. `host` is that of a domain. */
function conditionOf({ kind, ref }: Scope, host: string | undefined): object {
  const is = { ref: { eq: ref } };
  if (kind === 'Gateway') return { gateway: is };
  if (kind === 'Domain') return host === undefined ? {} : { aorLink: { endsWith: `@${host}` } };
  return { target: kind === 'Agent' ? { agent: is } : { peer: is } };
}

/** The address of the map. */
export function mapPath(scopes: readonly Scope[], isOnlyLost = false, after?: string): string {
  const parameters = {
    ...argumentsOf(scopes),
    ...(isOnlyLost && { [ONLY]: '1' }),
    ...(after !== undefined && { [AFTER]: after }),
  };
  return `/map?${new URLSearchParams(parameters).toString()}`;
}

/** Where clicks on a map of these scopes lead. */
export function usePaths(scopes: readonly Scope[], isOnlyLost = false): Paths {
  const model = useModel();
  return {
    narrow: (scope) =>
      scopes.some(({ kind }) => kind === scope.kind) ? pageOf(model, scope) : mapPath([...scopes, scope], isOnlyLost),
    inState: (state) => healthPath(scopes, state),
  };
}

function pageOf(model: Model, { kind, ref }: Scope): string {
  return `/${kindOf(model, kind).collection}/${encodeURIComponent(ref)}/show`;
}
