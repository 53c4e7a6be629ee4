import type { ChildProcess } from 'node:child_process';
import { afterAll } from 'vitest';

const alive = new Set<ChildProcess>();

// A test that runs out of time leaves what it started: it is ended with the file that the test is in.
afterAll(() => {
  for (const child of alive) child.kill('SIGKILL');
});

/** Has a process ended when the tests of this file are over, if it has not ended by then. */
export function endWithTests<Child extends ChildProcess>(child: Child): Child {
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  return child;
}
