import type { DocumentNode } from 'graphql';

/** Returns the text of a document with its fragments. The generator of the methods declares it as a parsed document. */
export function gql(text: TemplateStringsArray, ...fragments: readonly unknown[]): DocumentNode {
  return String.raw(text, ...fragments) as unknown as DocumentNode;
}
