import 'reflect-metadata';

import { stripVTControlCharacters } from 'node:util';

import { CommanderError } from 'commander';

import { DomainError } from '../errors';
import { CommandEnd, CommandError, reasonOf } from './answer';
import { createProgram } from './program';
import { visible, visibleJson } from './table';

/** Runs a command line (without `node` and the script), and returns the exit code. */
export async function runCommandLine(env: NodeJS.ProcessEnv, given: readonly string[]): Promise<number> {
  const json = given.includes('--json');
  try {
    await createProgram(env, json).parseAsync([...given], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // Commander has printed the error
    if (error instanceof CommandEnd) return error.code;
    process.stderr.write(json ? `${visibleJson({ error: jsonOf(error) })}\n` : visible(textOf(error)));
    return error instanceof CommandError ? error.code : 1;
  }
}

function textOf(error: unknown): string {
  const given = error instanceof CommandError ? error.details : [];
  const details = process.stderr.isTTY ? given : given.map(stripVTControlCharacters);
  return [...details, reasonOf(error)].map((line) => `${line}\n`).join('');
}

function jsonOf(error: unknown): object {
  const message = reasonOf(error);
  if (error instanceof DomainError) return { code: error.code, message };
  const details = error instanceof CommandError ? error.details.map(stripVTControlCharacters) : [];
  return { code: 'FAILED', message, ...(details.length > 0 && { details }) };
}
