import { FormControl, FormHelperText, FormLabel, Stack, TextField } from '@mui/material';

import { useModel } from '../model/model';
import { MenuChoice } from '../parts/choice';
import { type Refused, textIn } from '../parts/dialogs';
import { texts } from '../texts';
import { RefField } from './resource-fields';
import type { FailedCalls } from './webhook';

const LINKS = {
  gatewayRef: 'Gateway',
  agentRef: 'Agent',
  peerRef: 'Peer',
  domainRef: 'Domain',
  routeRef: 'Route',
} as const;
const CONDITIONS = ['digits', 'reason'] as const;
/** The bounds of the numbers, and what they are without a rule. */
const NUMBERS = {
  minStatus: { min: 300, max: 699, usual: undefined },
  count: { min: 1, max: 100_000, usual: 1 },
  minutes: { min: 1, max: 1440, usual: 1 },
} as const;

/** The rule in a form; null if the webhook is not told of failed calls. */
export function failedCallsIn(form: FormData): FailedCalls | null {
  if (!form.getAll('events').includes('CALL_FAILED')) return null;
  const texted = (name: string): string | null => textIn(form, `failedCalls.${name}`) || null;
  const counted = (name: string): number | null => {
    const text = texted(name);
    return text === null ? null : Number(text);
  };
  return {
    gatewayRef: texted('gatewayRef'),
    agentRef: texted('agentRef'),
    peerRef: texted('peerRef'),
    domainRef: texted('domainRef'),
    routeRef: texted('routeRef'),
    digits: texted('digits'),
    direction: texted('direction'),
    minStatus: counted('minStatus'),
    reason: texted('reason'),
    count: counted('count') ?? NUMBERS.count.usual,
    minutes: counted('minutes') ?? NUMBERS.minutes.usual,
  };
}

interface FailedCallFieldsProps {
  readonly rule: FailedCalls | null | undefined;
  /** Whether the webhook is told of failed calls. */
  readonly isMeant: boolean;
  readonly refused: Refused;
}

/** The inputs of the rule for failed calls. */
export function FailedCallFields({ rule, isMeant, refused }: FailedCallFieldsProps) {
  const { schema } = useModel();
  const directions = (schema.get('CallDirection')?.enumValues ?? []).map(({ name }) => name);
  const { title, about, direction, anyDirection, minStatusHint, minutesHint, ...labels } = texts.webhooks.failedCalls;
  if (!isMeant) return null;
  const hints = { minStatus: minStatusHint, minutes: minutesHint, count: undefined };
  return (
    <FormControl component="fieldset">
      <FormLabel component="legend">{title}</FormLabel>
      <FormHelperText sx={{ ml: 0, mb: 1 }}>{about}</FormHelperText>
      <Stack spacing={2}>
        {(Object.keys(LINKS) as (keyof typeof LINKS)[]) // the keys of that object
          .map((name) => (
            <RefField
              key={name}
              name={`failedCalls.${name}`}
              label={labels[name]}
              kind={LINKS[name]}
              given={rule?.[name]}
              {...refused(`failedCalls.${name}`)}
            />
          ))}
        {CONDITIONS.map((name) => (
          <TextField
            key={name}
            name={`failedCalls.${name}`}
            label={labels[name]}
            defaultValue={rule?.[name]}
            {...refused(`failedCalls.${name}`)}
            slotProps={{ htmlInput: { maxLength: 64 } }}
          />
        ))}
        <MenuChoice
          name="failedCalls.direction"
          label={direction}
          defaultValue={rule?.direction ?? ''}
          slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
          options={[['', anyDirection], ...directions.map((value) => [value, texts.kinds.choice(value)] as const)]}
        />
        {(['minStatus', 'count', 'minutes'] as const).map((name) => (
          <TextField
            key={name}
            name={`failedCalls.${name}`}
            label={labels[name]}
            type="number"
            required={name !== 'minStatus'}
            defaultValue={rule?.[name] ?? NUMBERS[name].usual}
            {...refused(`failedCalls.${name}`, hints[name])}
            slotProps={{ htmlInput: { min: NUMBERS[name].min, max: NUMBERS[name].max } }}
          />
        ))}
      </Stack>
    </FormControl>
  );
}
