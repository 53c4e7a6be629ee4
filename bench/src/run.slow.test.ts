import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
// Starts a run in this folder.
import './companion-main.program';
import main from './main.program';
import { BENCHMARKS } from './registry.js';
import type { Report } from './report.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proffer-bench-test-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function start(...args: readonly string[]) {
  const env = {
    ...process.env,
    PROFFER_BENCH_FOLDER: folder,
    PROFFER_BENCH_MEW: '',
    PROFFER_BENCH_MACP_RUNTIME: '',
  };
  const child = spawn(process.execPath, ['--expose-gc', main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  onTestFinished(() => void child.kill());
  return child;
}

const reports = new Map<string, Promise<Report>>();

/** The report of a benchmark; run once for all tests. */
function report(name: string): Promise<Report> {
  const known = reports.get(name) ?? measure(name);
  reports.set(name, known);
  return known;
}

async function measure(name: string): Promise<Report> {
  const child = start(name, '--smoke', '--json');
  const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (output === '') throw new Error(complaints);
  return JSON.parse(output) as Report;
}

/** Milliseconds: each test starts a dozen processes in sequence, possibly on a busy machine. */
const TIMEOUT = 180_000;

/** Polls a file system that has no change events. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

/**
 * One of those that start NATS servers and gateways on them: the others consist of the same parts and take
 * longer.
 */
const ON_NATS = process.env['NATS_SERVER_PROGRAM'] === undefined ? [] : ['nats/latency'];

/** Slowest, and made of the same parts as the others in their groups: left to the long run. */
const LONG = new Set([
  'gateway/restart',
  'guard/start',
  'negotiation/send',
  'gateway/attack',
  'gateway/memory',
  'gateway/scale',
  'negotiation/sessions',
  'guard/held',
]);
const isLong = process.env['PROFFER_LONG'] !== undefined;

const waiting = BENCHMARKS.map(({ name }) => name).filter(
  (name) =>
    ON_NATS.includes(name) ||
    (/^(journal|gateway|negotiation|guard)\//.test(name) && (isLong || !LONG.has(name))),
);

describe('benchmarks that need a disk or a peer', () => {
  it.each(waiting)(
    '%s reports figures and leaves nothing behind',
    async (name) => {
      const { measurements } = await report(name);
      expect(new Set(measurements.map(({ benchmark }) => benchmark))).toEqual(new Set([name]));
      // JSON writes NaN as null.
      expect(measurements.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
      expect(measurements.some(({ ratio }) => ratio !== undefined)).toBe(true);
      expect(await readdir(folder)).toEqual([]);
    },
    TIMEOUT,
  );

  it.each([
    ['gateway/cycles', 'MEW gateway was not measured'],
    ['negotiation/length', 'macp-runtime, the reference runtime, was not measured'],
  ])('%s notes a missing peer', async (benchmark, words) => {
    const { notes } = await report(benchmark);
    expect(notes).toEqual([{ benchmark, text: expect.stringContaining(words) as string }]);
  });

  it('leaves nothing behind when interrupted', async () => {
    const child = start('gateway/cycles', 'gateway/scale', '--quick');
    const over = once(child, 'close');
    while ((await readdir(folder)).length === 0) await pause();
    child.kill('SIGTERM');
    await over;
    expect(child.exitCode).toBe(1);
    while ((await readdir(folder)).length > 0) await pause();
  });
});
