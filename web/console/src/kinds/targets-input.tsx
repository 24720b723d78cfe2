import AddIcon from '@mui/icons-material/Add';
import UpIcon from '@mui/icons-material/ArrowUpward';
import RemoveIcon from '@mui/icons-material/Close';
import { Box, Button, FormHelperText, IconButton, Stack, TextField } from '@mui/material';
import { InputHelperText, type TextInputProps, useInput } from 'react-admin';

import { addressOf } from '../../../../src/spelling/written';
import { FieldGroup } from '../parts/field-group';
import { TargetField } from '../parts/target-field';
import { texts } from '../texts';

const words = texts.kinds.targets;

/** A further target of a number, as the form enters it: `sip:1002@sip.local after 20` is two fields. */
interface Entry {
  readonly target: string;
  /** Digits; empty if it rings together with the target before. */
  readonly seconds: string;
}

/** The targets of a number after its address of record, in order. Each is searched for as the address of record is. */
export function TargetsInput({ source, label, helperText, validate }: TextInputProps) {
  const { field, fieldState, id } = useInput<string[] | null>({ source, validate, defaultValue: null });
  const entries = (Array.isArray(field.value) ? field.value : []).map(entryOf);
  const write = (next: readonly Entry[]): void => field.onChange(next.map(textOf));
  const set = (at: number, changed: Partial<Entry>): void =>
    write(entries.map((entry, index) => (index === at ? { ...entry, ...changed } : entry)));
  return (
    <FieldGroup label={label}>
      {entries.map(({ target, seconds }, index) => (
        <Stack key={index} direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
          <Box sx={{ flex: '2 1 14rem' }}>
            <TargetField
              id={`${id}-${String(index)}`}
              value={target}
              onChange={(entered) => set(index, { target: entered })}
              onBlur={() => {
                const meant = meantBy(target);
                if (meant !== target) set(index, { target: meant });
                field.onBlur();
              }}
              label={words.target(index + 2)}
              variant="filled"
              margin="dense"
              error={fieldState.invalid}
            />
          </Box>
          <TextField
            value={seconds}
            onChange={({ target: { value } }) => set(index, { seconds: value.replace(/\D/g, '').slice(0, 3) })}
            label={words.seconds(index + 2)}
            placeholder={words.together}
            variant="filled"
            margin="dense"
            size="small"
            slotProps={{ htmlInput: { inputMode: 'numeric' } }}
            sx={{ flex: '1 1 8rem' }}
          />
          <IconButton
            aria-label={words.up(index + 2)}
            disabled={index === 0}
            onClick={() => write(moved(entries, index))}
          >
            <UpIcon />
          </IconButton>
          <IconButton
            aria-label={words.remove(index + 2)}
            onClick={() => write(entries.filter((_, each) => each !== index))}
          >
            <RemoveIcon />
          </IconButton>
        </Stack>
      ))}
      <Button startIcon={<AddIcon />} onClick={() => write([...entries, { target: '', seconds: '20' }])}>
        {words.add}
      </Button>
      <FormHelperText error={fieldState.invalid}>
        <InputHelperText error={fieldState.error?.message} helperText={helperText} />
      </FormHelperText>
    </FieldGroup>
  );
}

function entryOf(text: string): Entry {
  const [, target = '', seconds = ''] = /^(.*?)(?:\s+after\s+(\d+))?$/.exec(text) ?? [];
  return { target, seconds };
}

function textOf({ target, seconds }: Entry): string {
  return seconds === '' ? target : `${target} after ${seconds}`;
}

/** What somebody means who enters a number or an address in any spelling. */
function meantBy(target: string): string {
  if (/^\s*(tel:|\+)/i.test(target)) return `tel:${target.replace(/^\s*(tel:)?|[\s().-]/gi, '')}`;
  return target.trim() === '' ? target : addressOf(target);
}

function moved(entries: readonly Entry[], at: number): readonly Entry[] {
  const [before, entry] = [entries[at - 1], entries[at]];
  if (!before || !entry) return entries;
  return entries.map((each, index) => (index === at - 1 ? entry : index === at ? before : each));
}
