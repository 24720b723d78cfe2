import { visit, type DocumentNode, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { Change } from '../../changes/change';
import type { Context } from '../context';
import type { OperationRequest, Variables } from './operation-request';
import { variablesIn } from './variables';

/** A subscription whose results can be shared. */
interface Subscription {
  readonly document: DocumentNode;
  readonly request: OperationRequest;
  readonly variableValues: Variables;
  readonly contextValue: Pick<Context, 'session'>;
}

/** Maximum number of characters of a subscription, with its variables, whose results are shared. */
const MAX_SHARED = 10_000;
// A result is cached for a second, in which all current subscribers normally request the event. The result is then
// computed again for a subscriber that requests the event later.
const CACHE = { max: 200, ttl: 1000, ttlAutopurge: true };

/**
 * Executes a subscription once for each event, and shares the result among all subscribers with the same role, document
 * and variables. Of a user, results depend on the role alone.
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
    { document, request: { query, operationName }, variableValues, contextValue }: Subscription,
    execute: (change: Change) => Promise<ExecutionResult>,
  ): (change: Change) => Promise<ExecutionResult> {
    const ignored = filterVariables(document, this.eventFields);
    const variables = Object.entries(variableValues).filter(([name]) => !ignored.includes(name));
    const { role } = contextValue.session.viewer;
    const subscription = JSON.stringify([role, query, operationName, variables]);
    if (subscription.length > MAX_SHARED) return execute;
    return (change) => {
      // Changes and events of calls have a number. Others, such as the progress of an import, concern one subscriber.
      if (!('id' in change)) return execute(change);
      // With the time, because a restored database uses numbers again.
      const key = `${String(change.id)} ${String(change.at)} ${subscription}`;
      const cached = this.results.get(key);
      const own = (): Promise<ExecutionResult> => execute(change);
      if (cached) return cached.then((shared) => (isRateLimited(shared) ? own() : shared), own);
      const result = own();
      this.results.set(key, result);
      return result;
    };
  }
}

/**
 * Whether a subscriber has exceeded a budget, which concerns no other. Other errors are shared: if the database refuses
 * reads, it does not receive those of every subscriber.
 */
function isRateLimited({ errors = [] }: ExecutionResult): boolean {
  return errors.some(({ extensions }) => extensions['code'] === 'RATE_LIMITED');
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
