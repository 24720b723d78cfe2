import { HttpError } from 'react-admin';

import { GraphError } from '../graph/graph-error';

/** Turns an error of the graph into one that react-admin shows at the fields of a form. */
export function formError(error: unknown): unknown {
  if (!(error instanceof GraphError)) return error;
  const status = error.code === 'NOT_FOUND' ? 404 : error.code === 'CONFLICT' ? 409 : 400;
  return new HttpError(error.message, status, { code: error.code, fields: error.fields, errors: errorsAt(error) });
}

/** The messages of an error for the fields of a form, as react-admin shows them; undefined if it is about no field. */
export function errorsAt(error: unknown): object | undefined {
  if (!(error instanceof GraphError) || error.fields.length === 0) return undefined;
  return nested(Object.fromEntries(error.fields.map((field) => [field, error.at(field)])));
}

/** `geoInfo.city` is an error within those of `geoInfo`. */
function nested(flat: Readonly<Record<string, string>>): object {
  const all: Record<string, unknown> = {};
  for (const [field, message] of Object.entries(flat)) {
    const [name = '', inner] = field.split('.');
    all[name] = inner === undefined ? message : { ...(all[name] as object | undefined), [inner]: message };
  }
  return all;
}
