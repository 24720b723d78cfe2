import {
  Kind,
  OperationTypeNode,
  execute,
  getOperationAST,
  visit,
  type DefinitionNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';

import type { Context } from './context';
import { MAX_REMEMBERED, isVariablyLarge, refusal, refusalOf } from './limits';
import { presentError } from './present-error';

/** A document that was parsed and validated. */
export interface PreparedDocument {
  readonly source: string;
  readonly document: DocumentNode;
  readonly operationName: string | null | undefined;
}

/** A document that is run in its compiled form. */
interface Compiled {
  readonly query: CompiledQuery['query'];
  /** Set where a variable decides how much is asked for, which is then looked at each time. */
  readonly measured: PreparedDocument | undefined;
}

type Variables = Readonly<Record<string, unknown>>;

const NEEDS_STREAM = 'A subscription needs a WebSocket, or an event stream (Accept: text/event-stream)';
const COMPILE_ON_SIGHT = 3;
const MAX_COMPILED = 200;
const MAX_SEEN = 2000;

/**
 * Runs documents. One that is seen again is compiled (compiling costs about ten executions), and found by its text from
 * then on, so that parsing and validation need not run again.
 */
export class DocumentExecutor {
  private readonly seen = new LRUCache<string, number>({ max: MAX_SEEN });
  private readonly compiled = new LRUCache<string, Compiled>({ max: MAX_COMPILED });

  constructor(private readonly schema: GraphQLSchema) {}

  /** Runs a document that passed validation. */
  async execute(prepared: PreparedDocument, variables: Variables, context: Context): Promise<ExecutionResult> {
    const operation = getOperationAST(prepared.document, prepared.operationName)?.operation;
    if (operation === OperationTypeNode.SUBSCRIPTION) return { errors: [refusal(NEEDS_STREAM, 'BAD_USER_INPUT')] };
    const key = keyOf(prepared.source, prepared.operationName);
    const compiled = this.compiled.get(key) ?? this.compileIfSeenOften(key, prepared);
    const result = compiled && (await compiled.query(undefined, context, variables));
    if (result && !isUnexplained(result)) return presented(result, context);
    const explained = await execute({
      schema: this.schema,
      document: prepared.document,
      operationName: prepared.operationName,
      variableValues: variables,
      contextValue: context,
    });
    return presented(explained, context);
  }

  /** Runs a document by its text, if it is known; undefined where it has to go the whole way. */
  async executeKnown(
    source: string,
    operationName: string | null | undefined,
    variables: Variables,
    context: () => Promise<Context>,
  ): Promise<ExecutionResult | undefined> {
    const compiled = this.compiled.get(keyOf(source, operationName));
    if (!compiled) return undefined;
    const { measured, query } = compiled;
    if (measured && refusalOf(this.schema, measured.document, operationName, variables)) return undefined;
    const made = await context();
    const result = await query(undefined, made, variables);
    return isUnexplained(result) ? undefined : presented(result, made);
  }

  private compileIfSeenOften(key: string, prepared: PreparedDocument): Compiled | undefined {
    if (key.length > MAX_REMEMBERED) return undefined;
    const sights = (this.seen.get(key) ?? 0) + 1;
    this.seen.set(key, sights);
    if (sights !== COMPILE_ON_SIGHT || prepared.operationName === '' || !isCompilable(prepared.document))
      return undefined;
    const query = compileQuery(this.schema, prepared.document, prepared.operationName ?? undefined, {
      disablingCapturingStackErrors: true,
    });
    if (!isCompiledQuery(query)) return undefined;
    const compiled = { query: query.query, measured: isVariablyLarge(prepared.document) ? prepared : undefined };
    this.compiled.set(key, compiled);
    return compiled;
  }
}

function keyOf(source: string, operationName: string | null | undefined): string {
  return typeof operationName === 'string' ? `+${operationName}\n${source}` : `-${source}`;
}

/** Variables that do not fit: the compiled form says so in fewer words than graphql does. Nothing has run then. */
function isUnexplained({ data, errors }: ExecutionResult): boolean {
  return (data === null || data === undefined) && errors?.some(({ path }) => path !== undefined) !== true;
}

function presented(result: ExecutionResult, { caller }: Context): ExecutionResult {
  if (!result.errors) return result;
  return { ...result, errors: result.errors.map((error) => presentError(error, caller.requestId, caller.log)) };
}

/**
 * Whether a document means the same in its compiled form. There, a field of an input is null where its variable is left
 * out, which would clear what is stored; and a mutation goes on after one that failed.
 */
function isCompilable(document: DocumentNode): boolean {
  const optional = new Set<string>();
  const given: string[] = [];
  visit(document, {
    VariableDefinition: ({ variable, type }) => {
      if (type.kind !== Kind.NON_NULL_TYPE) optional.add(variable.name.value);
    },
    ObjectField: ({ value }) => {
      if (value.kind === Kind.VARIABLE) given.push(value.name.value);
    },
  });
  return !document.definitions.some(changesSeveral) && !given.some((name) => optional.has(name));
}

function changesSeveral(definition: DefinitionNode): boolean {
  if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation !== OperationTypeNode.MUTATION)
    return false;
  const [first, ...more] = definition.selectionSet.selections;
  return more.length > 0 || first?.kind !== Kind.FIELD;
}
