import { Alert, Button } from '@mui/material';
import { type ReactNode, useEffect, useState } from 'react';
import {
  HttpError,
  SaveButton,
  SimpleForm,
  type SimpleFormProps,
  Toolbar,
  useGetList,
  useNotify,
  useRecordContext,
  useRedirect,
  useResourceContext,
} from 'react-admin';
import { useFormState } from 'react-hook-form';

import type { ResourceRecord } from '../data/data-provider';
import type { Kind } from '../model/model';
import { texts } from '../texts';
import { SectionedFields } from './sections/form-sections';
import { Value } from './value';

interface ConflictProps {
  readonly kind: Kind;
  readonly fields: ConflictFields | undefined;
}

/** Shows the resources that have the values which a form was refused for. */
function Conflict({ kind, fields }: ConflictProps) {
  const { data } = useGetList<ResourceRecord>(
    kind.collection,
    { filter: conditions(kind, fields ?? {}), pagination: { page: 1, perPage: 5 } },
    { enabled: fields !== undefined },
  );
  const label = kind.fields.find(({ name }) => name === kind.label);
  if (!fields || !data || !label) return null;
  return (
    <Alert severity="warning" sx={{ width: '100%', mb: 2 }}>
      {texts.kinds.conflict(
        data.map((record) => (
          <Value key={record.id} field={{ ...label, sort: 'link' }} value={{ ...record, __typename: kind.name }} />
        )),
      )}
    </Alert>
  );
}

/** The conditions that the values are equal; a list of links has at least one of these. */
function conditions(kind: Kind, fields: ConflictFields): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const link = kind.create.find((input) => input.name === name)?.link;
      return [name, Array.isArray(value) && link ? { [link.by]: { in: value } } : { eq: value }];
    }),
  );
}

/** The values that another resource has already, by field. */
export type ConflictFields = Readonly<Record<string, unknown>>;

/** Shows an error of a form with the data that was sent. */
export type ShowError = (error: unknown, data: object) => void;

/** The values to which the last conflict applies, and what shows an error of a form. */
export function useFormError(): [ConflictFields | undefined, ShowError] {
  const notify = useNotify();
  const [conflict, setConflict] = useState<ConflictFields>();
  return [
    conflict,
    (error, data) => {
      setConflict(conflictIn(error, data));
      // react-admin shows errors of fields at these fields.
      notify(error instanceof Error ? error.message : String(error), { type: 'error' });
    },
  ];
}

/** The values of a form to which a conflict applies; undefined for other errors. */
function conflictIn(error: unknown, data: object): ConflictFields | undefined {
  if (!(error instanceof HttpError)) return undefined;
  const { code, fields } = error.body as { code?: string; fields?: readonly string[] }; // data/forms.ts
  if (code !== 'CONFLICT' || !fields) return undefined;
  return Object.fromEntries(Object.entries(data).filter(([name]) => fields.includes(name)));
}

/** Lines of a form are not longer than can be read well. */
const FORM_STYLE = { maxWidth: '50rem' };

interface KindFormProps extends ConflictProps, Pick<SimpleFormProps, 'record' | 'onSubmit'> {
  readonly isNew: boolean;
  /** Above the inputs. */
  readonly children?: ReactNode;
}

/** The form for a resource. The server checks it. */
export function KindForm({ kind, fields, isNew, children, ...form }: KindFormProps) {
  return (
    <SimpleForm
      {...form}
      toolbar={<SaveBar />}
      sx={FORM_STYLE}
      noValidate
      warnWhenUnsavedChanges
      disableInvalidFormNotification
    >
      {children}
      <Conflict kind={kind} fields={fields} />
      <SectionedFields kind={kind} fields={isNew ? kind.create : kind.update} isNew={isNew} />
    </SimpleForm>
  );
}

/** Saves a form, or leaves it for the page of the resource, or for the list if there is no resource yet. */
function SaveBar() {
  const redirect = useRedirect();
  const resource = useResourceContext();
  const id = useRecordContext()?.id;
  const { isSubmitting, submitCount, errors } = useFormState();
  const isRefused = !isSubmitting && submitCount > 0 && Object.keys(errors).length > 0;
  useEffect(() => {
    // Whoever opens the form of a new resource types its name.
    if (id === undefined) document.querySelector<HTMLElement>('form input')?.focus();
  }, [id]);
  useEffect(() => {
    // A form may be longer than the window, and the fields with errors far above the button.
    if (isRefused) document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
  }, [isRefused, submitCount]);
  return (
    <Toolbar sx={{ gap: 2, position: 'sticky', bottom: 0, zIndex: 1, '&&': { bgcolor: 'background.paper' } }}>
      <SaveButton alwaysEnable={!isSubmitting} />
      <Button onClick={() => redirect(id === undefined ? 'list' : 'show', resource, id)}>{texts.kinds.cancel}</Button>
    </Toolbar>
  );
}
