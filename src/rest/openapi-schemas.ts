import type { OpenAPIV3_1 } from 'openapi-types';

import { API_VERSION, type Field, type Kind } from '../model/kind';
import { API_VERSIONS } from '../resources/documents/parse';
import type { PayloadShape } from './operation';

type Schema = OpenAPIV3_1.SchemaObject;
type Properties = Record<string, Schema | OpenAPIV3_1.ReferenceObject>;

/** The schema of a kind's document, as a response contains it (`stored`) or as a POST sends it. */
export function documentSchema(kind: Kind, stored: boolean): Schema {
  const apiVersion = stored ? { const: API_VERSION } : { enum: [...API_VERSIONS] };
  const root = object({ apiVersion, kind: { const: kind.name } });
  root.description = kind.about;
  root.required = ['apiVersion', 'kind', 'metadata', 'spec'];
  const metadata = child(root, 'metadata');
  const ref: Schema = {
    type: 'string',
    pattern: '^[A-Za-z0-9_-]{1,24}$',
    description: 'Reference, unique within the kind. Generated if missing.',
  };
  metadata.properties = { ref };
  if (stored) {
    metadata.required = ['ref', 'createdOn', 'modifiedOn'];
    Object.assign(metadata.properties, {
      createdOn: { type: 'string', format: 'date-time', readOnly: true, description: 'When the resource was created.' },
      modifiedOn: {
        type: 'string',
        format: 'date-time',
        readOnly: true,
        description: 'When the resource was last changed.',
      },
    });
  }
  for (const field of kind.fields) addField(root, field, stored);
  return root;
}

/** The schema of a document as a PUT sends it: missing members keep their values, and null clears what is not required. */
export function changesSchema(kind: Kind): Schema {
  const root = optional(documentSchema(kind, false));
  const metadata = child(root, 'metadata');
  metadata.properties = { ...metadata.properties, ref: { type: 'string', description: 'The reference in the path.' } };
  return root;
}

function optional({ required = [], properties = {}, ...rest }: Schema): Schema {
  const members = Object.entries(properties as Record<string, Schema>).map(([key, each]) => {
    const schema = each.properties ? optional(each) : each;
    return [key, required.includes(key) ? schema : { anyOf: [schema, { type: 'null' as const }] }] as const;
  });
  return { ...rest, properties: Object.fromEntries<Schema>(members) };
}

function addField(root: Schema, field: Field, stored: boolean): void {
  const { pathKeys, format, about, deprecated, requiredInGroup, blank = false } = field;
  const required = field.required || (blank && stored);
  let at = root;
  for (const key of pathKeys.slice(0, -1)) {
    const next = child(at, key);
    if (required) markRequired(at, key);
    at = next;
  }
  const last = pathKeys.at(-1) ?? '';
  const schema = format.schema as Schema;
  const described = { description: about, ...(deprecated !== undefined && { deprecated: true }) };
  at.properties = {
    ...at.properties,
    [last]: blank ? { ...described, anyOf: [{ const: '' }, schema] } : { ...schema, ...described },
  };
  if (required || requiredInGroup) markRequired(at, last);
}

function child(parent: Schema, key: string): Schema {
  parent.properties ??= {};
  const made = (parent.properties[key] ?? object({})) as Schema;
  parent.properties[key] = made;
  return made;
}

function markRequired(parent: Schema, key: string): void {
  if (!parent.required?.includes(key)) parent.required = [...(parent.required ?? []), key];
}

function object(properties: Properties): Schema {
  return { type: 'object', properties };
}

/** The schema of an object that always has all of its members. */
function record(properties: Properties): Schema {
  return { ...object(properties), required: Object.keys(properties) };
}

/** The schema of the envelope around the result of an operation. */
export function envelopeSchema(status: number, numericStatus: boolean, shape?: PayloadShape): Schema {
  const payload = { $ref: `#/components/schemas/${shape?.of ?? 'Reference'}` };
  return {
    ...object({
      status: { const: numericStatus ? status : String(status) },
      message: { type: 'string' },
      ...(shape?.list && { meta: { $ref: '#/components/schemas/Meta' } }),
      ...(shape && { [shape.member]: shape.list ? { type: 'array', items: payload } : payload }),
    }),
    required: ['status', 'message', ...(shape?.list ? ['meta'] : []), ...(shape ? [shape.member] : [])],
  };
}

const text = (description: string): Schema => ({ type: 'string', description });
const whole = (description: string): Schema => ({ type: 'integer', description });

/** The schemas other than those of the kinds. */
export const sharedSchemas: Record<string, Schema> = {
  Reference: text('The reference of the resource.'),
  Count: whole('The number of deleted resources or ended registrations.'),
  Token: text('A token (JWT).'),
  Status: text('The status of the server, `up`.'),
  Logs: text('An empty text.'),
  Meta: record({
    currentPage: whole('Number of the page; the first page is 1.'),
    totalPages: whole('Number of pages; 0 if there are no elements.'),
    itemsPerPage: whole('Maximum number of elements of a page.'),
    totalItems: whole('Number of elements on all pages.'),
  }),
  Location: record({
    addressOfRecord: text('The address of record, as a SIP URI.'),
    contactInfo: text('The contact URI with its transport, nat and expires, then [...] if there are more contacts.'),
  }),
  Registry: record({
    username: text('User name at the provider.'),
    host: text("The provider's host."),
    ip: text("The provider's IP address."),
    expires: whole('Lifetime of the registration in seconds, as the provider granted it.'),
    registeredOn: whole('When the gateway registered, in milliseconds since the epoch.'),
    gwRef: text('Reference of the Gateway.'),
    gwURI: text('SIP URI of the registration, with the port.'),
    regOnFormatted: text('When the gateway registered, in words, such as "a few seconds ago".'),
  }),
  SystemConfig: {
    ...object({
      apiVersion: text('Version of the API.'),
      kind: text('The kind, `Config`.'),
      metadata: object({}),
      spec: object({ dataSource: object({ provider: text('Name of the database product.') }) }),
    }),
    required: ['apiVersion', 'kind', 'spec'],
  },
  SystemInfo: record({
    version: text('Version of the server.'),
    apiVersion: text('Version of the API.'),
    apiPath: text('Prefix of the paths of the API.'),
    env: {
      type: 'array',
      items: object({ var: text('Name of the variable.'), value: text('Value of the variable.') }),
    },
  }),
  Error: errorSchema(
    text('The HTTP status. If a referenced resource does not exist, "4091" with the HTTP status 409.'),
  ),
  NumericError: errorSchema(whole('The HTTP status, or 4091.')),
};

function errorSchema(status: Schema): Schema {
  const data: Schema = { type: 'array', items: { type: 'string' }, description: 'The errors, if the status is 400.' };
  return { ...object({ status, message: text('Description of the error.'), data }), required: ['status', 'message'] };
}
