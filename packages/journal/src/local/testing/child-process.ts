import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import program from './appender.program';

/** A running appender, and the complete lines it has printed. */
export interface Appender {
  readonly process: ChildProcess;
  readonly said: () => readonly string[];
  /** Settles when it has printed this many lines, or is gone. */
  readonly lines: (count: number) => Promise<void>;
  /** Settles when it has saved a snapshot, or is gone. */
  readonly saved: () => Promise<void>;
  /** Kills it with SIGKILL, and waits until it is gone. */
  readonly kill: () => Promise<void>;
}

export function startAppender(args: readonly string[]): Appender {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (data: Buffer) => {
    text += data.toString();
    child.emit('said');
  });
  const closed = once(child, 'close');
  const said = (): readonly string[] => text.split('\n').slice(0, -1);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const until = async (isSaid: () => boolean): Promise<void> => {
    while (!isSaid() && isRunning()) await Promise.race([once(child, 'said'), closed]);
    if (!isRunning()) await closed;
  };
  return {
    process: child,
    said,
    lines: (count) => until(() => said().length >= count),
    saved: () => until(() => said().some((line) => line.startsWith('{"saved"'))),
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
