import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configureGlobal } from 'fast-check';
import { afterAll, expect } from 'vitest';

// Runs before every test file, and sees to it that none of them leaves anything behind.

// Property tests use the seed of the run, as everything random in the tests does.
configureGlobal({ seed: Number(process.env['PROFFER_SEED']) });

// The file and its processes have a temporary folder of their own, which is empty in the end: what tests leave
// behind stays on a contributor's disk.
const VARIABLES = process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR'];
const outside = VARIABLES.map((name) => [name, process.env[name]] as const);
const folder = mkdtempSync(join(tmpdir(), 'proffer-test-'));
// Tests that act as another user reach their files, too.
chmodSync(folder, 0o755);
for (const name of VARIABLES) process.env[name] = folder;

// A test that times out leaves its processes behind, so they are killed after the file; the same worker may run
// the next one. In `npm test`, only smoke tests start any.
const mayStart = /\.(slow|smoke)\.test\.ts$/.test(expect.getState().testPath ?? '');
const alive = new Set<ChildProcess>();
let forbidden: Error | undefined;

function onStarted(message: unknown): void {
  const { process: child } = message as { readonly process: ChildProcess };
  if (!mayStart)
    forbidden ??= new Error('This starts a process, so the test belongs into a file named *.slow.test.ts.');
  alive.add(child);
  child.once('exit', () => alive.delete(child));
}

subscribe('child_process', onStarted);

afterAll(async () => {
  unsubscribe('child_process', onStarted);
  // One that could not be started has no id.
  const running = [...alive].filter(({ pid }) => pid !== undefined);
  const exits = running.map((child) => once(child, 'exit'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(exits);

  for (const [name, value] of outside) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  const left = readdirSync(folder, { recursive: true }).slice(0, 10);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

  if (forbidden !== undefined) throw forbidden;
  // A process that is killed cannot clean up, so only files that start none have to.
  if (left.length > 0 && !mayStart)
    throw new Error(`This file left behind in the temporary folder: ${left.join(', ')}`);
});
