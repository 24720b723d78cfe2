import globalSetup from './global-setup';
import { programPath } from './programs';

const PROGRAMS = ['mariadbd', 'kamailio', 'sipp'];

/** Jest's global setup of the tests with real SIP: says which programs they miss, once, before any of them fails. */
export default async function globalSipSetup(): Promise<void> {
  const missing = PROGRAMS.filter((name) => programPath(name) === undefined);
  if (missing.length > 0) throw new Error(`The tests with real SIP need on the PATH: ${missing.join(', ')}`);
  await globalSetup();
}
