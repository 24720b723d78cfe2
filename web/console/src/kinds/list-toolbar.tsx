import { ColumnsButton, CreateButton, FilterButton, TopToolbar } from 'react-admin';

import { features } from '../features';
import { useMayWrite } from '../graph/session';
import type { Kind } from '../model/model';
import { onDemand } from '../on-demand';
import { columnsKey, useIsPhone } from './columns-key';

const parts = features
  .flatMap((feature) => feature.listActions ?? [])
  .map((part) => ({ ...part, Part: onDemand(part.load) }));

/** What can be done with a list: filter it, choose its columns, add to it, and what features add. */
export function ListToolbar({ kind }: { readonly kind: Kind }) {
  const mayWrite = useMayWrite();
  const isPhone = useIsPhone();
  const shown = parts.filter(({ kinds }) => kinds?.includes(kind.name) ?? true);
  return (
    <TopToolbar sx={{ flexWrap: 'wrap' }}>
      <FilterButton />
      <ColumnsButton storeKey={columnsKey(kind, isPhone)} />
      {shown.map(({ Part }, index) => (
        <Part key={index} kind={kind.name} />
      ))}
      {mayWrite && <CreateButton />}
    </TopToolbar>
  );
}
