import Delete from '@mui/icons-material/Delete';
import { Alert, Button, Typography } from '@mui/material';
import { useState } from 'react';
import { type RaRecord, useDelete, useNotify, useRecordContext, useRedirect } from 'react-admin';

import { features } from '../features';
import { useRefusal } from '../graph/use-refusal';
import type { Kind } from '../model/model';
import { onDemand } from '../on-demand';
import { DialogFrame } from '../parts/dialogs';
import { texts } from '../texts';
import { Label } from './value';
import { UseLists, useUses } from './uses';

/** What is offered for a resource that cannot be deleted because others refer to it. */
const ways = features
  .flatMap(({ resourceActions = [] }) => resourceActions.filter(({ isForUsed = false }) => isForUsed))
  .map((action) => ({ ...action, Action: onDemand(action.load) }));

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
  const dryRun = `mutation Deletable($ref: String!) { delete${kind.name}(ref: $ref, dryRun: true) }`;
  const { isPossible, refusal } = useRefusal(
    dryRun,
    { ref: id },
    uses.isRead,
    uses.lists.map(({ nodes }) => nodes.map(({ ref }) => ref)),
  );
  const isUsed = refusal?.code === 'DEPENDENT_OBJECTS';
  const others = isUsed ? ways.filter(({ kinds }) => kinds?.includes(kind.name) ?? true) : [];
  const hasUses = uses.lists.some(({ nodes }) => nodes.length > 0);
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
    <DialogFrame
      title={texts.kinds.deleteTitle(kind.name, <Label field={kind.label} value={String(record[kind.label])} />)}
      onClose={onClose}
      close={texts.kinds.cancel}
      actions={
        <>
          {others.map(({ Action }, index) => (
            <Action key={index} kind={kind.name} resourceRef={id} />
          ))}
          {!refusal && (
            <Button color="error" onClick={confirm} disabled={isPending || !isPossible}>
              {texts.kinds.delete}
            </Button>
          )}
        </>
      }
    >
      {refusal && !isUsed && <Alert severity="error">{refusal.message}</Alert>}
      <Typography gutterBottom>
        {isUsed ? texts.kinds.inUse(others.length > 0) : isPossible && texts.kinds.restorable(hasUses)}
      </Typography>
      <UseLists {...uses} />
    </DialogFrame>
  );
}
