import type { Command } from 'commander';

/** The shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

interface Word {
  readonly name: string;
  readonly about: string;
}

interface Flag extends Word {
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** What can follow a command. `path` is the command with its parents, separated by spaces. */
interface Place {
  readonly path: string;
  readonly words: readonly Word[];
  readonly flags: readonly Flag[];
}

/** The completion script for a shell, generated from the commands and options that the program declares. */
export function completionFor(program: Command, shell: Shell): string {
  const places = placesOf(program, program.name());
  return { bash, zsh, fish }[shell](program.name(), places);
}

function placesOf(command: Command, path: string): readonly Place[] {
  const help = command.createHelp();
  const flags = help.visibleOptions(command).map((option): Flag => ({
    name: option.long ?? option.flags,
    about: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  }));
  const commands = help.visibleCommands(command);
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((name): Word => ({ name, about: description })),
  );
  const words = [...commands.map((each): Word => ({ name: each.name(), about: each.description() })), ...choices];
  return [{ path, words, flags }, ...commands.flatMap((each) => placesOf(each, `${path} ${each.name()}`))];
}

function bash(name: string, places: readonly Place[]): string {
  return `_${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at=${name} words= flags= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${alternatives(places)}) at="$at $word" ;;
    esac
  done
  case "$at $prev" in
${valuesOf(places, (path, choices) => `    ${path}) COMPREPLY=($(compgen -W ${choices} -- "$cur")); return ;;`)}
  esac
  case "$at" in
${places.map(({ path, words, flags }) => `    ${quote(path)}) words=${names(words)} flags=${names(flags)} ;;`).join('\n')}
  esac
  [[ $cur == -* ]] && words=$flags
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _${name} ${name}
`;
}

function zsh(name: string, places: readonly Place[]): string {
  const list = (words: readonly Word[]): string => words.map((word) => quote(`${word.name}:${word.about}`)).join(' ');
  return `#compdef ${name}
_${name}() {
  local at=${name} word
  local -a found flags
  for word in \${words[2,CURRENT-1]}; do
    case "$at $word" in
      (${alternatives(places)}) at="$at $word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${valuesOf(places, (path, choices) => `    (${path}) found=(\${=:-${choices}}); compadd -a found; return ;;`)}
  esac
  case "$at" in
${places.map(({ path, words, flags }) => `    (${quote(path)}) found=(${list(words)}) flags=(${list(flags)}) ;;`).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then _describe option flags
  elif (( \${#found} )); then _describe command found
  else _files
  fi
}
if [ "$funcstack[1]" = _${name} ]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function fish(name: string, places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words, flags }) => {
    const rule = `complete -c ${name} -n ${quoteForFish(`__${name}_at ${quoteForFish(path)}`)}`;
    return [
      ...words.map((word) => `${rule} -f -a ${quoteForFish(word.name)} -d ${quoteForFish(word.about)}`),
      ...flags.map(({ name: flag, about, takesValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a ${quoteForFish(choices.join(' '))}` : takesValue ? ' -r' : '';
        return `${rule} -l ${flag.replace(/^--/, '')}${value} -d ${quoteForFish(about)}`;
      }),
    ];
  });
  return `function __${name}_at
  set -l at ${name}
  for word in (commandline -opc)[2..]
    switch "$at $word"
      case ${places.map(({ path }) => quoteForFish(path)).join(' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function alternatives(places: readonly Place[]): string {
  return places.map(({ path }) => quote(path)).join(' | ');
}

function valuesOf(places: readonly Place[], line: (path: string, choices: string) => string): string {
  return places
    .flatMap(({ path, flags }) =>
      flags
        .filter(({ choices }) => choices.length > 0)
        .map(({ name, choices }) => line(quote(`${path} ${name}`), quote(choices.join(' ')))),
    )
    .join('\n');
}

function names(words: readonly Word[]): string {
  return quote(words.map(({ name }) => name).join(' '));
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
