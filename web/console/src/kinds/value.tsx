import { Stack, Typography } from '@mui/material';
import { Fragment, type ReactNode } from 'react';

import { type Field, lower } from '../model/fields';
import { type Kind, kindOf, type Model, useModel } from '../model/model';
import { NamedLink, ResourceLink } from '../parts/links';
import { Telephone } from '../parts/telephone';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { CALL_LIMITS } from './state';

type Values = Readonly<Record<string, unknown>>;
type Calls = Parameters<typeof texts.kinds.calls>[0]; // of the type CallLimits

/** Shows the value of a field of a resource, links as links. */
export function Value({ field, value }: { readonly field: Field; readonly value: unknown }) {
  const model = useModel();
  if (Array.isArray(value)) {
    if (value.length === 0) return texts.kinds.none;
    if (field.sort !== 'live' && field.sort !== 'group')
      return value.map((each, index) => (
        <Fragment key={index}>
          {index > 0 && texts.parts.comma}
          {shown(model, field, each)}
        </Fragment>
      ));
    return (
      <Stack spacing={1}>
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
      if (field.type === CALL_LIMITS) return texts.kinds.calls(value as Calls);
      return <Group field={field} value={value as Values} />; // selected by data/queries.ts
    case 'time':
      return <Time value={value as string} />; // a DateTimeISO is sent as a text
    case 'boolean':
      return value === true ? texts.kinds.yes : texts.kinds.no;
    case 'choice':
      return texts.kinds.choice(textOf(value));
    case 'text': {
      const linked = kindOfRef(model, field.name);
      if (linked) return <NamedLink kind={linked.name} of={textOf(value)} />;
      return <Label field={field.name} value={textOf(value)} />;
    }
    case 'number':
      return textOf(value);
  }
}

/** The kind whose reference a field of a group is, such as `numberRef`. */
export function kindOfRef({ kinds }: Model, field: string): Kind | undefined {
  return kinds.find(({ name }) => field === `${lower(name)}Ref`);
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
  return field === 'telUrl' || field === 'lastTelUrl' ? <Telephone telUrl={value} /> : value;
}

/** What names a resource on its page and in its list: a range of numbers, by its first and last number. */
export function RecordLabel({ kind: { label }, record }: { readonly kind: Kind; readonly record: Values }) {
  const first = <Label field={label} value={textOf(record[label] ?? record['ref'])} />;
  const { lastTelUrl: last } = record;
  return typeof last === 'string' ? texts.kinds.range(first, <Label field="lastTelUrl" value={last} />) : first;
}

function Group({ field, value }: { readonly field: Field; readonly value: Values }) {
  const model = useModel();
  const given = field.fields.filter(({ name }) => value[name] !== null && value[name] !== undefined);
  return (
    <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', columnGap: 2 }}>
      {given.map((inner) => (
        <Typography key={inner.name} component="span" variant="body2">
          <Typography component="span" variant="body2" sx={{ color: 'text.secondary' }}>
            {texts.kinds.label(kindOfRef(model, inner.name)?.name ?? inner.name)}
          </Typography>
          <Value field={inner} value={value[inner.name]} />
        </Typography>
      ))}
    </Stack>
  );
}

/** What the value of a field says, for where there is no room for all of it. */
export function plainText(model: Model, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => plainText(model, each)).join(texts.parts.comma);
  if (typeof value !== 'object' || value === null) return textOf(value);
  const { __typename: type, ref, ...others } = value as Values; // a link, selected by data/queries.ts
  return typeof type === 'string' ? textOf(others[kindOf(model, type).label] ?? ref) : '';
}

/** Returns a scalar of the graph as a text; an empty one for null. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
