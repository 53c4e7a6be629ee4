import { beginningOf, type ShellCommand } from '../shell/index.js';

const OWN = /^(?:proffer|proffer-hook)(?:\.(?:[cm]?js|cmd|ps1|exe))?$/i;
/** The name as a word in a text, or the packages. */
const MENTION = /(?<![\w.-])proffer(?:-hook)?(?![\w.-])|@proffer\//i;
const RUNNERS = new Set('npx npm pnpm pnpx yarn bun bunx node deno tsx corepack'.split(' '));
/** Programs that run what their arguments say. */
const INTERPRETERS = new Set(
  'python perl ruby php lua awk gawk mawk osascript ssh docker podman make vim vi emacs sqlite3 tclsh'.split(
    ' ',
  ),
);

/** Whether a command runs Proffer's own command line, by name, as a package or as a file. */
export function runsProffer({ words }: ShellCommand): boolean {
  const [program = '', ...args] = words.map(beginningOf);
  if (OWN.test(lastPart(program))) return true;
  if (!RUNNERS.has(nameOf(program))) return false;
  return args.some((arg) => MENTION.test(arg) || OWN.test(lastPart(arg)));
}

/** A command line of Proffer's inside an argument: `alias.x=!proffer approve p-1`, `--to-command=proffer approve p-1`. */
const COMMAND_LINE =
  /(?:^|[=!;&|("'`])\s*(?:[^\s=]*\/)?proffer(?:-hook)?\s+[a-z]|!\s*(?:\S*\/)?proffer(?![\w.])/i;
/** Commands that decide, or change who may. */
const DECIDING = new Set('approve fulfil grant delegate resume token rules disconnect connect'.split(' '));

/**
 * Whether a command may run it: an interpreter with the name in its text, or any program that is given a command line of it.
 * Many programs run others: git by an alias, tar for each file, tmux in a window.
 */
export function mayRunProffer({ words }: ShellCommand): boolean {
  const [program = '', ...args] = words.map(beginningOf);
  if (INTERPRETERS.has(nameOf(program).replace(/[\d.]+$/, '')) && args.some((arg) => MENTION.test(arg)))
    return true;
  return args.some(
    (arg, place) =>
      COMMAND_LINE.test(arg) ||
      (OWN.test(lastPart(arg)) && DECIDING.has(args[place + 1]?.toLowerCase() ?? '')),
  );
}

function nameOf(program: string): string {
  return lastPart(program)
    .toLowerCase()
    .replace(/\.(?:cmd|exe)$/, '');
}

function lastPart(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? '';
}
