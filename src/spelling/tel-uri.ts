const VISUAL = '[-.()]';
const GLOBAL = `\\+${VISUAL}*\\d(?:\\d|${VISUAL})*`;
const LOCAL = `(?:[0-9A-Fa-f*#]|${VISUAL})*[0-9A-Fa-f*#](?:[0-9A-Fa-f*#]|${VISUAL})*`;
const PARAMETER = ";[A-Za-z0-9-]+(?:=[A-Za-z0-9\\-_.!~*'()\\[\\]/:&+$%]+)?";

/** A tel URI (RFC 3966, 3). A local number needs no `phone-context` (model/format/tel-uri.ts says why). */
export const TEL_URI = new RegExp(`^tel:(?:${GLOBAL}|${LOCAL})(?:${PARAMETER})*$`);
