import { Autocomplete, Button, Stack, TextField } from '@mui/material';
import { type SyntheticEvent, useState } from 'react';
import { useListContext } from 'react-admin';

import { numberIn, WRITTEN_FIELDS } from '../../../../src/spelling/written';
import { isUnset } from '../data/forms';
import type { Filter } from '../data/queries';
import { findResources } from '../data/search';
import { valueFor } from '../graph/spelling';
import { type Choice as Found, Finder } from '../jobs/finder';
import { type Kind, type Model, useModel } from '../model/model';
import { Choice } from '../parts/choice';
import { texts } from '../texts';
import { type Filterable, filterablesOf, type Operator, withCondition } from './conditions';
import { words } from './texts';

interface Props {
  readonly kind: Kind;
  readonly onClose: () => void;
}

/** Enters a condition: a field, how it is compared, and a value. */
export function FilterForm({ kind, onClose }: Props) {
  const model = useModel();
  const list = useListContext();
  const [field, setField] = useState<Filterable | null>(null);
  const [path, setPath] = useState('');
  const [value, setValue] = useState<unknown>();
  const operator = field?.operators.find((each) => each.path === path) ?? field?.operators[0];
  const isEntered = !isUnset(value);
  const add = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    // The form of the list is around this one in React's tree.
    event.stopPropagation();
    if (!operator || !isEntered) return;
    const wanted = await wantedOf(operator, value);
    const filter = list.filterValues as Filter; // what this form, links and addresses set
    list.setFilters(withCondition(filter, operator.path, wanted), {});
    onClose();
  };
  return (
    <Stack
      component="form"
      spacing={1}
      onSubmit={(event) => void add(event)}
      sx={{ p: 2, width: 'min(22rem, 90vw)', overflowY: 'auto' }}
    >
      <Autocomplete<Filterable>
        options={[...filterablesOf(model, kind)]}
        groupBy={({ group }) => group}
        getOptionLabel={({ label }) => label}
        getOptionKey={({ path: key }) => key}
        isOptionEqualToValue={(one, other) => one.path === other.path}
        autoHighlight
        openOnFocus
        value={field}
        onChange={(_event, chosen) => {
          setField(chosen);
          setPath('');
          setValue(undefined);
        }}
        renderInput={(parameters) => <TextField {...parameters} autoFocus label={words.field} />}
      />
      {field && operator && (
        <>
          {field.operators.length > 1 && (
            <Choice
              label={words.operator}
              value={operator.path}
              onChange={({ target }) => {
                setPath(target.value);
                setValue(undefined);
              }}
              options={field.operators.map((each) => [each.path, each.words] as const)}
            />
          )}
          <Entered key={operator.path} model={model} operator={operator} onChange={setValue} />
        </>
      )}
      <Stack direction="row" spacing={1} sx={{ justifyContent: 'flex-end' }}>
        <Button onClick={onClose}>{texts.parts.cancel}</Button>
        <Button type="submit" variant="contained" disabled={!operator || !isEntered}>
          {words.apply}
        </Button>
      </Stack>
    </Stack>
  );
}

interface EnteredProps {
  readonly model: Model;
  readonly operator: Operator;
  readonly onChange: (value: unknown) => void;
}

/** The field for the value. */
function Entered({ model, operator: { entry, choices = [], kind }, onChange }: EnteredProps) {
  const [found, setFound] = useState<Found | null>(null);
  const label = words.value;
  switch (entry) {
    case 'resource':
      return (
        <Finder
          autoFocus
          label={label}
          none={words.nothing}
          what={['filter', kind ?? '']}
          find={async (text, signal) => findResources(model, kind ?? '', text, signal)}
          value={found}
          onChange={(chosen) => {
            setFound(chosen);
            onChange(chosen?.ref);
          }}
        />
      );
    case 'choices':
      return (
        <Autocomplete
          multiple
          openOnFocus
          options={choices.map(([value]) => value)}
          getOptionLabel={(value) => choices.find(([each]) => each === value)?.[1] ?? value}
          onChange={(_event, chosen) => onChange(chosen)}
          renderInput={(parameters) => <TextField {...parameters} autoFocus label={label} />}
        />
      );
    case 'boolean':
      return (
        <Choice
          autoFocus
          label={label}
          defaultValue=""
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value === 'true')}
          options={[
            ['', ''],
            ['true', texts.kinds.yes],
            ['false', texts.kinds.no],
          ]}
        />
      );
    case 'number':
      return (
        <TextField
          autoFocus
          type="number"
          label={label}
          onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
        />
      );
    case 'time':
      return (
        <TextField
          autoFocus
          type="datetime-local"
          label={label}
          onChange={({ target }) => onChange(target.value === '' ? undefined : new Date(target.value).toISOString())}
          slotProps={{ inputLabel: { shrink: true } }}
        />
      );
    case 'text':
      return <TextField autoFocus label={label} onChange={({ target }) => onChange(target.value.trim())} />;
  }
}

/** The value as the graph has it: numbers and addresses are entered in any spelling. */
async function wantedOf({ path, entry }: Operator, value: unknown): Promise<unknown> {
  const [field = '', operator] = path.split('.').slice(-2);
  if (entry !== 'text' || typeof value !== 'string' || !WRITTEN_FIELDS.includes(field)) return value;
  return operator === 'containsIgnoreCase' ? (numberIn(value)?.number ?? value) : valueFor(field, value);
}
