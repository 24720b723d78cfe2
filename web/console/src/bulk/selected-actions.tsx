import Delete from '@mui/icons-material/Delete';
import Edit from '@mui/icons-material/Edit';
import { Button } from '@mui/material';
import { useEffect, useState } from 'react';
import { useListContext } from 'react-admin';

import { type Filter, searchedIn, whereOf } from '../data/queries';
import type { ListProps } from '../feature';
import { usePartsOf } from '../graph/spelling';
import { useTotal } from '../kinds/use-total';
import { useKind, useModel } from '../model/model';
import { texts } from '../texts';
import type { Action } from './many';
import { ManyDialog } from './many-dialog';

/** Changes or deletes the rows that are selected in a list. */
export function SelectedActions({ kind: name }: ListProps) {
  const kind = useKind(name);
  const model = useModel();
  const list = useListContext();
  const { selectedIds, onUnselectItems } = list;
  const filter = list.filterValues as Filter; // what the filters enter
  const [type, setType] = useState<Action['type']>();
  const [isAll, setAll] = useState(false);
  const isNone = selectedIds.length === 0;
  const total = useTotal(kind, filter, !isNone) ?? 0;
  const chosenFor = JSON.stringify([isNone, filter]);
  // Others match another filter than that for which all were chosen.
  useEffect(() => setAll(false), [chosenFor]);
  const parts = usePartsOf(searchedIn(filter));
  const chosen = isAll ? { where: whereOf(model, kind, filter, parts ?? []) ?? {} } : { refs: selectedIds.map(String) };
  const close = (changed: boolean): void => {
    setType(undefined);
    if (changed) onUnselectItems();
  };
  return (
    <>
      {total > selectedIds.length && (
        <Button size="small" variant={isAll ? 'contained' : 'text'} aria-pressed={isAll} onClick={() => setAll(!isAll)}>
          {texts.bulk.selectAll(total)}
        </Button>
      )}
      <Button size="small" startIcon={<Edit />} onClick={() => setType('update')}>
        {texts.bulk.change}
      </Button>
      <Button size="small" color="error" startIcon={<Delete />} onClick={() => setType('delete')}>
        {texts.kinds.delete}
      </Button>
      {type && <ManyDialog kind={kind} chosen={chosen} type={type} onClose={close} />}
    </>
  );
}
