/** What the generator wraps each document in: its text. */
export const TypedDocumentString = String as unknown as new (text: string, meta?: object) => string;
