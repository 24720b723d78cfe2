/** Characters that are not visible, or change how others are shown, such as those that write from right to left. */
export const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The same without those that choose between an emoji and a plain symbol, for texts that a browser shows. */
export const MISLEADING = /(?![\uFE0E\uFE0F])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Characters that control a terminal or end a line. */
export const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** The escape of a character of 16 bits in JSON and JavaScript. */
export function escapeOf(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Returns JSON of the same value without such characters. */
export function escapeInvisible(json: string): string {
  return json.replace(INVISIBLE, (each) =>
    Array.from({ length: each.length }, (_, at) => escapeOf(each.charCodeAt(at))).join(''),
  );
}
