import { isSecretName } from '../model/secret-name';
import { isMembers, type Members } from './members';

/**
 * Removes members whose names are like that of a secret, at any depth. `groups` contains the paths of objects in the
 * model, such as `spec.credentials`. These objects are kept, without the secrets in them. A list that contains a secret
 * is removed as a whole. Because PUT replaces lists, a client that sends back a list without its secrets would delete
 * the secrets.
 */
export function withoutSecrets(members: Members, groups: ReadonlySet<string>, prefix: string): Members {
  const shown = Object.entries(members).flatMap(([name, value]) => {
    const path = prefix + name;
    if (isSecretName(name) && !(groups.has(path) && isMembers(value))) return [];
    if (Array.isArray(value) && value.some(holdsSecret)) return [];
    return [[name, isMembers(value) ? withoutSecrets(value, groups, `${path}.`) : value] as const];
  });
  return Object.fromEntries(shown);
}

function holdsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isMembers(value) && Object.entries(value).some(([name, each]) => isSecretName(name) || holdsSecret(each));
}
