import { readFileSync } from 'node:fs';
import { parentOf } from '@proffer/client/machine';

/** How often to check that the agent is still running, in milliseconds. */
const WATCHING = 1_000;
/** The first check: calls that need no one are answered earlier. */
const SOON = 100;

/** A shell that does nothing but run a hook command. */
const SHELL = /^(?:\S*\/)?(?:ba|da|k|z)?sh$/;

/**
 * Notices when the agent that runs this process as a hook has ended. A killed agent tells no one, but it is then no
 * longer this process's parent. Some shells stay in between until we end, so where the parent is a shell that runs the
 * hook, its parent counts, too.
 */
export function whenAgentEnds(received: () => void): void {
  const parent = process.ppid;
  setTimeout(() => {
    const shell = isShellOfHook(parent) ? parent : undefined;
    const agent = shell === undefined ? undefined : parentOf(shell);
    const look = (): void => {
      const agentNow = shell === undefined ? agent : parentOf(shell);
      // A failed read says nothing.
      const isThere = process.ppid === parent && (agentNow === undefined || agentNow === agent);
      if (!isThere) received();
    };
    look();
    setInterval(look, WATCHING).unref();
  }, SOON).unref();
}

/** The agent that runs hooks, from the process that started a launcher: some agents have a shell in between. */
export function agentAbove(parent: number): number {
  return isShellOfHook(parent) ? (parentOf(parent) ?? Number.NaN) : parent;
}

/** Linux only. Shells on other systems replace themselves with the command, so there is none in between. */
function isShellOfHook(pid: number): boolean {
  const [program = '', ...args] = textOf(`/proc/${pid}/cmdline`).split('\0');
  return SHELL.test(program) && args.some((arg) => arg.includes('proffer-hook'));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
