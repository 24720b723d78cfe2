import { Box, Button, Paper, TextField } from '@mui/material';
import { useEffect, useRef } from 'react';

import { useSession } from '../graph/session';
import { useModel } from '../model/model';
import type { Schema } from '../model/schema';
import { Choice } from '../parts/choice';
import { texts } from '../texts';

/** The conditions on entries, by their names in the address. */
export const CONDITIONS = ['kind', 'ref', 'user', 'way', 'event', 'request', 'from', 'to'] as const;

export type Conditions = Readonly<Partial<Record<(typeof CONDITIONS)[number], string>>>;

interface Props {
  readonly conditions: Conditions;
  readonly onChange: (conditions: Conditions) => void;
}

/** Inputs for the conditions. A text counts when its input is left, or with Enter. */
export function Filters({ conditions, onChange }: Props) {
  const { schema, kinds } = useModel();
  const isAdmin = useSession()?.role === 'ADMIN';
  const visible = valuesOf(schema, 'HistoryKind').filter((name) => isAdmin || kinds.some((kind) => kind.name === name));
  const set = (name: keyof Conditions, value: string): void => {
    if (value !== (conditions[name] ?? '')) onChange({ ...conditions, [name]: value === '' ? undefined : value });
  };
  const choice = (name: 'kind' | 'way' | 'event', values: readonly string[]) => (
    <Choice
      size="small"
      label={texts.history[name]}
      value={conditions[name] ?? ''}
      onChange={({ target }) => set(name, target.value)}
      options={[['', texts.history.any], ...values.map((value) => [value, texts.kinds.choice(value)] as const)]}
    />
  );
  const input = (name: 'ref' | 'user' | 'request') => (
    <Entered label={texts.history[name]} value={conditions[name] ?? ''} onChange={(value) => set(name, value)} />
  );
  const time = (name: 'from' | 'to') => (
    <Entered
      type="datetime-local"
      label={texts.history[name]}
      value={localTime(conditions[name])}
      onChange={(value) => set(name, utcOf(value) ?? '')}
    />
  );
  return (
    <Paper component="section" aria-label={texts.history.filters} sx={{ p: 2 }}>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(11rem, 1fr))' }}>
        {choice('kind', visible)}
        {input('ref')}
        {input('user')}
        {choice('way', valuesOf(schema, 'HistoryWay'))}
        {choice('event', valuesOf(schema, 'HistoryEvent'))}
        {input('request')}
        {time('from')}
        {time('to')}
        <Button onClick={() => onChange({})}>{texts.history.clear}</Button>
      </Box>
    </Paper>
  );
}

function valuesOf(schema: Schema, name: string): readonly string[] {
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

/** A time in UTC, as it is in the address: users in other time zones see the same. Undefined if the text is none. */
export function utcOf(text: string | undefined): string | undefined {
  const at = new Date(text ?? '');
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** A time of the address in the user's time zone, as an input has it. */
function localTime(text: string | undefined): string {
  const utc = utcOf(text);
  if (utc === undefined) return '';
  const at = new Date(utc);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
