import { Autocomplete, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useDebounced } from '../graph/request';
import { RETRIES } from '../graph/retries';
import { texts } from '../texts';

/** Something that can be chosen. */
export interface Choice {
  readonly ref: string;
  readonly label: string;
  /** What to consider before it is chosen. */
  readonly note?: string;
}

interface Props {
  readonly label: string;
  readonly hint?: string;
  /** What is said if nothing is found. */
  readonly none: string;
  /** What is said before anything is entered; then nothing is searched for. */
  readonly before?: string;
  /** Names the search. */
  readonly what: readonly string[];
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;
  readonly value: Choice | null;
  readonly onChange: (chosen: Choice | null) => void;
  readonly required?: boolean;
  readonly autoFocus?: boolean;
  readonly error?: string | undefined;
}

/** Chooses a resource by searching for it as the user types. */
export function Finder({ label, hint, none, before, what, find, value, onChange, error, ...field }: Props) {
  const [typed, setTyped] = useState('');
  const asked = useDebounced(typed.trim());
  const isAsked = before === undefined || asked !== '';
  const { data, isFetching } = useQuery({
    queryKey: ['find', ...what, asked],
    queryFn: async ({ signal }) => find(asked, signal),
    enabled: isAsked,
    ...RETRIES,
  });
  // What was found for an earlier text could be chosen by mistake.
  const isBusy = asked !== typed.trim() || (isAsked && isFetching);
  return (
    <Autocomplete<Choice>
      options={isBusy || !isAsked ? [] : [...(data ?? [])]}
      loading={isBusy}
      loadingText={texts.parts.target.loading}
      noOptionsText={isAsked ? none : before}
      autoHighlight
      // The list keeps its place and width when the window gets another width: it begins at the left, and never is wider than the window.
      slotProps={{ popper: { placement: 'bottom-start', sx: { maxWidth: 'calc(100vw - 2rem)' } } }}
      openOnFocus={before === undefined}
      // The server has searched.
      filterOptions={(all) => all}
      getOptionLabel={(option) => option.label}
      renderOption={({ key, ...props }, { label: name, note }) => (
        <li key={key} {...props}>
          {name}
          {note !== undefined && (
            <Typography component="span" variant="body2" color="text.secondary" sx={{ ml: 'auto', pl: 2 }}>
              {note}
            </Typography>
          )}
        </li>
      )}
      getOptionKey={({ ref }) => ref}
      isOptionEqualToValue={(one, other) => one.ref === other.ref}
      value={value}
      onChange={(_event, chosen) => onChange(chosen)}
      onInputChange={(_event, text, reason) => setTyped(reason === 'input' ? text : '')}
      renderInput={(parameters) => (
        <TextField {...parameters} {...field} label={label} error={error !== undefined} helperText={error ?? hint} />
      )}
    />
  );
}
