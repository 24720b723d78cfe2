import Delete from '@mui/icons-material/Delete';
import { Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useState } from 'react';
import { type RaRecord, useDelete, useNotify, useRecordContext, useRedirect } from 'react-admin';

import type { Kind } from '../model/model';
import { texts } from '../texts';
import { Label } from './value';
import { UseLists, useUses } from './uses';

/** Deletes the resource of the page, after a warning of what refers to it. */
export function DeleteButton({ kind }: { readonly kind: Kind }) {
  const record = useRecordContext();
  const [isOpen, setOpen] = useState(false);
  if (!record) return null;
  return (
    <>
      <Button variant="outlined" color="error" startIcon={<Delete />} onClick={() => setOpen(true)}>
        {texts.kinds.delete}
      </Button>
      {isOpen && <DeleteDialog kind={kind} record={record} onClose={() => setOpen(false)} />}
    </>
  );
}

interface DialogProps {
  readonly kind: Kind;
  readonly record: RaRecord;
  readonly onClose: () => void;
}

function DeleteDialog({ kind, record, onClose }: DialogProps) {
  const id = String(record.id);
  const uses = useUses(kind, id);
  const [remove, { isPending }] = useDelete();
  const notify = useNotify();
  const redirect = useRedirect();
  const confirm = (): void => {
    void remove(
      kind.collection,
      { id, previousData: record },
      {
        onSuccess: () => {
          notify(texts.kinds.deleted(kind.name), { type: 'info' });
          redirect('list', kind.collection);
        },
        onError: (error) => notify(error instanceof Error ? error.message : String(error), { type: 'error' }),
        onSettled: onClose,
      },
    );
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby="delete-title">
      <DialogTitle id="delete-title">
        {texts.kinds.deleteTitle(kind.name, <Label field={kind.label} value={String(record[kind.label])} />)}
      </DialogTitle>
      <DialogContent>
        <Typography gutterBottom>{texts.kinds.used}</Typography>
        <UseLists {...uses} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{texts.kinds.cancel}</Button>
        <Button color="error" onClick={confirm} disabled={isPending || !uses.isRead}>
          {texts.kinds.delete}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
