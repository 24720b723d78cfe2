import { Link, Typography } from '@mui/material';
import { useGetOne } from 'react-admin';
import { Link as RouterLink } from 'react-router-dom';

import type { ResourceRecord } from '../data/data-provider';
import { useKind } from '../model/model';
import { ResourceLink } from '../parts/links';
import { texts } from '../texts';
import type { Scope } from './scope';

/** Whose numbers the page is about, and the way to those of all. */
export function ScopeTitle({ scope: { kind, ref } }: { readonly scope: Scope }) {
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
