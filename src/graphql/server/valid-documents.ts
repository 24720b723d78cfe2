import {
  GraphQLError,
  Kind,
  parse,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';

import type { Context } from '../context';
import { assertValid } from './document-rules';
import { documentError, refusal } from './present-error';
import { isPublic } from './public-document';

/** Maximum number of tokens of a document. */
const MAX_TOKENS = 2000;
/**
 * Maximum number of pairs of fields with the same response name in the same place. graphql compares each pair
 * (OverlappingFieldsCanBeMerged), which takes about 2 microseconds. A hundred fragments on one object that each select
 * `id` and `__typename` make 9,900 pairs.
 */
const MAX_PAIRS = 20_000;
/** Maximum number of fields of a document after its fragments are expanded. */
const MAX_FIELDS = 20_000;
/**
 * Maximum number of levels of a document after its fragments are expanded. A fragment that spreads itself has
 * infinitely many.
 */
const MAX_LEVELS = 100;
/** Maximum number of characters of the name of a field in a response, which each object, and each error, repeats. */
const MAX_RESPONSE_NAME = 200;
/**
 * Maximum number of lines of a document whose errors name places. For each of them, graphql counts the lines before it.
 */
const MAX_LINES = 500;
const TOO_DEEP = `The document is nested deeper than ${String(MAX_LEVELS)} levels after its fragments are expanded`;
/** Comparing this many pairs takes as long as validating one token. */
const PAIRS_PER_TOKEN = 5;
/** Parsing this many characters takes as long as validating one token. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Parses a document, and charges the cost of its validation, in objects, even if the document is rejected. Throws
 * GraphQLError if the document cannot be parsed or would take too long to validate, and the errors of `spend`.
 */
function parseAtCost(text: string, spend: (objects: number) => void): DocumentNode {
  let document: DocumentNode;
  const noLocation = hasManyLines(text);
  const mostTokens = Math.min(MAX_TOKENS, Math.ceil(text.length / CHARACTERS_PER_TOKEN));
  try {
    document = parse(text, { maxTokens: MAX_TOKENS, noLocation });
  } catch (error) {
    spend(mostTokens);
    if (error instanceof GraphQLError) throw parseError(error);
    // The parser calls itself for each level.
    if (error instanceof RangeError) throw refusal('The document is nested too deeply', 'GRAPHQL_VALIDATION_FAILED');
    throw error;
  }
  const { pairs, excess } = new Measure(document);
  const tokens = noLocation ? mostTokens : tokensOf(document);
  spend(excess === undefined ? tokens + Math.ceil(pairs / PAIRS_PER_TOKEN) : tokens);
  if (excess !== undefined) throw refusal(excess, 'GRAPHQL_VALIDATION_FAILED');
  return document;
}

function hasManyLines(text: string): boolean {
  if (text.length <= MAX_LINES) return false;
  const breaks = text.matchAll(/\r\n|[\n\r]/g);
  for (let lines = 0; lines < MAX_LINES; lines++) if (breaks.next().done === true) return false;
  return true;
}

const TOO_MANY_TOKENS = /Document contains more tha\w \d+ tokens/;

/** graphql reports too many tokens as a syntax error. */
function parseError(error: GraphQLError): GraphQLError {
  return TOO_MANY_TOKENS.test(error.message)
    ? documentError(error, 'GRAPHQL_VALIDATION_FAILED', `The document has more than ${String(MAX_TOKENS)} tokens`)
    : documentError(error, 'GRAPHQL_PARSE_FAILED');
}

function tokensOf({ loc }: DocumentNode): number {
  let tokens = 0;
  for (let token = loc?.startToken.next; token; token = token.next) tokens++;
  return tokens;
}

/**
 * Counts the fields, pairs and levels that determine the cost of validation, after fragments are expanded. Stops at the
 * limits.
 */
class Measure {
  pairs = 0;
  /** The error message for the first limit that was exceeded. Counting stops there. */
  excess: string | undefined;
  private fields = 0;
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private readonly reached = new Set<FragmentDefinitionNode>();

  constructor({ definitions }: DocumentNode) {
    for (const each of definitions)
      if (each.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(each.name.value, each);
    for (const each of definitions) if (each.kind === Kind.OPERATION_DEFINITION) this.look([each.selectionSet], 1);
    // graphql also validates unused fragments, and all fragments with the same name.
    for (const each of definitions)
      if (each.kind === Kind.FRAGMENT_DEFINITION && !this.reached.has(each)) this.look([each.selectionSet], 1);
  }

  /** Counts selections of the same object, which execution merges. */
  private look(sets: readonly SelectionSetNode[], level: number): void {
    if (level > MAX_LEVELS) this.excess ??= TOO_DEEP;
    const named = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    for (const set of sets) this.collect(set, named, spread);
    for (const [name, fields] of named) {
      this.pairs += (fields.length * (fields.length - 1)) / 2;
      if (this.pairs > MAX_PAIRS) this.excess ??= `The document selects "${name}" too many times in one place`;
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
        if (name.length > MAX_RESPONSE_NAME)
          this.excess ??= `The name "${name}" is longer than ${String(MAX_RESPONSE_NAME)} characters`;
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
    this.excess ??= `The document has more than ${String(MAX_FIELDS)} fields after its fragments are expanded`;
  }
}

/** Maximum number of characters of a cached document, so that a few long documents do not displace all others. */
const MAX_REMEMBERED = 10_000;
/** Maximum number of characters of all cached documents. A parsed document takes about 130 bytes per character. */
const MAX_ALL = 500_000;

/**
 * Parses and validates documents, and caches those that are valid. Requests with the same text share one document, and
 * the data that is cached per document, such as query plans.
 */
export class ValidDocuments {
  private readonly documents = new LRUCache<string, DocumentNode>({
    maxSize: MAX_ALL,
    sizeCalculation: (_document, text) => Math.max(1, text.length),
  });

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly discovery: boolean,
  ) {}

  /**
   * Returns a document, and charges the caller if it is not cached. Throws GraphQLError if the document cannot be
   * parsed or is too expensive to validate, InvalidDocumentError if the document is invalid, and RateLimitedError if
   * the caller is over budget.
   */
  find(text: string, context: Context, hideSuggestions: boolean): DocumentNode {
    const cached = this.documents.get(text);
    if (cached) return cached;
    const document = parseAtCost(text, (objects) => context.spend(objects));
    assertValid(this.schema, document, { discovery: this.discovery, hideSuggestions });
    // Documents that need no token are not cached, because anybody could send enough of them to displace all others.
    if (text.length <= MAX_REMEMBERED && !isPublic(document)) this.documents.set(text, document);
    return document;
  }
}
