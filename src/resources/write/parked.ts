/**
 * What is stored in place of a unique text that another resource has, until the transaction writes the text itself. No
 * tel URI or host begins with `~`.
 */
export function parkedText(rowId: number): string {
  return `~${String(rowId)}`;
}

/** Whether a stored tel URI or host is in place of another one. */
export function isParkedText(text: string): boolean {
  return text.startsWith('~');
}
