import {
  Checkbox,
  FormControl,
  FormControlLabel,
  FormGroup,
  FormHelperText,
  FormLabel,
  TextField,
} from '@mui/material';

import { useModel } from '../model/model';
import type { Refused } from '../parts/dialogs';
import { texts } from '../texts';
import type { Webhook } from './webhook';

interface Props {
  readonly webhook: Webhook | undefined;
  readonly refused: Refused;
}

/** The inputs for what a webhook is told, and where. */
export function Settings({ webhook, refused }: Props) {
  const { kinds, schema } = useModel();
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
        {...refused('events')}
      />
      <Boxes
        name="kinds"
        label={texts.webhooks.kinds}
        {...refused('kinds', texts.webhooks.kindsHint)}
        values={kinds.map(({ name }) => name)}
        chosen={webhook?.kinds ?? []}
      />
      <TextField
        name="refs"
        label={texts.webhooks.refs}
        multiline
        minRows={2}
        defaultValue={webhook?.refs?.join('\n')}
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
      <TextField name="note" label={texts.webhooks.note} defaultValue={webhook?.note} {...refused('note')} />
    </>
  );
}

type BoxesProps = ReturnType<Refused> & {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly chosen: readonly string[];
};

function Boxes({ name, label, values, chosen, error, helperText }: BoxesProps) {
  return (
    <FormControl component="fieldset" error={error}>
      <FormLabel component="legend">{label}</FormLabel>
      <FormGroup row>
        {values.map((value) => (
          <FormControlLabel
            key={value}
            label={texts.kinds.choice(value)}
            control={<Checkbox name={name} value={value} defaultChecked={chosen.includes(value)} />}
          />
        ))}
      </FormGroup>
      {helperText !== undefined && <FormHelperText>{helperText}</FormHelperText>}
    </FormControl>
  );
}
