import { Kind, OperationTypeNode, visit, type DefinitionNode, type DocumentNode, type ExecutionResult } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';

import { selectionsOf } from './document-rules';
import { dependsOnVariables } from './operation-cost';
import type { OperationRequest } from './operation-request';
import { isPublic } from './public-document';
import type { CoercedDocuments } from './variables';

/** The compiled form of an operation. */
interface CompiledOperation {
  readonly query: CompiledQuery['query'];
  /**
   * The names of the variables that `query` expects as values of their types. It expects the others as they were sent.
   */
  readonly coerce: readonly string[];
}

/** A compiled operation, which runs without being parsed and validated again. */
export interface CachedOperation extends CompiledOperation {
  readonly document: DocumentNode;
  /** The number of objects that the operation may return. Undefined if the number depends on the variables. */
  readonly objects: number | undefined;
  /** Its share of the cache, in characters. */
  readonly weight: number;
}

/**
 * The execution on which an operation is compiled. Operations that run less often are not compiled, because compiling
 * costs about as much as ten executions.
 */
const COMPILE_ON_EXECUTION = 3;
/**
 * Maximum size of a document that is compiled: its characters, and its selections after its fragments are expanded.
 * Compiling longer documents, which are rare, costs more than it saves: about 0.15 ms and 2 kB for each selection.
 */
const MAX_COMPILABLE = 4000;
const MAX_SELECTIONS = 500;
/** Maximum number of characters of all documents whose executions are counted. */
const MAX_COUNTED = 1_000_000;
/**
 * Maximum weight of all compiled documents, in characters. Each character takes about 300 bytes, and each selection of an
 * expanded fragment as much as eight.
 */
const MAX_COMPILED = 200_000;
const CHARACTERS_PER_SELECTION = 8;

/** Compiles operations that are executed often, and finds them by the text of their document. */
export class CompiledOperations {
  private readonly executions = new LRUCache<string, number>({ maxSize: MAX_COUNTED, sizeCalculation: lengthOfKey });
  private readonly cached = new LRUCache<string, CachedOperation>({
    maxSize: MAX_COMPILED,
    sizeCalculation: ({ weight }) => weight,
  });

  constructor(private readonly documents: CoercedDocuments) {}

  find(request: OperationRequest): CachedOperation | undefined {
    return this.cached.get(keyOf(request));
  }

  /**
   * Counts an execution. If the operation is executed often enough now, compiles it and returns the compiled operation.
   * `objects` is the number of objects that the operation may return.
   */
  count(request: OperationRequest, document: DocumentNode, objects: number): CachedOperation | undefined {
    const key = keyOf(request);
    if (key.length > MAX_COMPILABLE || isPublic(document)) return undefined;
    const executions = (this.executions.get(key) ?? 0) + 1;
    this.executions.set(key, executions);
    if (executions !== COMPILE_ON_EXECUTION || !isCompilable(document)) return undefined;
    const selections = selectionsOf(document);
    if (selections > MAX_SELECTIONS) return undefined;
    const compiled = this.compile(document, request.operationName ?? undefined);
    if (!compiled) return undefined;
    const weight = Math.max(key.length, selections * CHARACTERS_PER_SELECTION);
    const cached = { ...compiled, document, objects: dependsOnVariables(document) ? undefined : objects, weight };
    this.cached.set(key, cached);
    // If the cache evicts the operation, its executions are counted from the start.
    this.executions.delete(key);
    return cached;
  }

  /** Returns undefined for an operation that graphql-jit cannot compile. */
  private compile(given: DocumentNode, operationName: string | undefined): CompiledOperation | undefined {
    const { document, coerce } = this.documents.of(given, operationName);
    const compiled = compileQuery(this.documents.schema, document, operationName, {
      disablingCapturingStackErrors: true,
    });
    return isCompiledQuery(compiled) ? { query: compiled.query, coerce } : undefined;
  }
}

function lengthOfKey(_value: unknown, key: string): number {
  return key.length;
}

function keyOf({ query, operationName }: OperationRequest): string {
  return typeof operationName === 'string' ? `+${operationName}\n${query}` : `-${query}`;
}

/**
 * Whether a document means the same in its compiled form. In the compiled form, an input field whose variable is
 * omitted is null, which would clear the stored value. A compiled mutation also runs its remaining fields after one has
 * failed.
 */
function isCompilable(document: DocumentNode): boolean {
  const optional = new Set<string>();
  const inInputFields: string[] = [];
  visit(document, {
    VariableDefinition: ({ variable, type }) => {
      if (type.kind !== Kind.NON_NULL_TYPE) optional.add(variable.name.value);
    },
    ObjectField: ({ value }) => {
      if (value.kind === Kind.VARIABLE) inInputFields.push(value.name.value);
    },
  });
  return !document.definitions.some(mayChangeSeveral) && !inInputFields.some((name) => optional.has(name));
}

function mayChangeSeveral(definition: DefinitionNode): boolean {
  if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation !== OperationTypeNode.MUTATION)
    return false;
  const [first, ...more] = definition.selectionSet.selections;
  return more.length > 0 || first?.kind !== Kind.FIELD;
}

/**
 * Whether the operation failed because its variables do not match their types. In this case, no resolver has run, and
 * graphql can report the errors in more detail than graphql-jit.
 */
export function isCoercionFailure({ data, errors }: ExecutionResult): boolean {
  return (data === null || data === undefined) && errors?.some(({ path }) => path !== undefined) !== true;
}
