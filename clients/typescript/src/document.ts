/** The wrapper that the code generator puts around the text of each document. */
export const TypedDocumentString = String as unknown as new (text: string, meta?: object) => string;
