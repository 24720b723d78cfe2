import {
  GraphQLError,
  createSourceEventStream,
  execute,
  specifiedRules,
  validate,
  visit,
  type ASTNode,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { LRUCache } from 'lru-cache';

import type { Change } from '../../changes/change';
import type { Context } from '../context';
import { parseAtCost } from './document-work';
import type { DocumentExecutor } from './executor';
import { MAX_PARSED, MAX_REMEMBERED, lengthOf, parseFailure, refusalOf, rootDirectivesIn, rulesFor } from './limits';
import { presentError, withoutSuggestions, withoutValues } from './present-error';

/** An operation as it came over a socket or for an event stream. */
export interface Request {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** An operation that may be run. */
export type Prepared = ExecutionArgs & { readonly contextValue: Context };

// For as long as it takes to tell all who wait for an event; who comes later is told what there is then.
const SHARED = { max: 200, ttl: 1000, ttlAutopurge: true };

/** Runs operations that Apollo does not see: those over WebSockets and event streams, subscriptions among them. */
export class OperationRunner {
  /** A document that a thousand clients send is one document: its look-ahead and its results are shared. */
  private readonly documents = new LRUCache<string, DocumentNode>({ maxSize: MAX_PARSED, sizeCalculation: lengthOf });
  /** What an event looks like to those who ask for the same of it: worked out once for all of them. */
  private readonly results = new LRUCache<string, Promise<ExecutionResult>>(SHARED);

  private readonly events: ReadonlySet<string>;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly executor: DocumentExecutor,
    private readonly discovery: boolean,
  ) {
    this.events = new Set(Object.keys(schema.getSubscriptionType()?.getFields() ?? {}));
  }

  /** Parses and checks an operation, within the limits of the graph; gives the errors of one that may not be run. Throws RateLimitedError. */
  prepare({ query, operationName, variables }: Request, contextValue: Context): Prepared | readonly GraphQLError[] {
    const known = this.documents.get(query) ?? this.checked(query, contextValue);
    if ('errors' in known)
      return contextValue.isSignedIn && this.discovery ? known.errors : known.errors.map(withoutSuggestion);
    if (query.length <= MAX_REMEMBERED) this.documents.set(query, known);
    const variableValues = variables ?? {};
    const spend = (objects: number): void => contextValue.spend(objects);
    const refusal = refusalOf(this.schema, known, operationName, variableValues, spend);
    if (refusal) return [refusal];
    return { schema: this.schema, document: known, operationName: operationName ?? null, variableValues, contextValue };
  }

  /** Runs a query or a mutation. */
  execute({ document, operationName, variableValues, contextValue }: Prepared): Promise<ExecutionResult> {
    const source = document.loc?.source.body ?? '';
    return this.executor.execute({ source, document, operationName }, variableValues ?? {}, contextValue);
  }

  /** Begins a subscription; what ends it before its time is the last thing that it says. */
  async subscribe(prepared: Prepared): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
    let source: AsyncIterable<unknown> | ExecutionResult;
    try {
      source = await createSourceEventStream(prepared);
    } catch (error) {
      // Of a socket's many operations, only this one has failed.
      return failed(error, prepared.contextValue);
    }
    if (!(Symbol.asyncIterator in source)) return presented(source, prepared.contextValue);
    const changes = source[Symbol.asyncIterator]() as AsyncIterator<Change>;
    const { document, operationName, variableValues } = prepared;
    const ignored = choosing(document, this.events);
    const variables = Object.entries(variableValues ?? {}).filter(([name]) => !ignored.includes(name));
    const asked = JSON.stringify([document.loc?.source.body, operationName, variables]);
    return mapped(
      changes,
      (change) => this.resultOf(change, asked, prepared),
      (error) => failed(error, prepared.contextValue),
    );
  }

  private resultOf(change: Change, asked: string, prepared: Prepared): Promise<ExecutionResult> {
    if (asked.length > MAX_REMEMBERED) return this.told(change, prepared);
    const key = `${String(change.id)} ${asked}`;
    const known = this.results.get(key);
    if (known) return known;
    const result = this.told(change, prepared);
    this.results.set(key, result);
    return result;
  }

  private async told(change: Change, prepared: Prepared): Promise<ExecutionResult> {
    // Its own context: what one event has loaded is old for the next.
    const contextValue = prepared.contextValue.anew();
    return presented(await execute({ ...prepared, rootValue: change, contextValue }), contextValue);
  }

  private checked(query: string, context: Context): DocumentNode | { readonly errors: readonly GraphQLError[] } {
    try {
      const document = parseAtCost(query, (work) => context.spend(work));
      const misplaced = rootDirectivesIn(document);
      const errors =
        misplaced.length > 0
          ? misplaced
          : validate(this.schema, document, [...specifiedRules, ...rulesFor(this.discovery)]);
      return errors.length > 0
        ? { errors: errors.map((error) => refused(error, 'GRAPHQL_VALIDATION_FAILED')) }
        : document;
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      if (error.extensions['code'] !== undefined) return { errors: [error] };
      const { message, code } = parseFailure(error.message);
      return { errors: [refused(error, code, message)] };
    }
  }
}

