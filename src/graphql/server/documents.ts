import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  createSourceEventStream,
  execute,
  getOperationAST,
  Kind,
  OperationTypeNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql';

import type { Change } from '../../changes/change';
import { LARGE } from '../../limits/admission';
import { FREE_OBJECTS, type Context } from '../context';
import { deprecationsOf } from '../features/contract/deprecations';
import { CompiledOperations, isCoercionFailure, type CachedOperation } from './compiled-operations';
import { InvalidDocumentError } from './document-rules';
import { chargeOperation, MAX_OBJECTS, VariablesError } from './operation-cost';
import type { OperationRequest, Variables } from './operation-request';
import { presentErrors, presentThrown, refusal, withoutSuggestions } from './present-error';
import { isIntrospection } from './public-document';
import { TOO_MANY_OBJECTS } from './response-size';
import { SharedResults } from './shared-results';
import { ValidDocuments } from './valid-documents';
import { CoercedDocuments, variablesFor } from './variables';

/** Starts each task in a separate turn of the event loop, so that requests are processed in between. */
class EventLoopTurns {
  private last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(() => nextTurn());
    this.last = turn;
    return turn.then(work);
  }
}

/** An operation that may run: its document is valid, and it is within the limits and has been charged. */
export interface PreparedOperation extends ExecutionArgs {
  readonly request: OperationRequest;
  readonly cached: CachedOperation | undefined;
  /** The number of objects that the operation may return. */
  readonly objects: number;
  readonly variableValues: Variables;
  /** The variables as values of their types. */
  readonly coerced: Variables;
  readonly contextValue: Context;
}

/** The result of an operation that was rejected and does not run. */
export interface Refusal {
  readonly errors: readonly GraphQLError[];
}

const NEEDS_STREAM = 'A subscription requires a WebSocket or an event stream (Accept: text/event-stream)';

/**
 * Runs GraphQL documents for every transport. Finds the compiled form of an operation, or parses and validates its
 * document. Then checks the limits, charges the caller, executes the operation or subscribes, and presents the errors.
 */
export class Documents {
  private readonly valid: ValidDocuments;
  private readonly documents: CoercedDocuments;
  private readonly compiled: CompiledOperations;
  private readonly shared: SharedResults;
  private readonly deprecationsIn: ReturnType<typeof deprecationsOf>;
  private readonly turns = new EventLoopTurns();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly discovery: boolean,
  ) {
    this.valid = new ValidDocuments(schema, discovery);
    this.documents = new CoercedDocuments(schema);
    this.compiled = new CompiledOperations(this.documents);
    this.shared = new SharedResults(schema);
    this.deprecationsIn = deprecationsOf(schema);
  }

  /** Returns the compiled form of an operation, if it has one. */
  compiledOf(request: OperationRequest): CachedOperation | undefined {
    return this.compiled.find(request);
  }

  /** Prepares and executes a compiled operation. */
  async answer(request: OperationRequest, cached: CachedOperation, context: Context): Promise<ExecutionResult> {
    const prepared = this.prepare(request, context, cached);
    return 'errors' in prepared ? prepared : this.execute(prepared);
  }

  /** Checks an operation and charges the caller for it. Never throws: a rejected operation is returned as a Refusal. */
  prepare(
    request: OperationRequest,
    contextValue: Context,
    cached = this.compiledOf(request),
  ): PreparedOperation | Refusal {
    const { schema, documents } = this;
    const operationName = request.operationName ?? null;
    const variableValues = request.variables ?? {};
    try {
      contextValue.assertListed(request.query);
      const hideSuggestions = !this.mayExplore(contextValue);
      const document = cached?.document ?? this.valid.find(request.query, contextValue, hideSuggestions);
      const spend = (work: number): void => contextValue.spend(work);
      const charged = chargeOperation(
        { schema, documents, document, request, counted: cached?.objects, hideSuggestions },
        spend,
      );
      const deprecated = this.deprecationsIn(document);
      if (deprecated.length > 0 && contextValue.isSignedIn) contextValue.session.countDeprecated(deprecated);
      return { schema, document, operationName, variableValues, contextValue, request, cached, ...charged };
    } catch (error) {
      if (error instanceof VariablesError) return this.present({ errors: error.errors }, contextValue) as Refusal;
      const errors = error instanceof InvalidDocumentError ? error.errors : [presentThrown(error, contextValue.caller)];
      return { errors: this.withinDiscovery(errors, contextValue) };
    }
  }

  /** Executes a query or a mutation. Rejects a subscription. */
  async execute(prepared: PreparedOperation): Promise<ExecutionResult> {
    const { contextValue, objects } = prepared;
    const { permit } = contextValue;
    try {
      if (objects >= LARGE) await permit?.enlarge(objects);
      const run = (): Promise<ExecutionResult> =>
        beConsistent(prepared)?.then(() => this.run(prepared)) ?? this.run(prepared);
      const { span } = contextValue.caller;
      const work = span ? () => span.operation(nameOf(prepared), run) : run;
      const result = this.present(await (permit ? permit.within(work) : work()), contextValue);
      return prepared.request.wantsCost === true ? { ...result, extensions: { cost: costOf(prepared) } } : result;
    } catch (error) {
      return { errors: [presentThrown(error, contextValue.caller)] };
    }
  }

  /** Starts a subscription. If the subscription fails later, its last result contains the error. */
  async subscribe(prepared: PreparedOperation): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
    const fail = (error: unknown): Refusal => ({ errors: [presentThrown(error, prepared.contextValue.caller)] });
    let events: AsyncIterable<unknown> | ExecutionResult;
    try {
      await beConsistent(prepared);
      events = await createSourceEventStream(prepared);
    } catch (error) {
      return fail(error);
    } finally {
      prepared.contextValue.permit?.detach();
    }
    if (!(Symbol.asyncIterator in events)) return this.present(events, prepared.contextValue);
    const resultOf = this.shared.resultsOf(prepared, (change) => {
      prepared.contextValue.spend(Math.max(0, prepared.objects - FREE_OBJECTS));
      return this.turns.take(() => this.resultOf(change, prepared));
    });
    const consistentResultOf = async (change: Change): Promise<ExecutionResult> => {
      await beConsistent(prepared);
      return resultOf(change);
    };
    const { consistency } = prepared.contextValue.isSignedIn ? prepared.contextValue.session.read : {};
    const toResult = consistency ? consistentResultOf : resultOf;
    return mapIterator(events[Symbol.asyncIterator]() as AsyncIterator<Change>, toResult, fail);
  }

  private async run(prepared: PreparedOperation): Promise<ExecutionResult> {
    const { document, operationName, objects, request, variableValues, coerced, contextValue } = prepared;
    const isSubscription = getOperationAST(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
    if (isSubscription) return { errors: [refusal(NEEDS_STREAM, 'BAD_USER_INPUT')] };
    const cached = prepared.cached ?? this.compiled.count(request, document, objects);
    const result = await cached?.query(undefined, contextValue, variablesFor(cached, variableValues, coerced));
    if (result && !isCoercionFailure(result)) return result;
    // The whole schema takes about 50 ms, without a pause. Over a WebSocket, many may arrive at once.
    return isIntrospection(document) ? this.turns.take(() => this.interpret(prepared)) : this.interpret(prepared);
  }

  /** Executes an operation that is not compiled. */
  private async interpret(prepared: PreparedOperation): Promise<ExecutionResult> {
    const { schema } = this.documents;
    const { document, coerce } = this.documents.of(prepared.document, prepared.operationName);
    const variableValues = variablesFor({ coerce }, prepared.variableValues, prepared.coerced);
    return execute({ ...prepared, schema, document, variableValues });
  }

  private async resultOf(change: Change, { contextValue, ...prepared }: PreparedOperation): Promise<ExecutionResult> {
    // Data that was loaded for one event may be outdated for the next.
    const fresh = contextValue.withoutLoaded();
    return this.present(await execute({ ...prepared, rootValue: change, contextValue: fresh }), fresh);
  }

  private present(result: ExecutionResult, context: Context): ExecutionResult {
    const errors = result.errors && this.withinDiscovery(presentErrors(result.errors, context.caller), context);
    if (context.hasEmptiedLists) return { errors: [TOO_MANY_OBJECTS, ...(errors ?? [])] };
    return errors ? { ...result, errors } : result;
  }

  /** Removes suggestions for misspelled names for callers who may not see the schema. */
  private withinDiscovery(errors: readonly GraphQLError[], context: Context): readonly GraphQLError[] {
    return this.mayExplore(context) ? errors : errors.map(withoutSuggestions);
  }

  private mayExplore(context: Context): boolean {
    return this.discovery && context.isSignedIn;
  }
}

