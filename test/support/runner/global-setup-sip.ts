import type { GlobalConfig } from 'jest';

import globalSetup from './global-setup';
import { programPath } from './programs';

const PROGRAMS = ['mariadbd', 'kamailio', 'sipp'];

/** Jest's global setup for the tests with real SIP. Reports missing programs once, before any test fails. */
export default async function globalSipSetup(jest: GlobalConfig): Promise<void> {
  const missing = PROGRAMS.filter((name) => programPath(name) === undefined);
  if (missing.length > 0) throw new Error(`The tests with real SIP need on the PATH: ${missing.join(', ')}`);
  await globalSetup(jest);
}
