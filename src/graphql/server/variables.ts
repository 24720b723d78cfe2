import {
  type GraphQLError,
  getVariableValues,
  visit,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';

import type { Variables } from './operation-request';
import { refusal } from './present-error';

/** Levels of a variable. No input type nests deeper except filters, which have a limit of their own. */
const MAX_DEPTH = 100;
/**
 * Values in all variables, counted once for each place where the variable is used: each use converts them anew. A
 * conversion takes about 10 microseconds.
 */
const MAX_VALUES = 10_000;
/** Values that are converted in the time that reading one object takes. */
const VALUES_PER_OBJECT = 10;
/** Mistakes that are reported. Each message repeats the variable. */
const MAX_MISTAKES = 10;

const uses = new WeakMap<DocumentNode, ReadonlyMap<string, number>>();

/** Charges for the variables of an operation; throws GraphQLError, which names the variable, if they are too deep or too many. */
export function chargeVariables(document: DocumentNode, variables: Variables, spend: (objects: number) => void): void {
  let left = MAX_VALUES;
  for (const name in variables) {
    const times = Math.max(1, usesIn(document).get(name) ?? 0);
    const values = countValues(variables[name], MAX_DEPTH, Math.floor(left / times));
    if (values === 'deep') {
      const message = `Variable "$${name}" is nested deeper than ${String(MAX_DEPTH)} levels`;
      throw refusal(message, 'BAD_USER_INPUT', { fields: [name] });
    }
    if (values === 'many') {
      spend(MAX_VALUES / VALUES_PER_OBJECT);
      const message = `Variable "$${name}" has too many values: all variables may have ${String(MAX_VALUES)}, counted wherever they are used`;
      throw refusal(message, 'BAD_USER_INPUT', { fields: [name] });
    }
    left -= values * times;
  }
  spend(Math.floor((MAX_VALUES - left) / VALUES_PER_OBJECT));
}

/** The mistakes in variables that do not fit their types; the first ones, where there are many. */
export function mistakesIn(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
  hideSuggestions: boolean,
): readonly GraphQLError[] {
  const mistakesUpTo = (maxErrors: number): readonly GraphQLError[] =>
    getVariableValues(schema, variableDefinitions, variables, { maxErrors, hideSuggestions }).errors ?? [];
  // Nearly all variables fit: the first mistake tells.
  return mistakesUpTo(1).length === 0 ? [] : mistakesUpTo(MAX_MISTAKES);
}

/** How often each variable is used. */
function usesIn(document: DocumentNode): ReadonlyMap<string, number> {
  const known = uses.get(document);
  if (known) return known;
  const counted = new Map<string, number>();
  visit(document, {
    VariableDefinition: () => false,
    Variable: ({ name: { value } }) => void counted.set(value, (counted.get(value) ?? 0) + 1),
  });
  uses.set(document, counted);
  return counted;
}

/** Counts a value with all values within it. */
function countValues(value: unknown, levels: number, most: number): number | 'deep' | 'many' {
  if (most < 1) return 'many';
  if (typeof value !== 'object' || value === null) return 1;
  if (levels === 0) return 'deep';
  let count = 1;
  for (const each of Object.values(value)) {
    const within = countValues(each, levels - 1, most - count);
    if (typeof within === 'string') return within;
    count += within;
  }
  return count;
}
