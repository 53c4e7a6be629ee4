import { isNarrowGlob } from '@proffer/steward/guard';
import { beginningOf, type ShellWord } from './shell-line.js';

/** Programs that write nothing and run nothing, whatever their options. */
const ANY_OPTIONS: ReadonlySet<string> = new Set(
  [
    'ls cat head tail wc pwd echo true false : cd stat du df which type basename dirname realpath readlink nl cut tr',
    'cmp comm md5sum sha1sum sha256sum cksum id whoami uname <',
  ].flatMap((line) => line.split(' ')),
);

/** Options of a command that are known. With any other option, it may do more. */
export interface CommandOptions {
  /** One-letter options without a value. */
  readonly letters?: string;
  /** One-letter options with a value, in the same word or the next. */
  readonly valued?: string;
  /** Long options; with `=` if they take a value, in the same word or the next. */
  readonly long?: string;
  /** Options with one dash, for which the next word is the value whatever it is. */
  readonly dashed?: string;
  /** The options of these whose value is a glob. */
  readonly globs?: string;
  /** Whether there may be no words but options. */
  readonly isBare?: true;
}

const HISTORY: CommandOptions = {
  letters: 'pswbRqz0123456789',
  valued: 'nSGLU',
  long: [
    'oneline stat shortstat numstat name-only name-status graph all decorate patch no-patch cached staged word-diff',
    'color no-color no-pager format= pretty= date= author= grep= since= until= after= before= max-count= skip= unified=',
    'follow merges no-merges first-parent reverse abbrev-commit summary raw ignore-all-space ignore-space-change',
    'ignore-blank-lines diff-filter= minimal branches tags remotes left-right merge-base topo-order date-order quiet',
    'no-ext-diff no-textconv full-index exit-code relative no-renames porcelain line-porcelain',
  ].join(' '),
};

/** By program, and for git and npm by subcommand. What searches hidden files, too, would show secrets: it is not listed. */
const COMMANDS: Readonly<Record<string, CommandOptions>> = {
  grep: {
    letters: 'niIlLwxEFPvchHoqs',
    valued: 'eABCm',
    long: [
      'line-number ignore-case count files-with-matches only-matching invert-match word-regexp fixed-strings',
      'extended-regexp max-count= context= after-context= before-context= color=',
    ].join(' '),
  },
  diff: { letters: 'uqwbBiy', valued: 'U', long: 'unified brief ignore-all-space side-by-side color=' },
  sort: {
    letters: 'bdfghiMnRrVcCmsuz',
    valued: 'kt',
    long: 'reverse numeric-sort human-numeric-sort version-sort unique ignore-case stable key= field-separator= check',
  },
  rg: {
    letters: 'nilcovwxsSFUPHIaqhN0',
    valued: 'eABCgtTmrM',
    globs: 'g glob iglob',
    long: [
      'line-number no-line-number ignore-case case-sensitive smart-case files files-with-matches files-without-match count',
      'glob= iglob= type= type-not= context= after-context= before-context= max-count= max-depth= json',
      'word-regexp line-regexp fixed-strings multiline invert-match only-matching no-heading heading color= sort= column',
      'vimgrep stats replace= no-messages pcre2 type-list trim no-filename with-filename max-columns= max-filesize=',
    ].join(' '),
  },
  find: {
    letters: 'LHPoa',
    dashed: [
      'name= iname= path= ipath= wholename= regex= iregex= type= xtype= maxdepth= mindepth= size= newer= mtime= mmin=',
      'atime= amin= ctime= cmin= user= group= perm= links= inum= samefile= regextype= printf= empty print print0 not or',
      'and prune depth mount xdev true false readable writable executable ls quit daystart',
    ].join(' '),
  },
  'git status': {
    letters: 'sbvz',
    long: 'short branch porcelain long verbose ignored show-stash no-ahead-behind no-renames',
  },
  'git log': HISTORY,
  'git diff': HISTORY,
  'git show': HISTORY,
  'git blame': HISTORY,
  'git shortlog': { letters: 'sne', long: 'summary numbered email all no-merges since= until=' },
  'git branch': { letters: 'avr', long: 'all list remotes show-current verbose sort= format=', isBare: true },
  'git tag': { letters: 'ln', long: 'list sort=', isBare: true },
  'git remote': { letters: 'v', long: 'verbose', isBare: true },
  'git rev-parse': {
    long: 'abbrev-ref short show-toplevel show-prefix git-dir is-inside-work-tree verify quiet',
  },
  'git ls-files': {
    letters: 'cdmoiskuzt',
    long: 'cached deleted modified others ignored stage exclude-standard full-name',
  },
  'git ls-tree': { letters: 'drtlz', long: 'name-only long full-name full-tree' },
  'git describe': { long: 'tags always dirty long abbrev= match=' },
  'git grep': {
    letters: 'niIlLwEFPvchrpWq',
    valued: 'eABCm',
    long: 'line-number ignore-case name-only count cached',
  },
  'npm ls': { letters: 'al', long: 'all long json parseable depth=' },
  'npm list': { letters: 'al', long: 'all long json parseable depth=' },
};

