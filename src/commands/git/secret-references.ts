import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';

import { quote } from '../../errors';
import { CommandError } from '../answer';
import { isInside, readText } from './directory';

const REFERENCE = /^(env|file):(.{1,200})$/;
const VARIABLE = /^SIPGRAPH_SECRET_[A-Z0-9_]{1,80}$/;
const MAX_BYTES = 4096;

/** Why a reference has no secret. The message never has the secret. */
export class SecretReferenceError extends Error {}

/** Whether a value names a secret instead of being one. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && REFERENCE.test(value);
}

/**
 * Finds the secrets that documents and plans name. Whoever may propose a document must not be able to store any variable
 * or file of the machine as the secret of a resource. Therefore, variables must begin with SIPGRAPH_SECRET_, and files
 * must be in one directory.
 */
export class SecretReferences {
  constructor(
    private readonly env: NodeJS.ProcessEnv,
    private readonly directory: string | undefined,
  ) {}

  /** Returns the secret that `env:NAME` or `file:PATH` names. Throws SecretReferenceError. */
  async resolve(reference: string): Promise<string> {
    const [, type, name = ''] = REFERENCE.exec(reference) ?? [];
    const secret = type === 'env' ? this.variable(name) : await this.file(name);
    if (secret === '') throw new SecretReferenceError(`${quote(reference)} is empty`);
    return secret;
  }

  private variable(name: string): string {
    if (!VARIABLE.test(name))
      throw new SecretReferenceError(`${quote(`env:${name}`)} is not env:SIPGRAPH_SECRET_ and A to Z, 0 to 9 or _`);
    const value = this.env[name];
    if (value === undefined) throw new SecretReferenceError(`the environment has no variable ${name}`);
    return value;
  }

  private async file(name: string): Promise<string> {
    const told = quote(`file:${name}`);
    if (this.directory === undefined) throw new SecretReferenceError(`${told} requires --secrets <directory>`);
    try {
      const path = await realpath(resolve(this.directory, name));
      if (!(await isInside(path, this.directory)))
        throw new SecretReferenceError(`${told} is not in the directory of --secrets`);
      return (await readText(path, `file:${name}`, MAX_BYTES)).replace(/\r?\n$/, '');
    } catch (error) {
      if (error instanceof CommandError) throw new SecretReferenceError(error.message);
      if (error instanceof SecretReferenceError) throw error;
      throw new SecretReferenceError(`${told} cannot be read`);
    }
  }
}
