#!/usr/bin/env node
import './config/node-version';

import { runCommandLine } from './commands/run';

void runCommandLine(process.env, process.argv.slice(2)).then((code) => {
  // `serve` keeps running and sets its own exit code.
  if (code !== 0) process.exitCode = code;
});
