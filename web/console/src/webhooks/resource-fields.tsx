import { Autocomplete, TextField } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { findResources, searchResources } from '../data/search';
import { useDebounced, useGraph } from '../graph/request';
import { RETRIES } from '../graph/retries';
import { Finder, type Choice } from '../jobs/finder';
import { kindOf, useModel } from '../model/model';
import type { Refused } from '../parts/dialogs';
import { isAddress, useNamesOfRefs } from '../parts/names-of-refs';
import { texts } from '../texts';

const words = texts.webhooks;

interface RefsProps extends ReturnType<Refused> {
  readonly name: string;
  readonly label: string;
  readonly given: readonly string[];
}

/** Chooses resources of any kind by their names or numbers, and addresses of record. The form gets a line for each. */
export function RefsField({ name, label, given, error, helperText }: RefsProps) {
  const model = useModel();
  const [refs, setRefs] = useState(given);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const knownName = useNamesOfRefs(given);
  const asked = useDebounced(typed.trim());
  const { data = [], isFetching } = useQuery({
    queryKey: ['resources for a webhook', asked],
    queryFn: async ({ signal }) => searchResources(model, asked, signal),
    enabled: asked !== '' && !isAddress(asked),
    ...RETRIES,
  });
  const found = asked === typed.trim() && asked !== '' ? data : [];
  const labels = new Map(
    found.map(({ kind, ref, label: of }) => [ref, words.resource(kind.name, of.replace(/^tel:/, ''))] as const),
  );
  const nameOf = (ref: string): string =>
    labels.get(ref) ?? chosen.get(ref) ?? (given.includes(ref) ? knownName(ref) : ref);
  // An address that was entered, but not ended with Enter.
  const entered = isAddress(typed) ? [typed.trim()] : [];
  return (
    <>
      <input type="hidden" name={name} value={[...refs, ...entered].join('\n')} />
      <Autocomplete<string, true, false, true>
        multiple
        freeSolo
        autoHighlight={!isAddress(asked)}
        options={[...labels.keys()]}
        filterOptions={(all) => all}
        filterSelectedOptions
        getOptionLabel={nameOf}
        getOptionKey={(ref) => ref}
        loading={isFetching}
        value={[...refs]}
        inputValue={typed}
        onInputChange={(_event, text) => setTyped(text)}
        onChange={(_event, next) => {
          setChosen(new Map([...chosen, ...labels]));
          setRefs(next);
        }}
        renderInput={(parameters) => <TextField {...parameters} label={label} error={error} helperText={helperText} />}
      />
    </>
  );
}

interface RefProps extends ReturnType<Refused> {
  readonly name: string;
  readonly label: string;
  readonly kind: string;
  readonly given: string | null | undefined;
}

/** Chooses a resource of a kind by its name. The form gets its reference. */
export function RefField({ name, label, kind, given, error, helperText }: RefProps) {
  const model = useModel();
  const { collection, label: field } = kindOf(model, kind);
  const [chosen, setChosen] = useState<Choice | null>();
  const { data } = useGraph<{ list: { nodes: readonly Choice[] } }>(
    `name of ${kind}`,
    `query Named($refs: [String!]) { list: ${collection}(first: 1, where: { ref: { in: $refs } }) { nodes { ref label: ${field} } } }`,
    { refs: [given] },
    { enabled: typeof given === 'string' },
  );
  // What was deleted stays in the rule until it is taken out: without it, the rule would match more.
  const kept = typeof given === 'string' ? { ref: given, label: given } : null;
  const [before = kept] = data?.list.nodes ?? [];
  const value = chosen === undefined ? before : chosen;
  return (
    <>
      <input type="hidden" name={name} value={value?.ref ?? ''} />
      <Finder
        label={label}
        hint={helperText}
        error={error ? helperText : undefined}
        none={texts.explain.names.none}
        what={['webhook', kind]}
        find={async (text, signal) => findResources(model, kind, text, signal)}
        value={value}
        onChange={setChosen}
      />
    </>
  );
}
