import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { JournalPlace } from '@proffer/journal';
import program from './notifying-main.program';

/** A notifying gateway in a process that can be killed. */
export interface NotifyingProcess {
  readonly url: string;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

/** Starts one and waits until it is ready. */
export async function startNotifying(
  journal: JournalPlace,
  ahead: number,
  yaml: string,
): Promise<NotifyingProcess> {
  const child = spawn(process.execPath, [program, JSON.stringify(journal), String(ahead), yaml], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let said = '';
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /ready (\d+)\n/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => reject(new Error('The gateway ended.')));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
