import { Button, Stack, TextField } from '@mui/material';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';

import { texts } from '../texts';

const words = texts.explain.call;

/** Who calls, and from where. */
export interface CallEnds {
  readonly from: string;
  readonly source: string;
}

/** Asks who calls what the page explains, and from which address. The answer is in the address of the page. */
export function CallForm({ from: asked, source: askedSource }: CallEnds) {
  const [, setParameters] = useSearchParams();
  const [from, setFrom] = useState(asked);
  const [source, setSource] = useState(askedSource);
  const explain = (caller: string, address: string): void =>
    setParameters((before) => {
      const after = new URLSearchParams({ q: before.get('q') ?? '' });
      if (caller.trim() !== '') after.set('from', caller.trim());
      if (caller.trim() !== '' && address.trim() !== '') after.set('source', address.trim());
      return after;
    });
  return (
    <Stack
      component="form"
      direction="row"
      spacing={1}
      useFlexGap
      sx={{ flexWrap: 'wrap', alignItems: 'flex-start' }}
      onSubmit={(event) => {
        event.preventDefault();
        explain(from, source);
      }}
    >
      <TextField
        autoFocus={asked === ''}
        size="small"
        label={words.from}
        helperText={words.fromHint}
        value={from}
        onChange={(event) => setFrom(event.target.value)}
        sx={{ flex: '2 1 14rem' }}
      />
      <TextField
        size="small"
        label={words.source}
        helperText={words.sourceHint}
        value={source}
        onChange={(event) => setSource(event.target.value)}
        sx={{ flex: '1 1 12rem' }}
      />
      <Button type="submit" variant="outlined" disabled={from.trim() === ''} sx={BESIDE_FIELD}>
        {words.explain}
      </Button>
      {asked !== '' && (
        <Button
          sx={BESIDE_FIELD}
          onClick={() => {
            setFrom('');
            setSource('');
            explain('', '');
          }}
        >
          {words.without}
        </Button>
      )}
    </Stack>
  );
}

/** At the middle of a field, which has a margin and a hint. */
const BESIDE_FIELD = { mt: 1.25 } as const;
