#!/usr/bin/env node
import 'reflect-metadata';

import { runCommandLine } from './commands/run';

void runCommandLine(process.env, process.argv.slice(2)).then((code) => {
  // `serve` goes on, and ends with a code of its own.
  if (code !== 0) process.exitCode = code;
});
