import { TextField } from '@mui/material';
import { useEffect, useRef, useState } from 'react';

import { useDebounced } from '../graph/request';
import { MenuChoice } from '../parts/choice';

interface TextProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A field whose text filters a list once the user stops typing. The key / moves to it (layout/keys.tsx). */
export function TextFilter({ label, value = '', onChange }: TextProps) {
  const [text, setText] = useState(value);
  const settled = useDebounced(text);
  const last = useRef(value);
  useEffect(() => {
    if (settled === last.current) return;
    last.current = settled;
    onChange(settled);
    // Only what the user enters is a change.
  }, [settled]);
  useEffect(() => {
    // A link changed the address. Otherwise it has what the user entered, who may have typed more meanwhile.
    if (value === last.current) return;
    last.current = value;
    setText(value);
  }, [value]);
  return (
    <TextField
      type="search"
      size="small"
      fullWidth={false}
      margin="none"
      label={label}
      value={text}
      onChange={({ target }) => setText(target.value)}
      slotProps={{ htmlInput: { maxLength: 100, spellCheck: false, 'data-search': '', 'aria-keyshortcuts': '/' } }}
    />
  );
}

interface ChoiceProps extends TextProps {
  /** The values with their labels; the first, with an empty value, means no filter. */
  readonly choices: readonly (readonly [value: string, label: string])[];
}

/** A field that filters a list by one of some values. */
export function ChoiceFilter({ label, value = '', onChange, choices }: ChoiceProps) {
  return (
    <MenuChoice
      size="small"
      fullWidth={false}
      margin="none"
      label={label}
      options={choices}
      value={choices.some(([each]) => each === value) ? value : ''}
      onChange={({ target }) => onChange(target.value)}
      sx={{ minWidth: 140 }}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    />
  );
}
