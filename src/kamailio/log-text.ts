/**
 * A pseudo-variable's text in a log line. Whatever a stranger may write is reduced to characters that cannot end the line, nor
 * imitate another one: fail2ban reads addresses from this log.
 */
export function logText(variable: string): string {
  return `$(${variable}{re.subst,/[^A-Za-z0-9@.:+-]/_/g})`;
}
