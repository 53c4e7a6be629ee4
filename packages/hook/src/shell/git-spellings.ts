/** Words of a command; `null` for one that is only known at run time. */
type Words = readonly (string | null)[];

/** Options before the subcommand that take a value in the next word. */
const GLOBAL_VALUED = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--exec-path',
  '--config-env',
  '--attr-source',
]);

/** Settings that may turn one subcommand into another, or a push into a forced one. */
const CHANGING = /^(?:alias|remote|push|url|include|includeif)\./i;

/** The options of a subcommand: letters with their long names, and all long names; `=` if an option takes a value. */
interface Subcommand {
  readonly letters: Readonly<Record<string, string>>;
  readonly long: readonly string[];
}

const SUBCOMMANDS: ReadonlyMap<string, Subcommand> = new Map([
  [
    'push',
    {
      letters: {
        f: 'force',
        d: 'delete',
        n: 'dry-run',
        u: 'set-upstream',
        q: 'quiet',
        v: 'verbose',
        o: 'push-option=',
        '4': 'ipv4',
        '6': 'ipv6',
      },
      long: [
        'all branches mirror delete tags follow-tags signed atomic dry-run force force-with-lease force-if-includes',
        'push-option= receive-pack= exec= repo= set-upstream thin quiet verbose progress recurse-submodules= prune',
        'porcelain verify ipv4 ipv6',
      ].flatMap((line) => line.split(' ')),
    },
  ],
]);

/**
 * A git command as rules name it: without global options, short options written out, abbreviations completed, and what
 * a refspec asks for as an option: `+main` is `--force`, `:main` is `--delete`. `undefined` if there is nothing to add.
 */
export function gitSpelling([program, ...args]: Words): Words | undefined {
  const name =
    program
      ?.split('/')
      .at(-1)
      ?.toLowerCase()
      .replace(/\.exe$/, '') ?? '';
  const [, joined] = /^git-(.+)$/.exec(name) ?? [];
  if (name !== 'git' && joined === undefined) return undefined;
  const { words, isChanged } =
    joined === undefined ? withoutGlobals(args) : { words: [joined, ...args], isChanged: false };
  const [subcommand, ...rest] = words;
  // With an alias, what follows may be anything.
  if (isChanged) return ['git', null, ...words.slice(1), null];
  const known = SUBCOMMANDS.get(subcommand ?? '');
  if (subcommand === undefined || known === undefined)
    return words.length === args.length ? undefined : ['git', ...words];
  const { options, operands } = spelledOut(rest, known);
  return [
    'git',
    subcommand,
    ...operands,
    ...options,
    ...(subcommand === 'push' ? refspecOptions(operands) : []),
  ];
}

function withoutGlobals(args: Words): { readonly words: Words; readonly isChanged: boolean } {
  let isChanged = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === null || word === undefined) return { words: args.slice(at), isChanged };
    if (!word.startsWith('-')) return { words: args.slice(at), isChanged };
    const value = GLOBAL_VALUED.has(word) ? args[++at] : word.replace(/^(?:-c|--config-env=)/, '');
    if (/^(?:-c|--config-env)/.test(word) && (value === null || CHANGING.test(value ?? ''))) isChanged = true;
  }
  return { words: [], isChanged };
}

/** Values in a word of their own count as operands, too: an option must not hide one. */
function spelledOut(words: Words, known: Subcommand): { readonly options: Words; readonly operands: Words } {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const isOption = (word: string | null, at: number): word is string => at < end && /^-./.test(word ?? '');
  return {
    options: words.flatMap((word, at) => (isOption(word, at) ? optionsIn(word, known) : [])),
    operands: words.filter((word, at) => at !== end && !isOption(word, at)),
  };
}

function optionsIn(word: string, { letters, long }: Subcommand): readonly string[] {
  if (word.startsWith('--')) return [completed(word, long)];
  const all = word.slice(1).split('');
  const valued = all.findIndex((letter) => letters[letter]?.endsWith('=') === true);
  const flags = valued === -1 ? all : all.slice(0, valued + 1);
  return flags.map((letter) => `--${letters[letter]?.replace('=', '') ?? letter}`);
}

/** git takes a long option by any beginning that only one has. */
function completed(word: string, long: readonly string[]): string {
  const [name = '', ...value] = word.slice(2).split('=');
  const names = long.map((one) => one.replace('=', ''));
  const found = names.filter((one) => one.startsWith(name));
  const [full = name] = names.includes(name) ? [name] : found;
  return `--${full}${value.length === 0 ? '' : `=${value.join('=')}`}`;
}

function refspecOptions(operands: Words): readonly string[] {
  const has = (form: RegExp): boolean => operands.some((word) => word !== null && form.test(word));
  return [...(has(/^\+/) ? ['--force'] : []), ...(has(/^\+?:./) ? ['--delete'] : [])];
}
