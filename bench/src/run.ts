import { spawn } from 'node:child_process';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import type { Benchmark, Effort } from './benchmark.js';
import { onExit } from './cleanup.js';
import { MAIN } from './entries.js';
import { describeMachine } from './machine.js';
import type { Report } from './report.js';

type RunResult = Pick<Report, 'measurements' | 'notes'>;

/**
 * Runs benchmarks one after another. If there are several, each gets its own process, so that heap and JIT
 * state do not affect the next.
 */
export async function run(benchmarks: readonly Benchmark[], effort: Effort): Promise<Report> {
  const machine = describeMachine();
  const measurements: Report['measurements'][number][] = [];
  const notes: Report['notes'][number][] = [];
  for (const benchmark of benchmarks) {
    process.stderr.write(`${benchmark.name} … `);
    const start = process.hrtime.bigint();
    const found = await (benchmarks.length === 1
      ? runHere(benchmark, effort)
      : runInChild(benchmark, effort));
    measurements.push(...found.measurements);
    notes.push(...found.notes);
    process.stderr.write(`${(Number(process.hrtime.bigint() - start) / 1e9).toFixed(1)} s\n`);
  }
  return { machine, quick: effort.quick, measurements, notes };
}

async function runHere(benchmark: Benchmark, effort: Effort): Promise<RunResult> {
  const notes: Report['notes'][number][] = [];
  const note = (text: string): void => void notes.push({ benchmark: benchmark.name, text });
  const measurements: Report['measurements'][number][] = [];
  for (const measurement of await benchmark.measure({ ...effort, note })) {
    measurements.push({ benchmark: benchmark.name, ...measurement });
  }
  return { measurements, notes };
}

async function runInChild({ name }: Benchmark, { quick, smoke }: Effort): Promise<RunResult> {
  const args = [
    ...process.execArgv,
    MAIN,
    '--json',
    ...(quick ? ['--quick'] : []),
    ...(smoke ? ['--smoke'] : []),
    name,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  // The child cleans up its own processes and folders.
  const forget = onExit(() => child.kill('SIGTERM'));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  forget();
  if (code !== 0) throw new Error(`${name} ended with ${code}\n${errors}`);
  return JSON.parse(output) as Report;
}
