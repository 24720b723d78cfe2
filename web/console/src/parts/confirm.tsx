import { DialogContentText } from '@mui/material';

import { FormDialog } from './form-dialog';

interface Props {
  readonly title: string;
  readonly about: string;
  readonly submit: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, about, submit, onConfirm, onClose }: Props) {
  return (
    <FormDialog title={title} submit={submit} isDangerous onSubmit={onConfirm} onClose={onClose}>
      {() => <DialogContentText>{about}</DialogContentText>}
    </FormDialog>
  );
}
