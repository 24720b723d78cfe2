import { LineCounter, isSeq, parseAllDocuments, type Document, type Node } from 'yaml';

/** A resource of a YAML text, and the line that it begins in, from 1. */
export interface YamlEntry {
  readonly value: unknown;
  readonly line: number;
}

/** What a YAML text has in it: documents, or lists of them; and what is wrong with it. */
export interface YamlEntries {
  readonly values: readonly YamlEntry[];
  readonly mistakes: readonly { readonly line: number; readonly message: string }[];
}

// Aliases make a short text long: as many as a file written by hand may have.
const MAX_ALIASES = 100;

/** Reads the resources of a YAML (or JSON) text. */
export function parseYaml(text: string): YamlEntries {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  const documents: readonly Document.Parsed[] = Array.isArray(parsed) ? parsed : [];
  const lineOf = (offset: number | undefined): number => lines.linePos(offset ?? 0).line;
  const mistakes = documents.flatMap(({ errors }) =>
    errors.map(({ message, pos }) => ({ line: lineOf(pos[0]), message })),
  );
  if (mistakes.length > 0) return { values: [], mistakes };
  const entry = (document: Document.Parsed, node: Node | null): YamlEntry => ({
    value: node?.toJS(document, { maxAliasCount: MAX_ALIASES }) as unknown,
    line: lineOf(node?.range?.[0]),
  });
  return {
    mistakes,
    values: documents.flatMap((document) => {
      const { contents } = document;
      if (isSeq(contents)) return contents.items.map((item) => entry(document, item as Node));
      return contents === null ? [] : [entry(document, contents)];
    }),
  };
}
