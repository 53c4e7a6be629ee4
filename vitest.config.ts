import { defineConfig } from 'vitest/config';
import { findNatsServer } from './scripts/nats-server.mjs';
import { findPython, findPythonPackages } from './scripts/python.mjs';
import { LongestFirst } from './scripts/testing/longest-first.js';
import { programs } from './scripts/testing/programs.js';

const long = process.env['PROFFER_LONG'] !== undefined;

const nats = findNatsServer();
const python = findPython();
const pythonPackages = python === undefined ? undefined : findPythonPackages();

/** What is not run: what is built, and what needs something that is not there (`npm test` gets it, or says so). */
const LEFT_OUT = [
  '**/node_modules/**',
  '**/dist/**',
  ...(nats === undefined ? ['**/*.nats.*.test.ts'] : []),
  ...(python === undefined ? ['**/*.python.*.test.ts'] : []),
  ...(pythonPackages === undefined ? ['**/*.python-packages.*.test.ts'] : []),
];

/** The tests that `npm test` leaves to `npm run test:all`. */
const SLOW = '**/*.slow.test.ts';
const SLOW_BENCHMARKS = 'bench/**/*.slow.test.ts';

export default defineConfig({
  plugins: [programs()],
  // Workspace packages are tested from their sources, without a build in between.
  resolve: { conditions: ['@proffer/source'] },
  ssr: { resolve: { conditions: ['@proffer/source'], externalConditions: ['@proffer/source'] } },
  test: {
    // Far more than any takes on a quiet machine: a busy one is slower, and a hang is noticed all the same.
    testTimeout: long ? 1_200_000 : 180_000,
    hookTimeout: 120_000,
    // What is waited for comes when it comes: on a busy machine that may take more than a second.
    expect: { poll: { timeout: 20_000 } },
    // One more than the cores of a small machine: a worker waits for processes, deadlines and disks half of its time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    env: {
      // Random cases are the same in every run, unless another seed is chosen.
      PROFFER_SEED: process.env['PROFFER_SEED'] ?? '1',
      ...(nats === undefined ? {} : { NATS_SERVER_PROGRAM: nats }),
      ...(python === undefined ? {} : { PYTHON_PROGRAM: python }),
      ...(pythonPackages === undefined ? {} : { PYTHON_PACKAGES: pythonPackages }),
    },
    setupFiles: ['scripts/testing/each-file.ts'],
    // They run in the order of their names. Where files share a worker, sources are read once for each worker
    // and not once for each file; so whatever a file changes in its process (listeners, timers, variables) it
    // puts back.
    projects: [
      {
        extends: true,
        test: { name: 'quick', include: ['**/*.test.ts'], exclude: [...LEFT_OUT, SLOW], isolate: false },
      },
      {
        extends: true,
        test: { name: 'slow', include: [SLOW], exclude: [...LEFT_OUT, SLOW_BENCHMARKS], isolate: false },
      },
      // Benchmarks listen for the signals that end their process, and measure its memory.
      { extends: true, test: { name: 'slow-alone', include: [SLOW_BENCHMARKS], exclude: LEFT_OUT } },
    ],
  },
});
