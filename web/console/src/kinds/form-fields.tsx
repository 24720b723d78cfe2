import { Autocomplete, Button, Stack, TextField, Typography } from '@mui/material';
import { useState, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react';
import {
  ArrayInput,
  InputHelperText,
  NullableBooleanInput,
  type NullableBooleanInputProps,
  NumberInput,
  required,
  SelectInput,
  SimpleFormIterator,
  TextArrayInput,
  TextInput,
  type TextInputProps,
  useGetList,
  useGetMany,
  useInput,
  type Validator,
} from 'react-admin';
import { useFormContext } from 'react-hook-form';

import { addressOf } from '../../../../src/spelling/written';
import type { ResourceRecord } from '../data/data-provider';
import { useDebounced } from '../graph/request';
import { valueFor } from '../graph/spelling';
import { isTrueByDefault, MAY_BE_EMPTY, type InputField } from '../model/fields';
import { useKind } from '../model/model';
import { CopyButton } from '../parts/dialogs';
import { FieldGroup } from '../parts/field-group';
import { randomSecret } from '../parts/secret';
import { TargetField } from '../parts/target-field';
import { texts } from '../texts';
import { TargetsInput } from './targets-input';
import { textOf } from './value';

interface FormFieldsProps {
  readonly fields: readonly InputField[];
  readonly isNew: boolean;
  /** The group that the fields belong to, such as `geoInfo.`. */
  readonly path?: string;
}

/**
 * The inputs of a form. They check the types of the graph. The server checks the other rules, which the descriptions tell,
 * and its errors are shown at the fields.
 */
export function FormFields({ fields, isNew, path = '' }: FormFieldsProps) {
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
  const mayStayEmpty = field.isList || MAY_BE_EMPTY.includes(field.name) || (!isNew && field.sort === 'secret');
  const mustBeGiven = field.isRequired && !mayStayEmpty;
  const name = field.link?.by === 'ref' ? field.link.field : field.name;
  const missing = field.link || field.sort === 'choice' ? texts.kinds.choose(name) : texts.kinds.enter(name);
  const common = {
    source,
    // As an element, it gets its mark from `required`, which screen readers are told, too.
    label: <>{texts.kinds.heading(name)}</>,
    required: mustBeGiven,
    helperText: texts.kinds.written[field.name]?.hint ?? field.about,
    validate: [...(mustBeGiven ? [required(missing)] : []), ...(field.sort === 'integer' ? [integer] : [])],
    fullWidth: true,
  };
  if (field.sort === 'group' && field.isList)
    return (
      <ArrayInput source={source} label={common.label} helperText={common.helperText} fullWidth>
        <SimpleFormIterator inline>
          <FormFields fields={field.fields} isNew={isNew} />
        </SimpleFormIterator>
      </ArrayInput>
    );
  if (field.sort === 'group')
    return (
      <FieldGroup label={texts.kinds.heading(field.name)}>
        <Typography variant="body2" color="text.secondary" gutterBottom>
          {field.about}
        </Typography>
        <FormFields fields={field.fields} isNew={isNew} path={`${source}.`} />
      </FieldGroup>
    );
  if (field.link) return <LinkInput {...common} link={field.link} isList={field.isList} isNew={isNew} />;
  if (field.name === 'furtherTargets') return <TargetsInput {...common} />;
  if (field.isList) return <TextArrayInput {...common} />;
  switch (field.sort) {
    case 'secret':
      return <SecretInput {...common} isNew={isNew} isOptional={!field.isRequired} />;
    case 'integer':
    case 'number':
      return <NumberInput {...common} />;
    case 'boolean':
      return <NullableBooleanInput {...common} {...whatUnsetMeans(field)} />;
    case 'choice':
      return (
        <SelectInput
          {...common}
          // The transport of SIP unless something else is agreed upon.
          {...(isNew && mustBeGiven && field.name === 'transport' && { defaultValue: 'UDP' })}
          choices={field.choices.map(({ name }) => ({ id: name, name: texts.kinds.choice(name) }))}
        />
      );
    case 'link':
    case 'text':
      if (field.name === 'telUrl' || field.name === 'lastTelUrl') return <TelephoneInput {...common} />;
      return field.name === 'aorLink' ? <TargetInput {...common} /> : <TextInput {...common} />;
  }
}

/** What a boolean without a value means, as the page of the resource says it. The form shows it if that is yes. */
function whatUnsetMeans(field: InputField): Partial<NullableBooleanInputProps> {
  if (!isTrueByDefault(field)) return { nullLabel: texts.kinds.unset };
  return {
    nullLabel: texts.kinds.yesByDefault,
    slotProps: { select: { displayEmpty: true }, inputLabel: { shrink: true } },
  };
}

/** The largest Int of the graph. */
const MAX_INT = 2 ** 31 - 1;

/** Checks an Int of the graph. */
function integer(value: unknown): string | undefined {
  const isValid = typeof value !== 'number' || (Number.isInteger(value) && Math.abs(value) <= MAX_INT);
  return isValid ? undefined : texts.kinds.integer;
}

/** A telephone number in any spelling. When the field is left, it shows the tel URI that is saved. */
function TelephoneInput(props: TextInputProps) {
  const { getValues, setValue } = useFormContext();
  const rewrite = async (entered: string): Promise<void> => {
    const value = await valueFor('telUrl', entered).catch(() => entered);
    // Whoever types again while the rules are loaded means the new text.
    if (value !== entered && getValues(props.source) === entered) setValue(props.source, value, { shouldDirty: true });
  };
  return <TextInput {...props} onBlur={({ target }: FocusEvent<HTMLInputElement>) => void rewrite(target.value)} />;
}

/** Where calls to a number go: an agent or peer that is searched for, or an address of record in any spelling. */
function TargetInput({ source, label, helperText, validate }: TextInputProps) {
  const { field, fieldState, isRequired, id } = useInput<string>({ source, validate });
  const value = String(field.value);
  return (
    <TargetField
      id={id}
      value={value}
      onChange={field.onChange}
      onBlur={() => {
        if (addressOf(value) !== value) field.onChange(addressOf(value));
        field.onBlur();
      }}
      inputRef={field.ref}
      label={label}
      required={isRequired}
      margin="dense"
      error={fieldState.invalid}
      helperText={<InputHelperText error={fieldState.error?.message} helperText={helperText} />}
    />
  );
}

type SecretInputProps = TextInputProps & {
  readonly isNew: boolean;
  /** Whether it can be removed. */
  readonly isOptional: boolean;
  readonly helperText: string;
};

/** A secret: it can be set, made up and copied while the form is open. It is never read from the server. */
function SecretInput({ isNew, isOptional, helperText, ...props }: SecretInputProps) {
  const [isShown, setShown] = useState(false);
  // As it is: null removes the secret, an empty text does not.
  const { field } = useInput({ ...props, format: (given: unknown) => given });
  const value = typeof field.value === 'string' ? field.value : '';
  const makeUp = (): void => {
    field.onChange(randomSecret());
    setShown(true);
  };
  const kept = field.value === null ? texts.kinds.secretRemoved : texts.kinds.secretKept;
  const hint = value !== '' ? texts.kinds.secretOnce : isNew ? '' : kept;
  return (
    <Stack direction="row" useFlexGap spacing={1} sx={{ width: '100%', flexWrap: 'wrap', alignItems: 'flex-start' }}>
      <TextInput
        {...props}
        parse={(text: string) => text}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        helperText={texts.kinds.secretHint(helperText, hint)}
        sx={{ flex: '1 1 14rem', width: 'auto' }}
      />
      <Stack direction="row" sx={{ pt: 1.5 }}>
        <Button onClick={makeUp}>{texts.kinds.makeUp}</Button>
        <Button onClick={() => setShown(!isShown)}>{isShown ? texts.kinds.hide : texts.kinds.show}</Button>
        {isOptional && !isNew && <Button onClick={() => field.onChange(null)}>{texts.kinds.remove}</Button>}
        <CopyButton value={value} />
      </Stack>
    </Stack>
  );
}

interface LinkInputProps {
  readonly source: string;
  readonly label: ReactNode;
  readonly helperText: string;
  readonly validate: Validator[];
  readonly required: boolean;
  readonly link: NonNullable<InputField['link']>;
  readonly isList: boolean;
  readonly isNew: boolean;
}

/**
 * Chooses other resources by searching for them. The value is what the input refers to them by. If a new resource needs one,
 * and there is only one, it is chosen.
 */
function LinkInput({ source, label, helperText, validate, required, link, isList, isNew }: LinkInputProps) {
  const kind = useKind(link.kind);
  const [typed, setTyped] = useState('');
  const asked = useDebounced(typed);
  const { data: found = [], isPending } = useGetList<ResourceRecord>(kind.collection, {
    filter: { q: asked },
    pagination: { page: 1, perPage: 20 },
    sort: { field: 'id', order: 'ASC' },
  });
  // Somebody who types fast must not choose what was found for another text.
  const isAsking = asked !== typed || isPending;
  const options = found.map((record) => textOf(record[link.by]));
  const hasOne = isNew && required && asked === '' && !isAsking && options.length === 1;
  const defaultValue = isList ? [] : hasOne ? options[0] : null;
  const { field, fieldState, isRequired, id } = useInput({ source, validate, defaultValue });
  const values = valuesOf(field.value);
  const { data: chosen = [], isFetching: isReading } = useGetMany<ResourceRecord>(
    kind.collection,
    { ids: [...values] },
    { enabled: link.by === 'ref' && values.length > 0 },
  );
  const known = new Map([...found, ...chosen].flatMap((record) => entry(record, link.by)));
  const nameOf = (value: string): string => {
    const record = known.get(value);
    const name = record?.[kind.label];
    if (typeof name !== 'string') return isReading ? texts.parts.unread : value;
    if (name === value) return value;
    if (link.by !== 'ref') return texts.parts.named(name, value);
    // Only what has a namesake needs its reference, too.
    const hasNamesake = [...known.values()].some((each) => each.ref !== value && each[kind.label] === name);
    return hasNamesake ? texts.parts.named(name, value) : name.replace(/^tel:/, '');
  };
  const common = {
    id,
    options: isAsking ? [] : [...new Set([...options, ...values])],
    loading: isAsking,
    autoHighlight: true,
    onKeyDown: (event: KeyboardEvent) => {
      // The form is not sent while what was typed is searched for.
      if (event.key === 'Enter' && isAsking) event.preventDefault();
    },
    getOptionLabel: nameOf,
    getOptionKey: (value: string) => value,
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
