import { Argument, type Command } from 'commander';
import type { AddCommands } from '../command-families.js';
import type { EndpointOptions } from '../command-options.js';
import { connect } from '../connection/connect.js';
import { sessionIds } from '../negotiation/index.js';
import type { Shell } from '../terminal/shell.js';

/** A command as completion sees it. */
interface Offer {
  /** The path of the command, such as `/negotiate/policy/list`. */
  readonly place: string;
  readonly name: string;
  readonly description: string;
  /** The subcommands of the command. */
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly { readonly long: string; readonly description: string }[];
  /** Whether the command takes the id of a proposal or a session. */
  readonly takesId: boolean;
}

/** What a script calls to list ids, followed by the words before the cursor. */
const IDS = 'complete-ids';

/** `proffer completion SHELL`: a script that completes commands, options and ids. */
export const addCompletion: AddCommands = (program, shell) => {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .description('Print a script that completes commands, options and ids')
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
    });

  program
    .command(IDS, { hidden: true })
    .argument('[words...]', 'the words before the cursor, after --')
    .description('Print the ids that may follow; for completion scripts')
    .action(async (words: readonly string[]) => await completeIds(words, shell));
};

function offersOf(parent: Command, place = ''): readonly Offer[] {
  const offers: Offer[] = [];
  for (const command of parent.commands) {
    if (command.name() === IDS) continue;
    const own = `${place}/${command.name()}`;
    const options = command.options.flatMap(({ long, description, hidden }) =>
      long === undefined || long === null || hidden ? [] : [{ long, description }],
    );
    const commands = command.commands.map((one) => ({ name: one.name(), description: one.description() }));
    const [argument] = command.registeredArguments;
    const takesId = argument?.name() === 'session' || (argument?.name() === 'id' && place === '');
    const description = command.description();
    offers.push({ place: own, name: command.name(), description, options, commands, takesId });
    offers.push(...offersOf(command, own));
  }
  return offers;
}

/** The top-level commands. */
function first(offers: readonly Offer[]): readonly Offer[] {
  return offers.filter(({ place, name }) => place === `/${name}`);
}

/** Shell code, the same in bash and zsh, that finds the command before the cursor. */
function descend(offers: readonly Offer[]): string {
  return `    case "$place/$word" in
      ${offers.map(({ place }) => place).join('|')}) place="$place/$word" ;;
    esac`;
}

function bashScript(offers: readonly Offer[]): string {
  const cases = offers.map(({ place, options, commands }) => {
    const words = [...commands.map(({ name }) => name), ...options.map(({ long }) => long), '--help'];
    return `    ${place}) words="${words.join(' ')}" ;;`;
  });
  return `_proffer() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place="" word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${descend(offers)}
  done
  case "$place" in
    "") words="${first(offers)
      .map(({ name }) => name)
      .join(' ')}" ;;
${cases.join('\n')}
  esac
  case "$place" in
    ${placesWithIds(offers)})
      [[ "$current" == -* ]] || words="$words $(proffer ${IDS} -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _proffer proffer`;
}

/** A pattern, the same in bash and zsh, of the commands that take an id. */
function placesWithIds(offers: readonly Offer[]): string {
  return offers.flatMap(({ place, takesId }) => (takesId ? [place] : [])).join('|');
}

function zshScript(offers: readonly Offer[]): string {
  const describe = (commands: readonly Pick<Offer, 'name' | 'description'>[]): string => {
    const list = commands.map(({ name, description }) =>
      single(`${name}:${description.replaceAll(':', ' ')}`),
    );
    return `commands=(${list.join(' ')}); _describe command commands`;
  };
  const cases = offers.map(({ place, options, commands, takesId }) => {
    if (commands.length > 0) return `    ${place}) ${describe(commands)} ;;`;
    const specs = options.map(({ long, description }) =>
      single(`${long}[${description.replace(/[[\]:]/g, ' ')}]`),
    );
    const rest = takesId ? '"*:id:(${ids[*]})"' : "'*:file:_files'";
    return `    ${place}) _arguments ${[...specs, rest].join(' ')} ;;`;
  });
  return `#compdef proffer
_proffer() {
  local -a commands ids
  local place="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
${descend(offers)}
  done
  case "$place" in
    ${placesWithIds(offers)})
      ids=(\${(f)"$(proffer ${IDS} -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)"}) ;;
  esac
  case "$place" in
    "") ${describe(first(offers))} ;;
${cases.join('\n')}
  esac
}
compdef _proffer proffer`;
}

function fishScript(offers: readonly Offer[]): string {
  return offers
    .flatMap(({ place, name, description, options, takesId }) => {
      const before = place.split('/').slice(1, -1);
      return [
        `complete -c proffer -n ${before.length === 0 ? '__fish_use_subcommand' : seen(before)} -a ${name} -d ${single(description)}`,
        ...(takesId
          ? [
              `complete -c proffer -n ${seen([...before, name])} -f -a '(proffer ${IDS} -- (commandline -opc)[2..-1] 2>/dev/null)'`,
            ]
          : []),
        ...options.map(
          (option) =>
            `complete -c proffer -n ${seen([...before, name])} -l ${option.long.slice(2)} -d ${single(option.description)}`,
        ),
      ];
    })
    .join('\n');
}

/** The fish condition that all of these commands are on the line. */
function seen(names: readonly string[]): string {
  return single(names.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and '));
}

/** In single quotes, where only the quote itself is special. */
function single(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}

/** Options that say where to look and as whom; each takes a value. */
const PLACE = ['url', 'gateway', 'space', 'token', 'as', 'ca'] as const;

/**
 * The proposer chooses the id, and shells expand completions, so an id with characters that a shell would interpret is
 * not offered.
 */
const SAFE = /^[A-Za-z0-9][\w.-]*$/;

/** How long an answer may take, in milliseconds: the user has just pressed Tab. */
const TIMEOUT = 1_500;

/** Prints the ids that may come next on a command line, one per line; prints nothing if they cannot be found. */
async function completeIds(words: readonly string[], shell: Shell): Promise<void> {
  const [command] = words;
  try {
    const ids =
      command === 'negotiate' ? await sessionIds(optionsIn(words), shell) : await proposalIds(words, shell);
    const safe = ids.filter((id) => SAFE.test(id));
    if (safe.length > 0) shell.print(...safe);
  } catch {
    // An error would only disturb the line that is being typed.
  }
}

async function proposalIds(words: readonly string[], shell: Shell): Promise<readonly string[]> {
  const role = words[0] === 'withdraw' || words[0] === 'renew' ? 'agent' : 'reviewer';
  const connection = connect(optionsIn(words), shell, role, { until: Date.now() + TIMEOUT });
  return (await connection.pending()).proposals.map(({ id }) => id);
}

function optionsIn(words: readonly string[]): EndpointOptions {
  const found: Record<string, string | boolean> = words.includes('--guard') ? { guard: true } : {};
  for (const [index, word] of words.entries()) {
    for (const name of PLACE) {
      const value = word === `--${name}` ? words[index + 1] : undefined;
      if (value !== undefined) found[name] = value;
      else if (word.startsWith(`--${name}=`)) found[name] = word.slice(name.length + 3);
    }
  }
  return found;
}
