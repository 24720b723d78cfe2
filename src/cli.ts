#!/usr/bin/env node
import './config/node-version';

import { runCommandLine } from './commands/run';

// Whoever reads the output, such as `head`, may stop before its end. Commands report other errors.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' && process.argv[2] !== 'serve') process.exit();
});
process.stderr.on('error', () => undefined);

void runCommandLine(process.env, process.argv.slice(2)).then((code) => {
  // `serve` keeps running and sets its own exit code.
  if (code !== 0) process.exitCode = code;
});
