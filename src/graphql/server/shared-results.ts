import { visit, type DocumentNode, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { Change } from '../../changes/change';
import type { OperationRequest, Variables } from './operation-request';
import { variablesIn } from './variables';

/** A subscription whose results can be shared. */
interface Subscription {
  readonly document: DocumentNode;
  readonly request: OperationRequest;
  readonly variableValues: Variables;
}

/** Maximum number of characters of a subscription, with its variables, whose results are shared. */
const MAX_SHARED = 10_000;
// A result is cached for a second, in which all current subscribers normally request the event. The result is then
// computed again for a subscriber that requests the event later.
const CACHE = { max: 200, ttl: 1000, ttlAutopurge: true };

/**
 * Executes a subscription once for each event, and shares the result among all subscribers with the same document and
 * variables.
 */
export class SharedResults {
  private readonly results = new LRUCache<string, Promise<ExecutionResult>>(CACHE);
  private readonly eventFields: ReadonlySet<string>;

  constructor(schema: GraphQLSchema) {
    this.eventFields = new Set(Object.keys(schema.getSubscriptionType()?.getFields() ?? {}));
  }

  /**
   * Returns the function that maps an event to the result of a subscription. `execute` computes a result that is not
   * cached.
   */
  resultsOf(
    { document, request: { query, operationName }, variableValues }: Subscription,
    execute: (change: Change) => Promise<ExecutionResult>,
  ): (change: Change) => Promise<ExecutionResult> {
    const ignored = filterVariables(document, this.eventFields);
    const variables = Object.entries(variableValues).filter(([name]) => !ignored.includes(name));
    const subscription = JSON.stringify([query, operationName, variables]);
    if (subscription.length > MAX_SHARED) return execute;
    return (change) => {
      // With the time, because a restored database uses numbers again.
      const key = `${String(change.id)} ${String(change.at)} ${subscription}`;
      const known = this.results.get(key);
      if (known) return known;
      const result = execute(change);
      this.results.set(key, result);
      return result;
    };
  }
}

/** Returns the variables that only select which events are sent, so results do not depend on them. */
function filterVariables(document: DocumentNode, eventFields: ReadonlySet<string>): readonly string[] {
  const inFilters: string[] = [];
  visit(document, {
    Field: ({ name, arguments: given = [] }) => {
      if (eventFields.has(name.value)) inFilters.push(...given.flatMap(variablesIn));
    },
  });
  const all = variablesIn(document);
  const uses = (names: readonly string[], name: string): number => names.filter((each) => each === name).length;
  return inFilters.filter((name) => uses(all, name) === uses(inFilters, name));
}
