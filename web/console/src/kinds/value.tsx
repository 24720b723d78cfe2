import { Chip, Stack, Typography } from '@mui/material';
import { Fragment, type ReactNode } from 'react';

import type { Field } from '../model/fields';
import { kindOf, type Model, useModel } from '../model/model';
import { ResourceLink } from '../parts/links';
import { Telephone } from '../parts/telephone';
import { Time } from '../parts/time';
import { texts } from '../texts';

type Values = Readonly<Record<string, unknown>>;

/** Shows the value of a field of a resource, links as links. */
export function Value({ field, value }: { readonly field: Field; readonly value: unknown }) {
  const model = useModel();
  if (Array.isArray(value)) {
    if (value.length === 0) return texts.kinds.none;
    if (field.sort === 'text' || field.sort === 'number') return value.map(textOf).join(', ');
    const isInline = field.sort !== 'live';
    return (
      <Stack direction={isInline ? 'row' : 'column'} useFlexGap spacing={1} sx={{ flexWrap: 'wrap' }}>
        {value.map((each, index) => (
          <Fragment key={index}>{shown(model, field, each)}</Fragment>
        ))}
      </Stack>
    );
  }
  return shown(model, field, value);
}

function shown(model: Model, field: Field, value: unknown): ReactNode {
  if (value === null || value === undefined || value === '') return texts.parts.noValue;
  switch (field.sort) {
    case 'link':
      return <Linked model={model} value={value as Values} />; // selected by data/queries.ts
    case 'group':
    case 'live':
      return <Group field={field} value={value as Values} />; // selected by data/queries.ts
    case 'time':
      return <Time value={value as string} />; // a DateTimeISO is sent as a text
    case 'boolean':
      return value === true ? texts.kinds.yes : texts.kinds.no;
    case 'choice':
      return <Chip size="small" label={texts.kinds.choice(textOf(value))} />;
    case 'text':
      return <Label field={field.name} value={textOf(value)} />;
    case 'number':
      return textOf(value);
  }
}

function Linked({ model, value }: { readonly model: Model; readonly value: Values }) {
  const { name, label } = kindOf(model, String(value['__typename']));
  const ref = String(value['ref']);
  return (
    <ResourceLink kind={name} of={ref}>
      <Label field={label} value={textOf(value[label] ?? ref)} />
    </ResourceLink>
  );
}

/** What names a resource to people. */
export function Label({ field, value }: { readonly field: string; readonly value: string }) {
  return field === 'telUrl' ? <Telephone telUrl={value} /> : value;
}

function Group({ field, value }: { readonly field: Field; readonly value: Values }) {
  const given = field.fields.filter(({ name }) => value[name] !== null && value[name] !== undefined);
  return (
    <Stack direction="row" useFlexGap spacing={2} sx={{ flexWrap: 'wrap' }}>
      {given.map((inner) => (
        <span key={inner.name}>
          <Typography component="span" variant="body2" color="text.secondary">
            {texts.kinds.label(inner.name)}
          </Typography>
          <Value field={inner} value={value[inner.name]} />
        </span>
      ))}
    </Stack>
  );
}

/** Returns a scalar of the graph as a text; an empty one for null. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
