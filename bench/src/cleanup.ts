import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const tasks = new Set<() => void>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Ending by `exit` lets what is registered below run; a second signal meanwhile must not cut it short.
  process.on(signal, () => process.exit(1));
}
process.on('exit', () => {
  for (const task of [...tasks].reverse()) task();
});

/**
 * Has something done when the process ends, however it is ended short of being killed; the last that was
 * asked for comes first. Gives what takes it back.
 */
export function atEnd(task: () => void): () => void {
  tasks.add(task);
  return () => tasks.delete(task);
}

/** A folder of its own, removed with `await using`, or else when the process ends. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** Makes one where PROFFER_BENCH_FOLDER says; by default in the system's folder for temporary files. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(process.env['PROFFER_BENCH_FOLDER'] ?? tmpdir(), 'proffer-bench-'));
  const forget = atEnd(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true });
      forget();
    },
  };
}
