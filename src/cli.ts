#!/usr/bin/env node
import 'reflect-metadata';

import { createProgram } from './commands/program';

createProgram(process.env)
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
