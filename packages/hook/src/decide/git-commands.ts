/** The options of `git rm` with which it leaves the files alone, or which do not matter. None takes a value. */
const RM_OPTIONS: ReadonlySet<string> = new Set([
  '--cached',
  '-r',
  '-f',
  '--force',
  '-n',
  '--dry-run',
  '-q',
  '--quiet',
  '--ignore-unmatch',
]);

/**
 * Whether a command of git leaves the files that it names as they are: it records them, or shows them. The list is
 * closed; options before the subcommand, and words known only at run time, are not on it.
 */
export function leavesFiles([program, subcommand, ...args]: readonly (string | null)[]): boolean {
  if (program !== 'git' || args.includes(null)) return false;
  const words = args.filter((word) => word !== null);
  switch (subcommand) {
    case 'add':
      return true;
    case 'rm':
      return leavesRemoved(words);
    case 'status':
    case 'log':
    case 'diff':
    case 'show':
    case 'blame':
      // Also after `--`, which may be the value of an option. git takes `--outp` for `--output`.
      return !words.some((word) => /^--?(?:o(?!neline$)|fil)/i.test(word));
    default:
      return false;
  }
}

/** Only with `--cached`; `--no-cached` would take that back. */
function leavesRemoved(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const options = (end === -1 ? words : words.slice(0, end)).filter((word) => word.startsWith('-'));
  return options.includes('--cached') && options.every((option) => RM_OPTIONS.has(option));
}
