/** Characters that are not visible, or change how others are shown, such as those that write from right to left. */
export const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
