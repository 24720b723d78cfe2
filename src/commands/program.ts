import { Argument, Command } from 'commander';

import { loadConfig } from '../config/config';
import { kinds } from '../model/kinds';
import { modelOf } from '../model/model';
import { serve } from '../serve';
import { addExitCodes, answering } from './answer';
import { SHELLS, completionFor, type Shell } from './completion';
import { Databases } from './databases';
import { addKamailioCommands } from './kamailio';
import { addKeyCommands } from './keys';
import { addTransferCommands } from './transfer';
import { addUserCommands } from './users';

/** The command line: what an operator does beside the server, on the same configuration. Throws where a command fails. */
export function createProgram(env: NodeJS.ProcessEnv, json: boolean): Command {
  const program = new Command('sipgraph')
    .description(
      'The management plane of a SIP server. The configuration comes from the environment, as for the server.',
    )
    .version(loadConfig({}).version, '-v, --version')
    // Before the commands are added: they inherit both.
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => {
        write(json ? `${JSON.stringify({ error: { code: 'USAGE', message: text.trim() } })}\n` : text);
      },
    });
  addExitCodes(program);
  const model = modelOf(kinds);
  const databases = new Databases(env, model);

  answering(program.command('serve').description('serve GraphQL and REST'), () => serve(env));
  answering(program.command('migrate').description('make the tables of this version, or bring them up to it'), () =>
    databases.migrated((_, migrations) =>
      Promise.resolve({ text: ['The tables are those of this version.'], json: { migrations } }),
    ),
  );
  addUserCommands(program.command('user').description('keep the users'), databases);
  addTransferCommands(program, databases, model);
  addKeyCommands(program.command('key').description('keep the keys that sign tokens'), databases, () =>
    loadConfig(env),
  );
  addKamailioCommands(
    program.command('kamailio').description('have Kamailio read the model and write who is registered'),
    databases,
    () => loadConfig(env),
  );
  answering(
    program
      .command('completion')
      .description('print a script that completes commands and options, for the shell to read at its start')
      .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS)),
    (shell: Shell) => {
      const script = completionFor(program, shell);
      return { text: script.trimEnd().split('\n'), json: { script } };
    },
  );
  return program;
}
