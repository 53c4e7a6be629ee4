import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { JournalPlace } from '@proffer/journal';
import program from './child-main.program';

/** A gateway in a separate process. */
export interface Child extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly port: number;
  readonly http: string;
  readonly ws: string;
  /** Kills it, as a power cut would. */
  kill(): Promise<void>;
}

export interface ChildOptions {
  /** Keeps its journal in this folder. */
  readonly folder?: string;
  /** Where its journal is instead. */
  readonly journal?: JournalPlace;
  readonly port?: number;
  readonly yaml?: string;
  readonly flags?: readonly string[];
  /** Its limit of open files. Default: that of this process. */
  readonly openFiles?: number;
}

/** Starts one and waits until it is ready. Rejects with its output if it exits before. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { folder = '', port = 0, yaml = 'dev: true', flags = [], openFiles } = options;
  const { journal = { backend: 'local', path: folder } } = options;
  const limited =
    openFiles === undefined ? [] : ['-c', `ulimit -n ${openFiles}; exec "$0" "$@"`, process.execPath];
  const command = openFiles === undefined ? process.execPath : '/bin/sh';
  return await watchChild(
    spawn(command, [...limited, ...flags, program, JSON.stringify(journal), String(port), yaml], {
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  );
}

/** Runs a gateway program that prints `ready PORT`. */
export async function startProgram(file: string, args: readonly string[]): Promise<Child> {
  return await watchChild(spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'pipe'] }));
}

async function watchChild(child: ChildProcessWithoutNullStreams): Promise<Child> {
  let said = '';
  let complained = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complained += chunk.toString();
  });
  const exited = once(child, 'exit');
  const ready = new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /ready (\d+)\n/.exec(said);
      if (found !== null) resolve(Number(found[1]));
    });
    void exited.then(() => reject(new Error(`The gateway ended: ${complained}`)));
  });
  const chosen = await ready;
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    process: child,
    port: chosen,
    http: `http://127.0.0.1:${chosen}`,
    ws: `ws://127.0.0.1:${chosen}/ws`,
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