/** The variables that only say which events are heard: they do not change what an event looks like. */
function choosing(document: DocumentNode, events: ReadonlySet<string>): readonly string[] {
  const atRoot: string[] = [];
  visit(document, {
    Field: ({ name, arguments: given = [] }) => {
      if (events.has(name.value)) atRoot.push(...given.flatMap(variablesIn));
    },
  });
  const all = variablesIn(document);
  const uses = (names: readonly string[], name: string): number => names.filter((each) => each === name).length;
  return atRoot.filter((name) => uses(all, name) === uses(atRoot, name));
}

function variablesIn(node: ASTNode): readonly string[] {
  const names: string[] = [];
  visit(node, { VariableDefinition: () => false, Variable: ({ name }) => void names.push(name.value) });
  return names;
}

/** As Apollo tells it: without values. */
function refused(error: GraphQLError, code: string, message = error.message): GraphQLError {
  const { nodes, source, positions } = error;
  return new GraphQLError(withoutValues(message), {
    ...{ nodes: nodes ?? null, source: source ?? null, positions: positions ?? null },
    extensions: { code, status: 400 },
  });
}

/** What the schema has in place of a misspelt name is for users. */
function withoutSuggestion(error: GraphQLError): GraphQLError {
  return refused(error, String(error.extensions['code']), withoutSuggestions(error.message));
}

function presented(result: ExecutionResult, { caller }: Context): ExecutionResult {
  if (!result.errors) return result;
  return { ...result, errors: result.errors.map((error) => presentError(error, caller.requestId, caller.log)) };
}

function failed(error: unknown, { caller }: Context): ExecutionResult {
  const originalError = error instanceof Error ? error : new Error(String(error));
  const located = new GraphQLError(originalError.message, { originalError, path: [] });
  return { errors: [presentError(located, caller.requestId, caller.log)] };
}

/** Unlike an async generator's, its `return` does not wait for an event that may never come. */
function mapped<In, Out>(
  source: AsyncIterator<In>,
  map: (value: In) => Promise<Out>,
  last: (error: unknown) => Out,
): AsyncIterableIterator<Out> {
  let over = false;
  const done = (): IteratorResult<Out> => {
    over = true;
    return { value: undefined, done: true };
  };
  return {
    next: async () => {
      if (over) return done();
      try {
        const result = await source.next();
        return result.done === true ? done() : { value: await map(result.value), done: false };
      } catch (error) {
        over = true;
        await source.return?.();
        return { value: last(error), done: false };
      }
    },
    return: async () => {
      await source.return?.();
      return done();
    },
    throw: async (error: unknown) => {
      await source.return?.();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
