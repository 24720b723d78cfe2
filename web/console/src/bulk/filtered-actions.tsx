import MoreVert from '@mui/icons-material/MoreVert';
import { Menu, MenuItem } from '@mui/material';
import { type MouseEvent, useState } from 'react';
import { Button, useListContext } from 'react-admin';

import { type Filter, searchedIn, whereOf } from '../data/queries';
import type { ListProps } from '../feature';
import { useMayWrite } from '../graph/session';
import { usePartsOf } from '../graph/spelling';
import { useKind, useModel } from '../model/model';
import { texts } from '../texts';
import { ExportDialog } from './export';
import type { Action } from './many';
import { ManyDialog } from './many-dialog';

/** What can be done with all resources that the filter of a list selects, on whichever page: change, delete, export. */
export function FilteredActions({ kind: name }: ListProps) {
  const model = useModel();
  const kind = useKind(name);
  const mayWrite = useMayWrite();
  const list = useListContext();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const [open, setOpen] = useState<Action['type'] | 'export'>();
  const filter = list.filterValues as Filter;
  const parts = usePartsOf(searchedIn(filter));
  const where = whereOf(model, kind, filter, parts ?? []);
  const choose = (what: Action['type'] | 'export'): void => {
    setAnchor(undefined);
    setOpen(what);
  };
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Button
        label={texts.bulk.allMatching}
        disabled={parts === undefined}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }: MouseEvent<HTMLElement>) => setAnchor(currentTarget)}
      >
        <MoreVert />
      </Button>
      <Menu anchorEl={anchor} open={anchor !== undefined} onClose={() => setAnchor(undefined)}>
        {mayWrite && <MenuItem onClick={() => choose('update')}>{texts.bulk.changeAll}</MenuItem>}
        {mayWrite && <MenuItem onClick={() => choose('delete')}>{texts.bulk.deleteAll}</MenuItem>}
        <MenuItem onClick={() => choose('export')}>{texts.bulk.export}</MenuItem>
      </Menu>
      {open === 'export' && <ExportDialog kind={kind} where={where} sort={list.sort} onClose={close} />}
      {(open === 'update' || open === 'delete') && (
        <ManyDialog kind={kind} chosen={{ where: where ?? {} }} type={open} onClose={close} />
      )}
    </>
  );
}
