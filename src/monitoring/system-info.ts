import type { Config } from '../config/config';
import { API_VERSION } from '../model/kind';

/** The system information (docs/rest-contract.md, section 2.11). */
export interface SystemInfo {
  readonly version: string;
  readonly apiVersion: string;
  readonly apiPath: string;
  readonly env: readonly { readonly var: string; readonly value: string }[];
}

/** The path prefix of the REST API, with its version. */
export const API_PATH = `/api/${API_VERSION}`;

/** Builds the system information from the configuration. */
export function systemInfo({ version, systemEnv }: Config): SystemInfo {
  return { version, apiVersion: API_VERSION, apiPath: API_PATH, env: systemEnv };
}
