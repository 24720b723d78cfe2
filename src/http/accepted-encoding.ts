/** Whether an Accept-Encoding header accepts an encoding by its name (RFC 9110, 12.5.3). */
export function isAccepted(encoding: 'br' | 'gzip', header = ''): boolean {
  return new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`, 'i').test(header);
}
