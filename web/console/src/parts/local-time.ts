/** A time in UTC, as it is in addresses: users in other time zones see the same. Undefined if the text is none. */
export function utcOf(text: string | null | undefined): string | undefined {
  const at = new Date(text ?? '');
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** A time as a field of the type `datetime-local` has it, to the second. */
export function localOf(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
