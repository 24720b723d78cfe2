import { Box, Button, Paper, TextField } from '@mui/material';
import { useEffect, useRef, useState } from 'react';

import { useModel } from '../model/model';
import type { Schema } from '../model/schema';
import { Choice } from '../parts/choice';
import { localOf, utcOf } from '../parts/local-time';
import { texts } from '../texts';
import { words } from './texts';

/** The conditions on entries, by their names in the address. */
export const CONDITIONS = ['kind', 'ref', 'user', 'way', 'event', 'request', 'from', 'to'] as const;

export type Conditions = Readonly<Partial<Record<(typeof CONDITIONS)[number], string>>>;

interface Props {
  /** The kinds that can be chosen. */
  readonly kinds: readonly string[];
  readonly conditions: Conditions;
  readonly onChange: (conditions: Conditions) => void;
}

/** Inputs for the conditions, folded while there are none. A text counts when its input is left, or with Enter. */
export function Filters({ kinds, conditions, onChange }: Props) {
  const { schema } = useModel();
  const hasConditions = Object.keys(conditions).length > 0;
  const [isOpen, setOpen] = useState(hasConditions);
  const set = (name: keyof Conditions, value: string): void => {
    if (value !== (conditions[name] ?? '')) onChange({ ...conditions, [name]: value === '' ? undefined : value });
  };
  const choice = (name: 'kind' | 'way' | 'event', values: readonly string[], textOf = texts.kinds.choice) => (
    <Choice
      size="small"
      label={words[name]}
      value={conditions[name] ?? ''}
      onChange={({ target }) => set(name, target.value)}
      options={[['', words.any], ...values.map((value) => [value, textOf(value)] as const)]}
    />
  );
  const input = (name: 'ref' | 'user' | 'request') => (
    <Entered label={words[name]} value={conditions[name] ?? ''} onChange={(value) => set(name, value)} />
  );
  const time = (name: 'from' | 'to') => (
    <Entered
      type="datetime-local"
      label={words[name]}
      value={localTime(conditions[name])}
      onChange={(value) => set(name, utcOf(value) ?? '')}
    />
  );
  if (!isOpen)
    return (
      <div>
        <Button size="small" aria-expanded={false} onClick={() => setOpen(true)}>
          {words.filters}
        </Button>
      </div>
    );
  return (
    <Paper component="section" aria-label={words.filters} sx={{ p: 2 }}>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(11rem, 1fr))' }}>
        {choice('kind', kinds)}
        {input('ref')}
        {input('user')}
        {choice('way', valuesOf(schema, 'HistoryWay'), words.wayOf)}
        {choice('event', valuesOf(schema, 'HistoryEvent'))}
        {input('request')}
        {time('from')}
        {time('to')}
        <Button onClick={() => onChange({})}>{words.clear}</Button>
      </Box>
    </Paper>
  );
}

/** The values of an enum of the graph. */
export function valuesOf(schema: Schema, name: string): readonly string[] {
  return (schema.get(name)?.enumValues ?? []).map((value) => value.name);
}

interface EnteredProps {
  readonly label: string;
  readonly value: string;
  readonly type?: string;
  readonly onChange: (value: string) => void;
}

function Entered({ label, value, type = 'text', onChange }: EnteredProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A condition changed by a link replaces the text.
    if (input.current) input.current.value = value;
  }, [value]);
  const leave = (entered: string): void => {
    if (entered !== value) onChange(entered);
  };
  return (
    <TextField
      inputRef={input}
      size="small"
      type={type}
      label={label}
      defaultValue={value}
      onBlur={({ target }) => leave(target.value.trim())}
      onKeyDown={({ key, target }) => {
        if (key === 'Enter' && target instanceof HTMLInputElement) leave(target.value.trim());
      }}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}

/** A time of the address in the user's time zone, as an input has it. */
function localTime(text: string | undefined): string {
  const utc = utcOf(text);
  return utc === undefined ? '' : localOf(new Date(utc)).slice(0, 16);
}