/** What an operation costs, and the caller's limits: of one request, and of a minute, which is null if there is none. */
function costOf({ objects, contextValue }: PreparedOperation): Readonly<Record<string, number | null>> {
  const perMinute = contextValue.isSignedIn ? contextValue.session.workPerMinute : undefined;
  return { objects, maxObjects: MAX_OBJECTS, perMinute: perMinute ?? null };
}

/**
 * Lets a query read from a replica. Mutations, subscriptions and positions in the changes come from the primary, and
 * the caller's later queries see them.
 */
function beConsistent({
  contextValue,
  document,
  operationName,
  request,
}: PreparedOperation): Promise<void> | undefined {
  const { consistency } = contextValue.isSignedIn ? contextValue.session.read : {};
  if (!consistency) return undefined;
  const isQuery = getOperationAST(document, operationName)?.operation === OperationTypeNode.QUERY;
  return isQuery && !request.query.includes('changeCursor')
    ? consistency.beforeReads(contextValue.caller.consistencyToken)
    : consistency.beforeWrites();
}

/** The type of an operation and its first fields, which are names of the schema. */
function nameOf({ document, operationName }: PreparedOperation): string {
  const operation = getOperationAST(document, operationName);
  const fields = (operation?.selectionSet.selections ?? []).flatMap((each) =>
    each.kind === Kind.FIELD ? [each.name.value] : [],
  );
  return `${operation?.operation ?? 'operation'} ${fields.slice(0, 3).join(', ')}`;
}

/**
 * Maps the values of an iterator. If the iterator or `map` throws, the value of `last` is the last value. Unlike that
 * of an async generator, `return` does not wait for a pending value, which may never come.
 */
function mapIterator<In, Out>(
  source: AsyncIterator<In>,
  map: (value: In) => Promise<Out>,
  last: (error: unknown) => Out,
): AsyncIterableIterator<Out> {
  let isOver = false;
  const end = (): IteratorResult<Out> => {
    isOver = true;
    return { value: undefined, done: true };
  };
  return {
    next: async () => {
      if (isOver) return end();
      try {
        const result = await source.next();
        return result.done === true ? end() : { value: await map(result.value), done: false };
      } catch (error) {
        isOver = true;
        await source.return?.();
        return { value: last(error), done: false };
      }
    },
    return: async () => {
      await source.return?.();
      return end();
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
