import { Box, Typography } from '@mui/material';
import { NullableBooleanInput, NumberInput, SelectInput, TextArrayInput, TextInput, required } from 'react-admin';

import type { InputField } from '../model/fields';
import { texts } from '../texts';
import { LinkInput } from './link-input';
import { SecretInput } from './secret-input';

interface Props {
  readonly fields: readonly InputField[];
  readonly isNew: boolean;
  /** The group that the fields belong to, such as `geoInfo.`. */
  readonly path?: string;
}

/**
 * The inputs of a form. They check the types of the graph. The server checks the other rules, which the descriptions tell,
 * and its errors are shown at the fields.
 */
export function FormFields({ fields, isNew, path = '' }: Props) {
  return fields.map((field) => <FormField key={field.name} field={field} isNew={isNew} path={path} />);
}

function FormField({
  field,
  isNew,
  path,
}: {
  readonly field: InputField;
  readonly isNew: boolean;
  readonly path: string;
}) {
  const source = path + field.name;
  // A secret that is not entered stays as it is.
  const mustBeGiven = field.isRequired && !field.isList && (isNew || field.sort !== 'secret');
  const common = {
    source,
    label: texts.kinds.heading(field.link?.by === 'ref' ? field.link.field : field.name),
    helperText: field.about,
    validate: [...(mustBeGiven ? [required()] : []), ...(field.sort === 'integer' ? [integer] : [])],
    fullWidth: true,
  };
  if (field.sort === 'group')
    return (
      <Box component="fieldset" sx={{ width: '100%', border: 1, borderColor: 'divider', borderRadius: 1, mb: 2 }}>
        <Typography component="legend" variant="body2">
          {texts.kinds.heading(field.name)}
        </Typography>
        <Typography variant="body2" color="text.secondary" gutterBottom>
          {field.about}
        </Typography>
        <FormFields fields={field.fields} isNew={isNew} path={`${source}.`} />
      </Box>
    );
  if (field.link) return <LinkInput {...common} link={field.link} isList={field.isList} />;
  if (field.isList) return <TextArrayInput {...common} />;
  switch (field.sort) {
    case 'secret':
      return <SecretInput {...common} isNew={isNew} isOptional={!field.isRequired} />;
    case 'integer':
    case 'number':
      return <NumberInput {...common} />;
    case 'boolean':
      return <NullableBooleanInput {...common} />;
    case 'choice':
      return (
        <SelectInput
          {...common}
          choices={field.choices.map(({ name }) => ({ id: name, name: texts.kinds.choice(name) }))}
        />
      );
    case 'link':
    case 'text':
      return <TextInput {...common} />;
  }
}

/** The largest Int of the graph. */
const MAX_INT = 2 ** 31 - 1;

/** Checks an Int of the graph. */
function integer(value: unknown): string | undefined {
  const isValid = typeof value !== 'number' || (Number.isInteger(value) && Math.abs(value) <= MAX_INT);
  return isValid ? undefined : texts.kinds.integer;
}