/**
 * Whether a command only reads, by its words: its program is listed, and so are all its options. A word that may turn
 * into an option is not known to be harmless. Programs that git runs by its own settings are your choice, like git itself.
 */
export function onlyReads([program, ...args]: readonly ShellWord[]): boolean {
  const name = program?.value ?? '';
  if (ANY_OPTIONS.has(name)) return true;
  const isGroup = name === 'git' || name === 'npm';
  const options = COMMANDS[isGroup ? `${name} ${args[0]?.value ?? ''}` : name];
  if (options === undefined || comparesOutside(name, args)) return false;
  return listedOperands(isGroup ? args.slice(1) : args, options) !== undefined;
}

/** The words of a command that are neither options nor their values; `undefined` if one of them may not be listed. */
export function listedOperands(
  words: readonly ShellWord[],
  options: CommandOptions,
): readonly ShellWord[] | undefined {
  const operands: ShellWord[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as ShellWord;
    if (word.value === '--') {
      const rest = words.slice(at + 1);
      return options.isBare !== true && rest.every(isOperand) ? [...operands, ...rest] : undefined;
    }
    if (word.value === null || !/^-./.test(word.value)) {
      if (options.isBare === true || !isOperand(word)) return undefined;
      operands.push(word);
      continue;
    }
    const option = readOption(word.value, options);
    if (option === undefined) return undefined;
    const { name, value = option.next === undefined ? '' : words[++at]?.value } = option;
    // Where a value may be left out, as in `git log --pretty`, a word with a dash is the next option.
    if (value === null || (option.next === 'no option' && /^-./.test(value ?? ''))) return undefined;
    if (isIn(options.globs, name) && !isNarrowGlob(value ?? '')) return undefined;
  }
  return operands;
}

/** With two places, one of them outside of the repository, `git diff` shows all files in them, like `diff -r`. */
function comparesOutside(program: string, [subcommand, ...args]: readonly ShellWord[]): boolean {
  if (program !== 'git' || subcommand?.value !== 'diff') return false;
  const operands = args.map(beginningOf).filter((word) => !word.startsWith('-'));
  return operands.length > 1 && operands.some((word) => /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(word));
}

/** A listed option: its value, if that is in the same word, or else what the next word must be to be its value. */
interface ListedOption {
  readonly name: string;
  readonly value?: string;
  readonly next?: 'anything' | 'no option';
}

/** The last option in a word; `undefined` if one of them is not listed. */
function readOption(word: string, options: CommandOptions): ListedOption | undefined {
  const [, dashes, name = '', given] = /^(--?)([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  if (dashes === '--') {
    if (isIn(options.long, name)) return { name };
    if (!isIn(options.long, `${name}=`)) return undefined;
    return given === undefined ? { name, next: 'no option' } : { name, value: given };
  }
  if (isIn(options.dashed, name)) return { name };
  if (isIn(options.dashed, `${name}=`)) return { name, next: 'anything' };
  const letters = word.slice(1).split('');
  const valued = letters.findIndex((letter) => options.valued?.includes(letter) === true);
  const flags = valued === -1 ? letters : letters.slice(0, valued);
  if (!flags.every((letter) => options.letters?.includes(letter) === true)) return undefined;
  if (valued === -1) return { name: '' };
  const letter = letters[valued] as string;
  const rest = letters.slice(valued + 1).join('');
  return rest === '' ? { name: letter, next: 'no option' } : { name: letter, value: rest };
}

function isIn(names: string | undefined, name: string): boolean {
  return names?.split(' ').includes(name) === true;
}

/** A word that cannot become an option: a known one, or a glob that begins with something else than a dash. */
function isOperand(word: ShellWord): boolean {
  if (word.value !== null) return true;
  return /^[^-]/.test(beginningOf(word)) && word.gaps.every((gap) => gap === 'name');
}
