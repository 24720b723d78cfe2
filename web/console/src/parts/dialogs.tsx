import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  Stack,
  TextField,
} from '@mui/material';
import { useEffect, useId, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';

import { valueIn } from '../../../shared/session';
import { GraphError, messageOf } from '../graph/graph-error';
import { texts } from '../texts';
import { MONOSPACE } from '../theme';

interface FrameProps {
  readonly title: ReactNode;
  /** By default, it is as wide as its content. */
  readonly width?: 'sm' | 'md';
  /** The text of the button that closes it, which comes before other buttons. */
  readonly close?: string;
  readonly actions?: ReactNode;
  /** Without it, only other buttons close it. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

/** A dialog with a heading and buttons that is open while it is rendered. */
export function DialogFrame({ title, width, close, actions, onClose, children }: FrameProps) {
  const id = useId();
  return (
    <Dialog
      open
      aria-labelledby={id}
      {...(width && { fullWidth: true, maxWidth: width })}
      {...(onClose && { onClose })}
    >
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent>{children}</DialogContent>
      <DialogActions>
        {close !== undefined && <Button onClick={onClose}>{close}</Button>}
        {actions}
      </DialogActions>
    </Dialog>
  );
}

/** What an input shows of the server's refusal, and otherwise its hint: `<TextField name="url" {...refused('url')} />`. */
export type Refused = (
  name: string,
  hint?: string,
) => { readonly error: boolean; readonly helperText: string | undefined };

interface FormDialogProps {
  readonly title: string;
  readonly submit: string;
  readonly isDangerous?: boolean;
  /** Why the server would refuse it, which is shown without the button that sends the form. */
  readonly refusal?: string | undefined;
  /** Sends the form. The dialog shows the error if it fails, and closes otherwise. */
  readonly onSubmit: (form: FormData) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: (refused: Refused) => ReactNode;
}

/** A form in a dialog that is open while it is rendered. */
export function FormDialog({
  title,
  submit,
  isDangerous = false,
  refusal,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const id = useId();
  const [failure, setFailure] = useState<unknown>();
  const [isAtInputs, setAtInputs] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // What is refused may be out of sight, above the button.
  useEffect(() => {
    const input = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (input) input.focus();
    else form.current?.querySelector('.Mui-error')?.scrollIntoView({ block: 'center' });
  }, [failure]);
  const send = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    const { elements } = event.currentTarget;
    onSubmit(new FormData(event.currentTarget))
      .then(onClose, (error: unknown) => {
        const names = error instanceof GraphError ? error.fields : [];
        setAtInputs(names.length > 0 && names.every((name) => elements.namedItem(name) !== null));
        setFailure(error);
      })
      .finally(() => setBusy(false));
  };
  const refused: Refused = (name, hint) => {
    const error = failure instanceof GraphError && failure.fields.includes(name);
    return { error, helperText: error ? failure.at(name) : hint };
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm">
      <form ref={form} onSubmit={send}>
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          <Stack spacing={2} sx={{ pt: 1 }}>
            {refusal === undefined ? children(refused) : <Alert severity="warning">{refusal}</Alert>}
            {failure !== undefined && !isAtInputs && <Alert severity="error">{messageOf(failure)}</Alert>}
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{texts.parts.cancel}</Button>
          {refusal === undefined && (
            <Button type="submit" variant="contained" color={isDangerous ? 'error' : 'primary'} disabled={isBusy}>
              {submit}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The text of an input, without spaces around it. */
export function textIn(form: FormData, name: string): string {
  return valueIn(form, name).trim();
}

interface ConfirmProps {
  readonly title: string;
  readonly about: string;
  readonly submit: string;
  /** As of FormDialog. */
  readonly refusal?: string | undefined;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, about, submit, refusal, onConfirm, onClose }: ConfirmProps) {
  return (
    <FormDialog title={title} submit={submit} refusal={refusal} isDangerous onSubmit={onConfirm} onClose={onClose}>
      {() => <DialogContentText>{about}</DialogContentText>}
    </FormDialog>
  );
}

interface ShownOnceProps {
  readonly title: string;
  readonly value: string;
  readonly onClose: () => void;
}

/** Shows a secret that the server does not show again. */
export function ShownOnce({ title, value, onClose }: ShownOnceProps) {
  return (
    <DialogFrame
      title={title}
      width="sm"
      actions={
        <>
          <CopyButton value={value} />
          <Button variant="contained" onClick={onClose}>
            {texts.parts.done}
          </Button>
        </>
      }
    >
      <Alert severity="warning" sx={{ mb: 2 }}>
        {texts.parts.once}
      </Alert>
      <TextField
        fullWidth
        label={title}
        value={value}
        slotProps={{ htmlInput: { readOnly: true, style: { fontFamily: MONOSPACE, height: '1.75em' } } }}
        onFocus={(event) => event.target.select()}
      />
    </DialogFrame>
  );
}

interface CopyProps {
  readonly value: string;
  /** What screen readers are told, if it is one of several buttons. It is small then. */
  readonly label?: string;
  readonly text?: string;
  readonly onCopied?: () => void;
}

/** Copies a text. Browsers have no clipboard in pages that were loaded over plain HTTP: there is no button then. */
export function CopyButton({ value, label, text = texts.parts.copy, onCopied }: CopyProps) {
  const [copied, setCopied] = useState<string>();
  if (!isSecureContext) return null;
  const copy = (): void =>
    void navigator.clipboard.writeText(value).then(
      () => {
        setCopied(value);
        onCopied?.();
      },
      // The browser does not permit it: the button does not say that it is done.
      () => undefined,
    );
  return (
    <Button size={label === undefined ? 'medium' : 'small'} aria-label={label} onClick={copy} disabled={value === ''}>
      {copied === value && value !== '' ? texts.parts.copied : text}
    </Button>
  );
}
