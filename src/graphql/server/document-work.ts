import {
  GraphQLError,
  Kind,
  parse,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

import { MAX_TOKENS } from './limits';

/**
 * Pairs of fields with one response name in one place: graphql compares each pair (OverlappingFieldsCanBeMerged), in about
 * 2 microseconds. A hundred fragments on one object that each ask for `id` and `__typename` have 9,900.
 */
const MAX_PAIRS = 20_000;
/** Fields of a document with its fragments written out. */
const MAX_FIELDS = 20_000;
/** Levels of a document with its fragments written out; a fragment within itself has no end. */
const MAX_LEVELS = 100;
const REFUSED = { code: 'GRAPHQL_VALIDATION_FAILED', status: 400 };
const tooDeep = `The document is nested deeper than ${String(MAX_LEVELS)} levels with its fragments written out`;
/** Pairs that are compared in the time that a token takes. */
const PAIRS_PER_TOKEN = 5;

/** Characters that are read in the time that a token takes. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Parses a document that is not known, and spends what it costs to validate it, in objects: one that is refused then has
 * cost as much. Throws GraphQLError where it does not parse or would take too long to validate, and what `spend` throws.
 */
export function parseAtCost(text: string, spend: (objects: number) => void): DocumentNode {
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    spend(Math.min(MAX_TOKENS, Math.ceil(text.length / CHARACTERS_PER_TOKEN)));
    throw error;
  }
  const { work, refusal: tooMuch } = workOf(document);
  spend(work);
  if (tooMuch) throw tooMuch;
  return document;
}

/** What it costs to validate a document, and why it is not validated where that would be too much. */
function workOf(document: DocumentNode): { readonly work: number; readonly refusal: GraphQLError | undefined } {
  const { pairs, excess } = new Measure(document);
  const tokens = tokensOf(document);
  return excess === undefined
    ? { work: tokens + Math.ceil(pairs / PAIRS_PER_TOKEN), refusal: undefined }
    : { work: tokens, refusal: new GraphQLError(excess, { extensions: REFUSED }) };
}

function tokensOf({ loc }: DocumentNode): number {
  let tokens = 0;
  for (let token = loc?.startToken.next; token; token = token.next) tokens++;
  return tokens;
}

class Measure {
  pairs = 0;
  /** Why nothing more was measured. */
  excess: string | undefined;
  private fields = 0;
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private readonly reached = new Set<FragmentDefinitionNode>();

  constructor({ definitions }: DocumentNode) {
    for (const each of definitions)
      if (each.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(each.name.value, each);
    for (const each of definitions) if (each.kind === Kind.OPERATION_DEFINITION) this.look([each.selectionSet], 1);
    // graphql validates these, too, and where two have one name, both.
    for (const each of definitions)
      if (each.kind === Kind.FRAGMENT_DEFINITION && !this.reached.has(each)) this.look([each.selectionSet], 1);
  }

  /** Selections that give one object, which execution merges. */
  private look(sets: readonly SelectionSetNode[], level: number): void {
    if (level > MAX_LEVELS) this.excess ??= tooDeep;
    const named = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    for (const set of sets) this.collect(set, named, spread);
    for (const [name, fields] of named) {
      this.pairs += (fields.length * (fields.length - 1)) / 2;
      if (this.pairs > MAX_PAIRS) this.excess ??= `The document asks for "${name}" too many times in one place`;
      if (this.excess !== undefined) return;
      const below = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (below.length > 0) this.look(below, level + 1);
    }
  }

  private collect({ selections }: SelectionSetNode, named: Map<string, FieldNode[]>, spread: Set<string>): void {
    for (const each of selections) {
      if (this.excess !== undefined) return;
      if (each.kind === Kind.FIELD) {
        this.count();
        const name = (each.alias ?? each.name).value;
        const fields = named.get(name);
        if (fields) fields.push(each);
        else named.set(name, [each]);
      } else if (each.kind === Kind.INLINE_FRAGMENT) {
        this.collect(each.selectionSet, named, spread);
      } else if (!spread.has(each.name.value)) {
        spread.add(each.name.value);
        this.count();
        const fragment = this.fragments.get(each.name.value);
        if (!fragment) continue;
        this.reached.add(fragment);
        this.collect(fragment.selectionSet, named, spread);
      }
    }
  }

  private count(): void {
    if (++this.fields <= MAX_FIELDS) return;
    this.excess ??= `The document has more than ${String(MAX_FIELDS)} fields with its fragments written out`;
  }
}
