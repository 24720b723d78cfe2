import SearchIcon from '@mui/icons-material/Search';
import { Button, InputAdornment, Stack, TextField } from '@mui/material';
import { useEffect, useRef, type KeyboardEvent, type SyntheticEvent } from 'react';

import { texts } from '../texts';

interface Props {
  readonly asked: string;
  readonly onAsk: (text: string) => void;
}

/** The field for a number, an address of record or a name. The key / moves to it (layout/keys.tsx). */
export function SearchField({ asked, onAsk }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The address of the page changes when the user follows a link, too.
    if (input.current) input.current.value = asked;
    if (asked === '') input.current?.focus();
  }, [asked]);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onAsk(input.current?.value.trim() ?? '');
  };
  return (
    <Stack component="form" role="search" direction="row" spacing={1} onSubmit={submit}>
      <TextField
        inputRef={input}
        type="search"
        label={texts.explain.search.label}
        defaultValue={asked}
        onFocus={({ target }) => target.select()}
        onKeyDown={ignoreSlash}
        fullWidth
        margin="none"
        slotProps={{
          htmlInput: {
            maxLength: 320,
            'data-search': '',
            'aria-keyshortcuts': '/',
            autoComplete: 'off',
            spellCheck: false,
          },
          input: {
            startAdornment: (
              <InputAdornment position="start">
                <SearchIcon />
              </InputAdornment>
            ),
          },
        }}
      />
      <Button type="submit" variant="contained">
        {texts.explain.search.submit}
      </Button>
    </Stack>
  );
}

/** Ignores the key that leads to the field, when the field has the focus already. */
function ignoreSlash(event: KeyboardEvent): void {
  if (event.key === '/' && event.target instanceof HTMLInputElement && event.target.selectionStart === 0)
    event.preventDefault();
}
