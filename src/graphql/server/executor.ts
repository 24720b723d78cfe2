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
import { LRUCache } from 'lru-cache';

import { OperationCompiler, type CompiledOperation } from './compile';
import type { Context } from '../context';
import { MAX_COMPILED, isVariablyLarge, refusal, refusalOf } from './limits';
import { isOpen } from './open-document';
import { presentError } from './present-error';

/** A document that was parsed and validated. */
export interface PreparedDocument {
  readonly source: string;
  readonly document: DocumentNode;
  readonly operationName: string | null | undefined;
}

/** A document that is run in its compiled form. */
interface Compiled {
  readonly operation: CompiledOperation;
  /** Set where a variable decides how much is asked for, which is then looked at each time. */
  readonly measured: PreparedDocument | undefined;
  /** Objects that it may give, where no variable decides. */
  readonly objects: number;
}

type Variables = Readonly<Record<string, unknown>>;

const NEEDS_STREAM = 'A subscription needs a WebSocket, or an event stream (Accept: text/event-stream)';
const COMPILE_ON_SIGHT = 3;
/** Characters of a document that is compiled: a longer one is rare, and costs more than it saves. */
const MAX_COMPILABLE = 4000;
/** Characters of all documents that were seen. */
const MAX_SEEN = 1_000_000;

/**
 * Runs documents. One that is seen again is compiled (compiling costs about ten executions), and found by its text from
 * then on, so that parsing and validation need not run again.
 */
export class DocumentExecutor {
  private readonly seen = new LRUCache<string, number>({ maxSize: MAX_SEEN, sizeCalculation: lengthOfKey });
  private readonly compiled = new LRUCache<string, Compiled>({ maxSize: MAX_COMPILED, sizeCalculation: lengthOfKey });
  private readonly compiler: OperationCompiler;

  constructor(private readonly schema: GraphQLSchema) {
    this.compiler = new OperationCompiler(schema);
  }

  /** Runs a document that passed validation. */
  async execute(prepared: PreparedDocument, variables: Variables, context: Context): Promise<ExecutionResult> {
    const operation = getOperationAST(prepared.document, prepared.operationName)?.operation;
    if (operation === OperationTypeNode.SUBSCRIPTION) return { errors: [refusal(NEEDS_STREAM, 'BAD_USER_INPUT')] };
    const key = keyOf(prepared.source, prepared.operationName);
    const compiled = this.compiled.get(key) ?? this.compileIfSeenOften(key, prepared);
    const coerced = compiled?.operation.coerce(variables);
    const result = coerced && (await compiled?.operation.query(undefined, context, coerced));
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
    context: Context,
  ): Promise<ExecutionResult | undefined> {
    const compiled = this.compiled.get(keyOf(source, operationName));
    if (!compiled) return undefined;
    const { measured, operation, objects } = compiled;
    const spend = (work: number): void => context.spend(work);
    if (!measured) spend(objects);
    else if (refusalOf(this.schema, measured.document, operationName, variables, spend)) return undefined;
    const coerced = operation.coerce(variables);
    if (!coerced) return undefined;
    const result = await operation.query(undefined, context, coerced);
    return isUnexplained(result) ? undefined : presented(result, context);
  }

  private compileIfSeenOften(key: string, prepared: PreparedDocument): Compiled | undefined {
    if (key.length > MAX_COMPILABLE || isOpen(prepared.document)) return undefined;
    const sights = (this.seen.get(key) ?? 0) + 1;
    this.seen.set(key, sights);
    if (sights !== COMPILE_ON_SIGHT || prepared.operationName === '' || !isCompilable(prepared.document))
      return undefined;
    const operation = this.compiler.compile(prepared.document, prepared.operationName ?? undefined);
    if (!operation) return undefined;
    const measured = isVariablyLarge(prepared.document) ? prepared : undefined;
    let objects = 0;
    if (!measured) {
      refusalOf(this.schema, prepared.document, prepared.operationName, {}, (work) => {
        objects = work;
      });
    }
    const compiled = { operation, measured, objects };
    this.compiled.set(key, compiled);
    return compiled;
  }
}

function lengthOfKey(_value: unknown, key: string): number {
  return key.length;
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
