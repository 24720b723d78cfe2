import { Command } from 'commander';

import { serve } from '../app/serve';
import { packageVersion } from '../config/version';
import { migrations } from '../database/migrations';
import { kinds } from '../model/kinds';
import { modelOf } from '../model/model';
import { answering, EXIT_CODES } from './answer';
import { addApiTokenCommands } from './api-tokens';
import { addBackupCommand } from './backup';
import { addCallCommands } from './calls';
import { Databases } from './databases';
import { addExplainCommand } from './explain';
import { addExportRowsCommand } from './exports/export-rows';
import { addGitCommands } from './git/git';
import { addHistoryCommands } from './history';
import { addKamailioCommands } from './kamailio/kamailio';
import { addKeyCommands } from './keys';
import { addLiveCommands } from './live';
import { addImportFromCommand } from './moving/import-from';
import { addReplayCommand } from './moving/replay';
import { addResourceCommands } from './resources';
import { addTransferCommands } from './transfer';
import { addUserCommands } from './users';

/**
 * Creates the command line. The commands read the same configuration as the server. Parsing throws the error of a
 * failed command.
 */
export function createProgram(env: NodeJS.ProcessEnv, json: boolean): Command {
  const program = new Command('sipgraph')
    .description('The management plane of a SIP server. Reads its configuration from the environment.')
    .version(packageVersion(), '-v, --version')
    // Set before the commands are added, because they inherit both settings.
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => {
        write(json ? `${JSON.stringify({ error: { code: 'USAGE', message: text.trim() } })}\n` : text);
      },
    });
  program.addHelpText('afterAll', EXIT_CODES);
  const model = modelOf(kinds);
  const databases = new Databases(env);

  answering(program.command('serve').description('start the GraphQL and REST server'), () => serve(env));
  answering(program.command('migrate').description('create the tables, or migrate them to this version'), () =>
    databases.openMigrated((_, ran) => Promise.resolve({ text: [resultOf(ran)], json: { migrations: ran } })),
  );
  addExplainCommand(program, databases, model);
  addLiveCommands(program, databases, model);
  addCallCommands(program, databases, model);
  addResourceCommands(program, databases, model);
  addUserCommands(program.command('user').description('manage users'), databases);
  addApiTokenCommands(program.command('token').description('manage API tokens'), databases);
  addTransferCommands(program, databases, model);
  addExportRowsCommand(program, databases, model);
  addImportFromCommand(program, databases, model);
  addReplayCommand(program, databases, model);
  addGitCommands(program, databases, model, env);
  addHistoryCommands(program, databases, model);
  addBackupCommand(program.command('backup'), databases);
  addKeyCommands(program.command('key').description('manage the keys that sign tokens'), databases);
  addKamailioCommands(
    program.command('kamailio').description('set up Kamailio to read the model and to write registrations'),
    databases,
  );
  return program;
}

/** Describes the result of `migrate`, given the number of migrations that ran. */
function resultOf(ran: number): string {
  if (ran === 0) return 'The database is up to date.';
  return ran === migrations.length
    ? 'Created the tables.'
    : `Ran ${ran === 1 ? '1 migration' : `${String(ran)} migrations`}.`;
}
