// Imported by the launcher, whose start is on the path of every call: it imports nothing of ours.
import { readFileSync } from 'node:fs';

/** How often it is looked whether the agent is still there, in milliseconds. */
const WATCHING = 1_000;
/** The first check: a call that needs no one is answered before. */
const SOON = 100;

/** A shell that runs the command of a hook, and nothing else. */
const SHELL = /^(?:\S*\/)?(?:ba|da|k|z)?sh$/;

/**
 * Notices when the agent that runs this process as a hook has ended. A killed agent tells no one, but it is then no
 * longer this process's parent. Some shells stay in between until we end, so where the parent is a shell that runs the
 * hook, its parent counts, too.
 */
export function whenAgentEnds(heard: () => void): void {
  const parent = process.ppid;
  setTimeout(() => {
    const shell = isShellOfHook(parent) ? parent : undefined;
    const agent = shell === undefined ? undefined : parentOf(shell);
    const look = (): void => {
      const agentNow = shell === undefined ? agent : parentOf(shell);
      // What cannot be read right now says nothing.
      const isThere = process.ppid === parent && (agentNow === undefined || agentNow === agent);
      if (!isThere) heard();
    };
    look();
    setInterval(look, WATCHING).unref();
  }, SOON).unref();
}

/** Told by Linux only. The shells of other systems become the command that they were given, and are not there. */
function isShellOfHook(pid: number): boolean {
  const [program = '', ...args] = textOf(`/proc/${pid}/cmdline`).split('\0');
  return SHELL.test(program) && args.some((arg) => arg.includes('proffer-hook'));
}

function parentOf(pid: number): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  // After the name of the program, which may have anything in it: the state, and the parent.
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .at(1);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
