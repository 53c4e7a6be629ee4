import { spawn } from 'node:child_process';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Benchmark, Effort } from './benchmark.js';
import { describeMachine } from './machine.js';
import type { Report } from './report.js';

type Measurements = Report['measurements'];

/**
 * Measures some benchmarks, one after the other. Several get a process each, so that what one leaves on
 * the heap, or teaches the compiler, does not change what the next one finds.
 */
export async function run(benchmarks: readonly Benchmark[], effort: Effort): Promise<Report> {
  const machine = describeMachine();
  const measurements: Measurements[number][] = [];
  for (const benchmark of benchmarks) {
    process.stderr.write(`${benchmark.name} … `);
    const start = process.hrtime.bigint();
    const found = benchmarks.length === 1 ? here(benchmark, effort) : elsewhere(benchmark, effort);
    measurements.push(...(await found));
    process.stderr.write(`${(Number(process.hrtime.bigint() - start) / 1e9).toFixed(1)} s\n`);
  }
  return { machine, quick: effort.quick, measurements };
}

async function here(benchmark: Benchmark, effort: Effort): Promise<Measurements> {
  const measurements: Measurements[number][] = [];
  for (const measurement of await benchmark.measure(effort)) {
    measurements.push({ benchmark: benchmark.name, ...measurement });
  }
  return measurements;
}

async function elsewhere({ name }: Benchmark, { quick }: Effort): Promise<Measurements> {
  const main = fileURLToPath(new URL('main.js', import.meta.url));
  const args = [...process.execArgv, main, '--json', ...(quick ? ['--quick'] : []), name];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`${name} ended with ${code}\n${errors}`);
  return (JSON.parse(output) as Report).measurements;
}
