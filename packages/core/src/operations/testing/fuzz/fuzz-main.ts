import process from 'node:process';
import { type Coverage, cover } from './coverage.js';
import { playHistory } from './history.js';
import { judge } from './judge/judge.js';

// Plays and judges the histories of many seeds, and reports progress: node fuzz-main.js FIRST-SEED
// HISTORIES [first]
const [from, many, until] = process.argv.slice(2);
const [first, count] = [Number(from), Number(many)];
const MAX_FAULTS = until === 'first' ? 1 : 100;
const EVERY = 20_000;
const coverage: Coverage = new Map();
const failed: number[] = [];
const begin = performance.now();

for (let done = 0; done < count; done++) {
  const seed = first + done;
  const history = playHistory(seed);
  cover(coverage, history);
  const wrong = judge(history.journal, history.scenario);
  if (wrong !== undefined) {
    failed.push(seed);
    process.stdout.write(`seed ${seed}: ${wrong}\n`);
    if (failed.length === MAX_FAULTS) break;
  }
  if ((done + 1) % EVERY === 0) process.stdout.write(`${done + 1} histories ${times()}\n`);
}

process.stdout.write(`\n${count} histories from seed ${first} ${times()}\n`);
for (const [what, times] of [...coverage].sort((one, other) => other[1] - one[1]))
  process.stdout.write(`${String(times).padStart(9)}  ${what}\n`);
process.stdout.write(failed.length === 0 ? 'No faults.\n' : `Faults in ${failed.length} histories.\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

function times(): string {
  const { user, system } = process.cpuUsage();
  const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(0)} s`;
  return `in ${seconds(performance.now() - begin)}, ${seconds((user + system) / 1_000)} of processor time`;
}
