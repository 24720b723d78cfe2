import Delete from '@mui/icons-material/Delete';
import Edit from '@mui/icons-material/Edit';
import { Button } from '@mui/material';
import { useState } from 'react';
import { useListContext } from 'react-admin';

import type { ListProps } from '../feature';
import { useKind } from '../model/model';
import { texts } from '../texts';
import type { Action } from './many';
import { ManyDialog } from './many-dialog';

/** Changes or deletes the rows that are selected in a list. */
export function SelectedActions({ kind: name }: ListProps) {
  const kind = useKind(name);
  const { selectedIds, onUnselectItems } = useListContext();
  const [type, setType] = useState<Action['type']>();
  const close = (changed: boolean): void => {
    setType(undefined);
    if (changed) onUnselectItems();
  };
  return (
    <>
      <Button size="small" startIcon={<Edit />} onClick={() => setType('update')}>
        {texts.bulk.change}
      </Button>
      <Button size="small" color="error" startIcon={<Delete />} onClick={() => setType('delete')}>
        {texts.kinds.delete}
      </Button>
      {type && <ManyDialog kind={kind} chosen={{ refs: selectedIds.map(String) }} type={type} onClose={close} />}
    </>
  );
}
