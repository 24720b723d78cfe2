import { Autocomplete, TextField } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { type Match, searchResources } from '../data/search';
import { useDebounced } from '../graph/request';
import { isWorthRetrying } from '../graph/retries';
import { useModel } from '../model/model';
import { TextWithNumbers } from '../parts/telephone';
import { texts } from '../texts';
import { words } from './texts';

/** Finds a resource by its number, in any spelling, or by its name. */
export function FindResource({ onFound }: { readonly onFound: (found: Match) => void }) {
  const model = useModel();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const asked = text.trim();
  const settled = useDebounced(asked);
  const { data, isFetching, error } = useQuery({
    queryKey: ['search of the history', settled],
    queryFn: async ({ signal }) => searchResources(model, settled, signal),
    enabled: settled !== '',
    retry: isWorthRetrying,
  });
  // What was found for an earlier text could be chosen by mistake.
  const found = settled === asked && asked !== '' && data ? data : [];
  return (
    <Autocomplete<Match>
      autoHighlight
      forcePopupIcon={false}
      clearOnBlur={false}
      options={[...found]}
      // The server has compared the spellings.
      filterOptions={(all) => all}
      getOptionKey={({ kind, ref }) => `${kind.name} ${ref}`}
      getOptionLabel={({ label }) => label}
      renderOption={({ key, ...item }, { kind, label }) => (
        <li key={key} {...item}>
          <span>{words.of(kind.name, <TextWithNumbers>{label}</TextWithNumbers>)}</span>
        </li>
      )}
      open={isOpen && asked !== ''}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      loading={isFetching || settled !== asked}
      loadingText={texts.search.searching}
      noOptionsText={error ? texts.search.failed(error.message) : words.nothingFound}
      value={null}
      inputValue={text}
      onInputChange={(_event, entered) => setText(entered)}
      onChange={(_event, match) => {
        if (match) onFound(match);
        setText('');
      }}
      sx={{ flex: '1 1 16rem', maxWidth: '32rem' }}
      renderInput={(parameters) => (
        <TextField
          {...parameters}
          size="small"
          label={words.find}
          helperText={words.findHint}
          slotProps={{ ...parameters.slotProps, htmlInput: { ...parameters.slotProps.htmlInput, maxLength: 320 } }}
        />
      )}
    />
  );
}
