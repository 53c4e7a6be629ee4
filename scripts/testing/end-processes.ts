import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll } from 'vitest';

// Runs before every test file: a test that times out leaves its processes behind, so they are killed after
// the file; the same worker may run the next one.
const alive = new Set<ChildProcess>();

function onStarted(message: unknown): void {
  const { process: child } = message as { readonly process: ChildProcess };
  alive.add(child);
  child.once('exit', () => alive.delete(child));
}

subscribe('child_process', onStarted);
afterAll(() => {
  unsubscribe('child_process', onStarted);
  for (const child of alive) child.kill('SIGKILL');
});
