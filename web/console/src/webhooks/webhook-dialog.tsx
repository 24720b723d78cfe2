import {
  Box,
  Checkbox,
  DialogContentText,
  FormControl,
  FormControlLabel,
  FormGroup,
  FormHelperText,
  FormLabel,
  TextField,
} from '@mui/material';
import { useState } from 'react';

import { request, useRefresh } from '../graph/request';
import { useModel } from '../model/model';
import { Confirm, FormDialog, type Refused, textIn } from '../parts/dialogs';
import { texts } from '../texts';
import { Deliveries } from './deliveries';
import { FailedCallFields, failedCallsIn } from './failed-calls';
import { RefsField } from './resource-fields';
import { CREATE, DELETE, type Made, ROTATE, UPDATE, type Webhook } from './webhook';

/** What to do with a webhook. */
export type Action = 'create' | 'edit' | 'rotate' | 'deliveries' | 'delete';

interface WebhookDialogProps {
  readonly action: Action;
  readonly webhook?: Webhook | undefined;
  /** Called with a new secret, which is shown once. */
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

/** The dialog for an action on a webhook, or for a new one. */
export function WebhookDialog({ action, webhook, onSecret, onClose }: WebhookDialogProps) {
  const refresh = useRefresh('webhooks', 'history');
  const { ref = '', url = '' } = webhook ?? {};
  const send = async (document: string, variables: object): Promise<void> => {
    const result = await request<Partial<Made>>(document, { ...variables });
    if (result.made) onSecret(result.made.secret);
    await refresh();
  };
  if (webhook && action === 'deliveries') return <Deliveries webhook={webhook} onClose={onClose} />;
  if (action === 'delete') {
    const remove = async (): Promise<void> => send(DELETE, { ref });
    const { deleteOf, deleteAbout: about, delete: submit } = texts.webhooks;
    return <Confirm title={deleteOf(url)} about={about} submit={submit} onConfirm={remove} onClose={onClose} />;
  }
  if (action === 'rotate') {
    const rotate = async (form: FormData): Promise<void> =>
      send(ROTATE, { ref, overlap: Math.round(Number(textIn(form, 'overlap')) * 3600) });
    return (
      <FormDialog title={texts.webhooks.rotate} submit={texts.webhooks.rotate} onSubmit={rotate} onClose={onClose}>
        {(refused) => (
          <>
            <DialogContentText>{texts.webhooks.rotateAbout}</DialogContentText>
            <TextField
              name="overlap"
              label={texts.webhooks.overlap}
              type="number"
              defaultValue={24}
              required
              {...refused('overlap')}
              slotProps={{ htmlInput: { min: 0, max: 168, step: 'any' } }}
            />
          </>
        )}
      </FormDialog>
    );
  }
  const save = async (form: FormData): Promise<void> => {
    const texted = (name: string): string | null => textIn(form, name) || null;
    const listed = (name: string): readonly FormDataEntryValue[] | null => {
      const values = form.getAll(name);
      return values.length > 0 ? values : null;
    };
    const refs = textIn(form, 'refs')
      .split(/\s*\n\s*/)
      .filter((line) => line !== '');
    await send(action === 'create' ? CREATE : UPDATE, {
      ref,
      url: textIn(form, 'url'),
      events: form.getAll('events'),
      kinds: listed('kinds'),
      refs: refs.length > 0 ? refs : null,
      after: Number(textIn(form, 'after')),
      failed: failedCallsIn(form),
      note: texted('note'),
    });
  };
  const isNew = action === 'create';
  return (
    <FormDialog
      title={isNew ? texts.webhooks.new : texts.webhooks.editOf(url)}
      submit={isNew ? texts.webhooks.create : texts.webhooks.save}
      onSubmit={save}
      onClose={onClose}
    >
      {(refused) => <Settings webhook={webhook} refused={refused} />}
    </FormDialog>
  );
}

interface SettingsProps {
  readonly webhook: Webhook | undefined;
  readonly refused: Refused;
}

/** The inputs for what a webhook is told, and where. */
function Settings({ webhook, refused }: SettingsProps) {
  const { kinds, schema } = useModel();
  const [isMeant, setMeant] = useState(webhook?.events.includes('CALL_FAILED') === true);
  const events = (schema.get('WebhookEvent')?.enumValues ?? []).map(({ name }) => name);
  return (
    <>
      <TextField
        name="url"
        label={texts.webhooks.url}
        type="url"
        required
        autoFocus
        defaultValue={webhook?.url}
        {...refused('url')}
      />
      <Boxes
        name="events"
        label={texts.webhooks.events}
        values={events}
        chosen={webhook?.events ?? []}
        about={texts.webhooks.about}
        onChoose={(value, isChosen) => value === 'CALL_FAILED' && setMeant(isChosen)}
        {...refused('events')}
      />
      <Boxes
        name="kinds"
        label={texts.webhooks.kinds}
        {...refused('kinds', texts.webhooks.kindsHint)}
        values={kinds.map(({ name }) => name)}
        chosen={webhook?.kinds ?? []}
      />
      <RefsField
        name="refs"
        label={texts.webhooks.refs}
        given={webhook?.refs ?? []}
        {...refused('refs', texts.webhooks.refsHint)}
      />
      <TextField
        name="after"
        label={texts.webhooks.after}
        type="number"
        required
        defaultValue={webhook?.after ?? 60}
        {...refused('after')}
        slotProps={{ htmlInput: { min: 0, max: 86_400 } }}
      />
      <FailedCallFields rule={webhook?.failedCalls} isMeant={isMeant} refused={refused} />
      <TextField name="note" label={texts.webhooks.note} defaultValue={webhook?.note} {...refused('note')} />
    </>
  );
}

type BoxesProps = ReturnType<Refused> & {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly chosen: readonly string[];
  /** A sentence about a value, below it. */
  readonly about?: Readonly<Record<string, string>>;
  readonly onChoose?: (value: string, isChosen: boolean) => void;
};

function Boxes({ name, label, values, chosen, about, onChoose, error, helperText }: BoxesProps) {
  return (
    <FormControl component="fieldset" error={error}>
      <FormLabel component="legend">{label}</FormLabel>
      <FormGroup row={!about}>
        {values.map((value) => {
          const id = `${name}-${value}-about`;
          const sentence = about?.[value];
          return (
            <Box key={value}>
              <FormControlLabel
                label={texts.kinds.choice(value)}
                control={
                  <Checkbox
                    name={name}
                    value={value}
                    defaultChecked={chosen.includes(value)}
                    onChange={(_, isChosen) => onChoose?.(value, isChosen)}
                    slotProps={{ input: { 'aria-describedby': sentence === undefined ? undefined : id } }}
                  />
                }
              />
              {sentence !== undefined && (
                <FormHelperText id={id} sx={{ mt: -1, ml: 4 }}>
                  {sentence}
                </FormHelperText>
              )}
            </Box>
          );
        })}
      </FormGroup>
      {helperText !== undefined && <FormHelperText>{helperText}</FormHelperText>}
    </FormControl>
  );
}
