import process from 'node:process';
import { fuzzLines } from './fuzz-lines.js';
import { createShellBox } from './shell-box.js';

// Judges the lines of many seeds, has shells run what is allowed, and reports progress: node fuzz-main.js
// FIRST-SEED LINES
const [from, many] = process.argv.slice(2);
const [first, count] = [Number(from), Number(many)];
const BATCH = 5_000;
const EVERY = 20;
const MAX_ESCAPES = 20;
const total = { lines: 0, allowed: 0, runs: 0, programs: 0, escapes: 0 };
const box = createShellBox();
const begin = performance.now();
const seen = new Set<string>();

for (let batch = 1; total.lines < count && total.escapes < MAX_ESCAPES; batch++) {
  const begins = first + total.lines;
  const seeds = Array.from({ length: Math.min(BATCH, count - total.lines) }, (_, index) => begins + index);
  const { lines, allowed, runs, programs, escapes } = fuzzLines(seeds, box, seen);
  total.lines += lines;
  total.allowed += allowed;
  total.runs += runs;
  total.programs += programs;
  total.escapes += escapes.length;
  for (const escape of escapes) process.stdout.write(`${escape}\n`);
  if (batch % EVERY === 0) process.stdout.write(`${summary()}\n`);
}
box.close();
process.stdout.write(`\n${summary()}\n`);
process.exitCode = total.escapes === 0 ? 0 : 1;

function summary(): string {
  const seconds = ((performance.now() - begin) / 1_000).toFixed(0);
  return [
    `${total.lines} lines from seed ${first} in ${seconds} s: ${total.allowed} allowed, ${seen.size} of them different.`,
    `${box.shells.join(', ')} ran them ${total.runs} times, and with them ${total.programs} programs.`,
    `${total.escapes === 0 ? 'Nothing' : `${total.escapes} times something`} ran or was written that was not judged.`,
  ].join(' ');
}
