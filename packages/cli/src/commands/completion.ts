import { Argument, type Command } from 'commander';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';

/** A command as completion sees it. */
interface Offer {
  readonly name: string;
  readonly description: string;
  readonly options: readonly { readonly long: string; readonly description: string }[];
}

/** `proffer completion SHELL`: a script that completes commands and options. */
export function addCompletion(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .description('Print a script that completes commands and options')
    .addHelpText(
      'after',
      `
bash:  source <(${shell.name} completion bash)
zsh:   source <(${shell.name} completion zsh)
fish:  ${shell.name} completion fish | source`,
    )
    .action((kind: 'bash' | 'zsh' | 'fish') => {
      const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
      shell.print(scripts[kind](offersOf(program)));
      done(EXIT.done);
    });
}

function offersOf(program: Command): readonly Offer[] {
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: command.options.flatMap(({ long, description }) =>
      long === undefined || long === null ? [] : [{ long, description }],
    ),
  }));
}

function bashScript(offers: readonly Offer[]): string {
  const cases = offers.map(
    ({ name, options }) => `    ${name}) words="${options.map(({ long }) => long).join(' ')} --help" ;;`,
  );
  return `_proffer() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${offers.map(({ name }) => name).join(' ')}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _proffer proffer`;
}

function zshScript(offers: readonly Offer[]): string {
  const commands = offers.map(({ name, description }) => `    ${single(`${name}:${description}`)}`);
  const cases = offers.map(({ name, options }) => {
    const specs = options.map(({ long, description }) =>
      single(`${long}[${description.replace(/[[\]:]/g, ' ')}]`),
    );
    return `    ${name}) _arguments ${[...specs, "'*:file:_files'"].join(' ')} ;;`;
  });
  return `#compdef proffer
_proffer() {
  local -a commands
  commands=(
${commands.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local name=\${words[2]}
  shift words
  (( CURRENT-- ))
  case $name in
${cases.join('\n')}
  esac
}
compdef _proffer proffer`;
}

function fishScript(offers: readonly Offer[]): string {
  return offers
    .flatMap(({ name, description, options }) => [
      `complete -c proffer -n __fish_use_subcommand -a ${name} -d ${single(description)}`,
      ...options.map(
        (option) =>
          `complete -c proffer -n '__fish_seen_subcommand_from ${name}' -l ${option.long.slice(2)} -d ${single(option.description)}`,
      ),
    ])
    .join('\n');
}

/** In single quotes, where nothing but the quote itself means anything. */
function single(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}
