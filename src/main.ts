import './config/node-version';

import { runCommandLine } from './commands/run';

// The server goes on if its output cannot be written.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

// As `sipgraph serve`, which sets its own exit code once it listens.
void runCommandLine(process.env, ['serve', ...process.argv.slice(2)]).then((code) => {
  if (code !== 0) process.exitCode = code;
});
