import { Alert } from '@mui/material';

import type { ResourceProps } from '../feature';
import { scopeOf, type Scope } from '../health/scope';
import { PageButton } from '../parts/links';
import { Section } from '../parts/page';
import { texts } from '../texts';
import { FlowChart } from './flow-chart';
import { mapPath, usePaths } from './map-page';
import { words } from './texts';
import { useMap } from './use-map';

// There is less room.
const SHOWN = 5;

/** Where calls to the numbers of a resource go, on its page. */
export function ResourceMap({ kind, resourceRef }: ResourceProps) {
  const scope = scopeOf(kind, resourceRef);
  return scope ? <ScopeMap scope={scope} /> : null;
}

function ScopeMap({ scope }: { readonly scope: Scope }) {
  const scopes = [scope];
  const { found, error } = useMap({ scopes, first: SHOWN });
  const paths = usePaths(scopes);
  if (error) return <Alert severity="error">{texts.parts.failed(error.message)}</Alert>;
  if (!found || found.flows.length === 0) return null;
  return (
    <Section title={words.of} action={<PageButton to={mapPath(scopes)}>{words.open}</PageButton>}>
      <FlowChart label={words.of} found={found} paths={paths} width="narrow" />
    </Section>
  );
}
