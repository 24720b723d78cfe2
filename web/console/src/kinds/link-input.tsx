import { Autocomplete, TextField } from '@mui/material';
import { useState } from 'react';
import { InputHelperText, useGetList, useGetMany, useInput, type Validator } from 'react-admin';

import type { ResourceRecord } from '../data/data-provider';
import { textOf } from './value';
import { useDebounced } from '../graph/request';
import type { InputField } from '../model/fields';
import { useKind } from '../model/model';
import { texts } from '../texts';

interface Props {
  readonly source: string;
  readonly label: string;
  readonly helperText: string;
  readonly validate: Validator[];
  readonly link: NonNullable<InputField['link']>;
  readonly isList: boolean;
}

/** Chooses other resources by searching for them. The value is what the input refers to them by. */
export function LinkInput({ source, label, helperText, validate, link, isList }: Props) {
  const kind = useKind(link.kind);
  const { field, fieldState, isRequired, id } = useInput({ source, validate, defaultValue: isList ? [] : null });
  const [typed, setTyped] = useState('');
  const asked = useDebounced(typed);
  const { data: found = [], isPending } = useGetList<ResourceRecord>(kind.collection, {
    filter: { q: asked },
    pagination: { page: 1, perPage: 20 },
    sort: { field: 'id', order: 'ASC' },
  });
  const values = valuesOf(field.value);
  const { data: chosen = [] } = useGetMany<ResourceRecord>(
    kind.collection,
    { ids: [...values] },
    { enabled: link.by === 'ref' && values.length > 0 },
  );
  const known = new Map([...found, ...chosen].flatMap((record) => entry(record, link.by)));
  const nameOf = (value: string): string => {
    const name = known.get(value)?.[kind.label];
    return typeof name === 'string' && name !== value ? texts.parts.named(name, value) : value;
  };
  // Somebody who types fast must not choose what was found for another text.
  const isAsking = asked !== typed || isPending;
  const options = found.map((record) => textOf(record[link.by]));
  const common = {
    id,
    options: isAsking ? [] : [...new Set([...options, ...values])],
    loading: isAsking,
    getOptionLabel: nameOf,
    // The server has searched.
    filterOptions: (all: string[]) => all,
    onInputChange: (_event: unknown, text: string, reason: string) => setTyped(reason === 'input' ? text : ''),
    onBlur: field.onBlur,
    fullWidth: true,
    renderInput: (parameters: object) => (
      <TextField
        {...parameters}
        inputRef={field.ref}
        label={label}
        required={isRequired}
        size="small"
        variant="filled"
        margin="dense"
        error={fieldState.invalid}
        helperText={<InputHelperText error={fieldState.error?.message} helperText={helperText} />}
      />
    ),
  };
  return isList ? (
    <Autocomplete<string, true>
      {...common}
      multiple
      value={[...values]}
      onChange={(_event, next) => field.onChange(next)}
    />
  ) : (
    <Autocomplete<string> {...common} value={values[0] ?? null} onChange={(_event, next) => field.onChange(next)} />
  );
}

function valuesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' && value !== '' ? [value] : [];
}

function entry(record: ResourceRecord | undefined, by: string): [string, ResourceRecord][] {
  return record ? [[textOf(record[by]), record]] : [];
}
