import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const tasks = new Set<() => void>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // `exit` runs the registered tasks; a second signal must not interrupt them.
  process.on(signal, () => process.exit(1));
}
process.on('exit', () => {
  for (const task of [...tasks].reverse()) task();
});

/**
 * Runs a task when the process exits for any reason except SIGKILL, last registered first. Returns a function
 * that cancels it.
 */
export function onExit(task: () => void): () => void {
  tasks.add(task);
  return () => tasks.delete(task);
}

/** A temporary folder, removed by `await using` or when the process exits. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** Creates a folder in PROFFER_BENCH_FOLDER, by default in the system's temporary folder. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(process.env['PROFFER_BENCH_FOLDER'] ?? tmpdir(), 'proffer-bench-'));
  const forget = onExit(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true });
      forget();
    },
  };
}
