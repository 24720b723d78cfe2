import './config/node-version';

import { runCommandLine } from './commands/run';

// As `sipgraph serve`, which sets its own exit code once it listens.
void runCommandLine(process.env, ['serve', ...process.argv.slice(2)]).then((code) => {
  if (code !== 0) process.exitCode = code;
});
