import type { OpenAPIV3_1 } from 'openapi-types';

import type { Kind } from '../model/kind';
import { API_PATH } from '../monitoring/system-info';
import { exampleOf } from './openapi-examples';
import { changesSchema, documentSchema, envelopeSchema, sharedSchemas } from './openapi-schemas';
import type { Operation } from './operation';
import { operations } from './operations';
import type { RestOptions } from './options';
import { failureStatus, type Profile } from './profile';

type Schema = OpenAPIV3_1.SchemaObject;

/** Generates the OpenAPI 3.1 document of the legacy API from its operations. */
export function openApiDocument(options: RestOptions, version: string): OpenAPIV3_1.Document {
  const paths: Record<string, OpenAPIV3_1.PathItemObject> = {};
  for (const operation of operations(options)) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationObject(operation, options.profile) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'sipgraph REST API',
      version,
      description: 'The management API of a SIP server, for legacy clients of /api/v1beta1.',
    },
    // Relative to the URL of the document, because a proxy may add a path prefix.
    servers: [{ url: `.${API_PATH}` }],
    security: [{ token: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: {
        ...Object.fromEntries(
          options.kinds.flatMap((kind) => [
            [kind.name, documentSchema(kind, true)],
            [`New${kind.name}`, documentSchema(kind, false)],
            [`Changed${kind.name}`, changesSchema(kind)],
          ]),
        ),
        ...sharedSchemas,
      },
      securitySchemes: {
        token: { type: 'apiKey', in: 'query', name: 'token', description: 'A token in the query, for legacy clients.' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        basic: { type: 'http', scheme: 'basic', description: 'Name and secret of a user.' },
      },
    },
  };
}

function operationObject(operation: Operation, profile: Profile): OpenAPIV3_1.OperationObject {
  const { id, method, summary, parameters = [], path, body, access } = operation;
  return {
    operationId: id,
    summary,
    tags: [path.split('/')[1] ?? ''],
    ...(access === 'basic' && { security: [{ basic: [] }] }),
    ...(access === 'open' && { security: [] }),
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']): OpenAPIV3_1.ParameterObject => ({
        name,
        in: 'path',
        required: true,
        description: name === 'ref' ? 'Reference of the resource.' : 'SIP URI.',
        schema: { type: 'string' },
      })),
      ...parameters.map(({ name, about, schema, in: place = 'query' }): OpenAPIV3_1.ParameterObject => ({
        name,
        in: place,
        description: about,
        schema: schema as Schema as OpenAPIV3_1.ParameterObject['schema'] & object,
      })),
    ],
    ...(body && { requestBody: method === 'PUT' ? changesBody(body) : documentBody(body) }),
    responses: {
      ...successResponse(operation),
      ...Object.fromEntries(
        failuresOf(operation, profile).map((status) => [
          String(status),
          failureResponse(status, operation.numericStatus),
        ]),
      ),
    },
  };
}

/** The HTTP statuses of an operation's failures in a profile. */
function failuresOf(operation: Operation, profile: Profile): readonly number[] {
  const { access, body, failures = [] } = operation;
  const bare = access === 'basic' && operation.bare === true;
  const statuses = [...(access === 'open' ? [] : [400, 401]), ...failures, 500, 503];
  const refusal = profile === 'routr1' && body ? [422] : [];
  return [...new Set([...statuses.map((status) => failureStatus(status, { profile, bare })), ...refusal])];
}

function documentBody(kind: Kind): OpenAPIV3_1.RequestBodyObject {
  return requestBody('The resource as JSON', `New${kind.name}`, exampleOf(kind.name));
}

function changesBody(kind: Kind): OpenAPIV3_1.RequestBodyObject {
  const example = { metadata: { note: 'Checked in May' } };
  return requestBody('The members of the resource to change, as JSON', `Changed${kind.name}`, example);
}

function requestBody(what: string, schema: string, example?: object): OpenAPIV3_1.RequestBodyObject {
  return {
    required: true,
    description: `${what}, regardless of the Content-Type.`,
    content: {
      'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, ...(example && { example }) },
    },
  };
}

function successResponse({ answer, numericStatus, ...operation }: Operation): OpenAPIV3_1.ResponsesObject {
  if (operation.access === 'basic' && operation.bare) {
    return { '200': { description: 'The token.', content: { 'text/plain': { schema: { type: 'string' } } } } };
  }
  const status = answer?.status ?? 200;
  const description = status === 201 ? 'Created' : 'Successful request';
  return {
    [String(status)]: {
      description,
      content: { 'application/json': { schema: envelopeSchema(status, numericStatus, answer) } },
    },
  };
}

const FAILURES: Readonly<Record<number, string>> = {
  400: 'Bad request; `data` lists the errors',
  401: 'You are unauthorized to make this request.',
  403: 'You are not allowed to make this request.',
  404: 'Not found',
  405: 'Operation not supported by data source the service',
  409: 'The resource already exists (status 409), or a referenced resource does not exist (status 4091)',
  422: 'The document is invalid; `message` contains the reasons. Or the `Idempotency-Key` was used for another request',
  429: 'Too many requests',
  500: 'Internal server error',
  503: 'Service unavailable',
};

function failureResponse(status: number, numericStatus: boolean): OpenAPIV3_1.ResponseObject {
  return {
    description: FAILURES[status] ?? '',
    content: {
      'application/json': { schema: { $ref: `#/components/schemas/${numericStatus ? 'NumericError' : 'Error'}` } },
    },
  };
}
