import type { Argument, Command, Option } from 'commander';

import { markdownTable } from './settings-table';

/** Writes what each command does, and its arguments and options, between its heading and its example. */
export function describeCommands(page: string, program: Command): string {
  const texts = new Map(commandsOf(program, []));
  const described = page.replace(/^### (.+)\n[^]*?(?=```)/gm, (_section, name: string) => {
    const text = texts.get(name);
    if (text === undefined) throw new Error(`docs/command-line.md describes "${name}", which is not a command`);
    texts.delete(name);
    return `### ${name}\n\n${text}\n\n`;
  });
  if (texts.size > 0) throw new Error(`docs/command-line.md does not describe ${[...texts.keys()].join(', ')}`);
  return described;
}

/** The options that every command has. */
const COMMON = ['--json', '--help'];

/** The commands below a command that do something, with their texts, in the order of the help. */
function commandsOf(command: Command, path: readonly string[]): readonly (readonly [string, string])[] {
  return command.commands.flatMap((each) => {
    const names = [...path, each.name()];
    // A command that only groups others does not print a result.
    const isGroup = each.options.every(({ long }) => long !== '--json');
    return [...(isGroup ? [] : [[names.join(' '), textOf(each)] as const]), ...commandsOf(each, names)];
  });
}

function textOf(command: Command): string {
  const options = command.options.filter(({ long = '' }) => !COMMON.includes(long));
  const rows = [...command.registeredArguments.map(argumentRow), ...options.map(optionRow)];
  const table = rows.length > 0 ? [markdownTable([['Argument or option', 'Meaning'], ...rows])] : [];
  return [sentence(command.description()), ...table].join('\n\n');
}

function argumentRow(argument: Argument): readonly string[] {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return [`\`${name}\``, meaning(argument.description, argument.argChoices)];
}

function optionRow({ flags, description, argChoices, defaultValue, envVar, mandatory }: Option): readonly string[] {
  const more = [
    ...(mandatory && defaultValue === undefined ? ['Required.'] : []),
    ...(defaultValue === undefined ? [] : [`Default: \`${String(defaultValue)}\`.`]),
    ...(envVar === undefined ? [] : [`Environment: \`${envVar}\`.`]),
  ];
  return [`\`${flags}\``, [meaning(description, argChoices), ...more].join(' ')];
}

function meaning(description: string, choices: readonly string[] | undefined): string {
  return sentence(choices ? `${description}: ${choices.map((each) => `\`${each}\``).join(', ')}` : description);
}

/** Descriptions are fragments without a full stop. `<file>` would be HTML in Markdown. */
function sentence(fragment: string): string {
  return `${fragment.charAt(0).toUpperCase()}${fragment.slice(1)}.`.replaceAll('<', '\\<').replaceAll('|', '\\|');
}
