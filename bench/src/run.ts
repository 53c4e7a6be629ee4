import { spawn } from 'node:child_process';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import type { Benchmark, Effort } from './benchmark.js';
import { atEnd } from './cleanup.js';
import { MAIN } from './entries.js';
import { describeMachine } from './machine.js';
import type { Report } from './report.js';

type Findings = Pick<Report, 'measurements' | 'notes'>;

/**
 * Measures some benchmarks, one after the other. Several get a process each, so that what one leaves on
 * the heap, or teaches the compiler, does not change what the next one finds.
 */
export async function run(benchmarks: readonly Benchmark[], effort: Effort): Promise<Report> {
  const machine = describeMachine();
  const measurements: Report['measurements'][number][] = [];
  const notes: Report['notes'][number][] = [];
  for (const benchmark of benchmarks) {
    process.stderr.write(`${benchmark.name} … `);
    const start = process.hrtime.bigint();
    const found = await (benchmarks.length === 1 ? here(benchmark, effort) : elsewhere(benchmark, effort));
    measurements.push(...found.measurements);
    notes.push(...found.notes);
    process.stderr.write(`${(Number(process.hrtime.bigint() - start) / 1e9).toFixed(1)} s\n`);
  }
  return { machine, quick: effort.quick, measurements, notes };
}

async function here(benchmark: Benchmark, effort: Effort): Promise<Findings> {
  const notes: Report['notes'][number][] = [];
  const note = (text: string): void => void notes.push({ benchmark: benchmark.name, text });
  const measurements: Report['measurements'][number][] = [];
  for (const measurement of await benchmark.measure({ ...effort, note })) {
    measurements.push({ benchmark: benchmark.name, ...measurement });
  }
  return { measurements, notes };
}

async function elsewhere({ name }: Benchmark, { quick, smoke }: Effort): Promise<Findings> {
  const args = [
    ...process.execArgv,
    MAIN,
    '--json',
    ...(quick ? ['--quick'] : []),
    ...(smoke ? ['--smoke'] : []),
    name,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  // It has processes and folders of its own, and takes them with it.
  const forget = atEnd(() => child.kill('SIGTERM'));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  forget();
  if (code !== 0) throw new Error(`${name} ended with ${code}\n${errors}`);
  return JSON.parse(output) as Report;
}
