import SearchIcon from '@mui/icons-material/Search';
import { Button, InputAdornment, LinearProgress, Stack, TextField, Typography } from '@mui/material';
import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef } from 'react';
import { Title } from 'react-admin';
import { useSearchParams } from 'react-router-dom';

import { onDemand } from '../on-demand';
import { texts } from '../texts';
import { type Question, questionOf } from './question';

const Answer = onDemand<{ readonly question: Question }>(
  () => import('./answer').then((file) => file.Answer),
  <LinearProgress aria-label={texts.parts.loading} />,
);

/** The first page: one field, and the answer to what was entered. The address of the page has the question. */
export function HomePage() {
  const [parameters, setParameters] = useSearchParams();
  const asked = parameters.get('q') ?? '';
  const question = questionOf(asked);
  return (
    <Stack component="section" spacing={2} sx={{ py: 2, maxWidth: 900 }}>
      <Title title={texts.explain.title} />
      <SearchField asked={asked} onAsk={(text) => setParameters(text === '' ? {} : { q: text })} />
      {question ? (
        <Answer key={`answer ${question.text}`} question={question} />
      ) : (
        <Typography color="text.secondary">{texts.explain.search.hint}</Typography>
      )}
    </Stack>
  );
}

interface SearchFieldProps {
  readonly asked: string;
  readonly onAsk: (text: string) => void;
}

/** The field for a number, an address of record or a name. The key / moves to it (layout/keys.tsx). */
function SearchField({ asked, onAsk }: SearchFieldProps) {
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
