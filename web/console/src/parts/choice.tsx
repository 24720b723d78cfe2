import { MenuItem, TextField, type TextFieldProps } from '@mui/material';

type Props = Omit<TextFieldProps, 'select' | 'children'> & {
  /** The values and their texts. */
  readonly options: readonly (readonly [value: string, text: string])[];
};

/** A choice among a few values from a menu of the console. */
export function MenuChoice({ options, ...props }: Props) {
  return (
    <TextField {...props} select>
      {options.map(([value, text]) => (
        <MenuItem key={value} value={value}>
          {text}
        </MenuItem>
      ))}
    </TextField>
  );
}

/** A choice among a few values, which a keyboard and a phone handle as their own. */
export function Choice({ options, ...props }: Props) {
  return (
    <TextField
      {...props}
      select
      slotProps={{ ...props.slotProps, select: { native: true }, inputLabel: { shrink: true } }}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </TextField>
  );
}
