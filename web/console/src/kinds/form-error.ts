import { useState } from 'react';
import { HttpError, useNotify } from 'react-admin';

/** The values that another resource has already, by field. */
export type ConflictFields = Readonly<Record<string, unknown>>;

/** The values to which the last conflict applies, and what shows an error of a form with the data that was sent. */
export function useFormError(): [ConflictFields | undefined, (error: unknown, data: object) => void] {
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
  const { code, fields } = error.body as { code?: string; fields?: readonly string[] }; // form-errors.ts
  if (code !== 'CONFLICT' || !fields) return undefined;
  return Object.fromEntries(Object.entries(data).filter(([name]) => fields.includes(name)));
}
