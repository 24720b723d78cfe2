import type { IssuedToken } from '../auth/token-service';
import type { JsonSchema } from '../model/format/format';
import type { Kind } from '../model/kind';
import type { Session } from '../session/session';
import type { Payload } from './envelope';
import type { Query } from './query-parameters';

/** The parts of a request that an operation receives. */
export interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: unknown;
  /** The header Idempotency-Key. */
  readonly idempotencyKey: string | undefined;
}

/** A query parameter or a header, for the documentation. */
export interface Parameter {
  readonly in?: 'query' | 'header';
  readonly name: string;
  readonly about: string;
  readonly schema: Partial<JsonSchema>;
}

/** The content of a response, by the name of its schema in the documentation. */
export interface PayloadShape {
  readonly member: 'data' | 'result';
  /** A kind's name, or one of `sharedSchemas`. */
  readonly of: string;
  readonly list?: boolean;
}

interface Declaration {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below /api/v1beta1, with parameters such as `:ref`. */
  readonly path: string;
  readonly summary: string;
  /** Whether `status` is a number in the body, or a string (docs/rest-contract.md, section 2.1). */
  readonly numericStatus: boolean;
  readonly parameters?: readonly Parameter[];
  readonly body?: Kind;
  readonly answer?: PayloadShape & { readonly status?: 201 };
  /** The statuses of failures, except 400, 401, 500 and 503. */
  readonly failures?: readonly number[];
}

/** An operation of the legacy API, from which its route and its documentation are generated. */
export type Operation = Declaration &
  (
    | { readonly access: 'token'; handle(call: Call, session: Session): Promise<Payload> | Payload }
    | { readonly access: 'basic'; readonly bare?: true; handle(token: IssuedToken): Payload }
    | { readonly access: 'open'; handle(): Payload }
  );

/** The parameters of a list (docs/rest-contract.md, section 4.1). */
export function pageParameters(max: number): readonly Parameter[] {
  return [
    { name: 'page', about: 'Number of the page. The first page is 1.', schema: { type: 'integer', minimum: 1 } },
    {
      name: 'itemsPerPage',
      about: 'Maximum number of elements of a page.',
      schema: { type: 'integer', minimum: 1, maximum: max },
    },
  ];
}

/** The filter of a list (docs/rest-contract.md, section 4.1). */
export const FILTER: Parameter = {
  name: 'filter',
  about: 'Return only elements that match this JsonPath predicate.',
  schema: { type: 'string' },
};
