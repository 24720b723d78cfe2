import { Alert, Autocomplete, Button, Stack, TextField } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { request, useDebounced, useGraph } from '../graph/request';
import { texts } from '../texts';
import { routeOf, type PhoneNumber } from './operations';
import { FIND_TARGETS, optionsOf, type FoundTargets, type TargetOption } from './target-options';

const words = texts.explain.target;

interface Props {
  readonly number: PhoneNumber;
  /** Where calls go now. */
  readonly aorLink: string;
  /** Where they probably should go. */
  readonly suggestion: string | undefined;
  readonly onSaved: () => void;
}

/** Routes calls to a number to another agent or peer. */
export function ChooseTarget({ number, aorLink, suggestion, onSaved }: Props) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<TargetOption | string | null>(null);
  const asked = useDebounced(text);
  const { data, isFetching } = useGraph<FoundTargets>('targets', FIND_TARGETS, { text: asked });
  // Options of an earlier text could be chosen by mistake.
  const options = data && asked === text ? optionsOf(data, aorLink) : [];
  const route = useMutation({
    mutationFn: (to: string) => request(routeOf(number.__typename), { ref: number.ref, aorLink: to }),
    onSuccess: onSaved,
  });
  // Who edits the text of a chosen option means the text.
  const target = typeof chosen === 'object' && chosen?.label === text ? chosen.aorLink : text;

  return (
    <Stack
      component="form"
      spacing={1}
      onSubmit={(event) => {
        event.preventDefault();
        if (target !== '') route.mutate(target);
      }}
    >
      {suggestion !== undefined && (
        <div>
          <Button variant="contained" disabled={route.isPending} onClick={() => route.mutate(suggestion)}>
            {words.use(suggestion)}
          </Button>
        </div>
      )}
      <Stack direction="row" spacing={1} sx={{ alignItems: 'flex-start' }}>
        <Autocomplete<TargetOption, false, false, true>
          freeSolo
          fullWidth
          options={[...options]}
          filterOptions={(all) => all}
          getOptionKey={(option) => (typeof option === 'string' ? option : option.aorLink)}
          getOptionLabel={(option) => (typeof option === 'string' ? option : option.label)}
          loading={isFetching || asked !== text}
          loadingText={words.loading}
          noOptionsText={words.none}
          value={chosen}
          inputValue={text}
          onChange={(_event, option) => setChosen(option)}
          onInputChange={(_event, value) => setText(value)}
          renderInput={(parameters) => (
            <TextField
              {...parameters}
              label={words.choose}
              helperText={route.error?.message ?? words.hint}
              error={route.isError}
              margin="none"
            />
          )}
        />
        <Button
          type="submit"
          variant={suggestion === undefined ? 'contained' : 'outlined'}
          disabled={route.isPending || target === ''}
        >
          {words.save}
        </Button>
      </Stack>
      {route.isSuccess && <Alert severity="success">{words.saved(route.variables)}</Alert>}
    </Stack>
  );
}

// Exported here so that the bundler makes no chunk of its own for it: smaller chunks enlarge the first page.
export { AddToDomain } from './add-to-domain';
