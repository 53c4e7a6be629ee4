import { defineConfig } from 'vitest/config';
import { findNatsServer } from './scripts/nats-server.mjs';
import { findPython, findPythonPackages } from './scripts/python.mjs';
import { LongestFirst } from './scripts/testing/longest-first.js';
import { programs } from './scripts/testing/programs.js';

const long = process.env['PROFFER_LONG'] !== undefined;

/** What neither waits nor listens: it is quick to say what is wrong, so it comes early. */
const PURE = ['core', 'wire'].map((name) => `packages/${name}/src/**/*.test.ts`);

const nats = findNatsServer();
const python = findPython();
const pythonPackages = python === undefined ? undefined : findPythonPackages();

/** What is not run: what is built, and what needs something that is not there (`npm test` gets it, or says so). */
const LEFT_OUT = [
  '**/node_modules/**',
  '**/dist/**',
  ...(nats === undefined ? ['**/*-on-nats.test.ts'] : []),
  ...(python === undefined ? ['**/*-in-python.test.ts'] : []),
  ...(pythonPackages === undefined ? ['**/*-with-python-packages.test.ts'] : []),
];

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
      ...(nats === undefined ? {} : { NATS_SERVER_PROGRAM: nats }),
      ...(python === undefined ? {} : { PYTHON_PROGRAM: python }),
      ...(pythonPackages === undefined ? {} : { PYTHON_PACKAGES: pythonPackages }),
    },
    setupFiles: ['scripts/testing/end-processes.ts'],
    // They run in the order of their names. Where files share a worker, sources are read once for each worker
    // and not once for each file; so whatever a file changes in its process (listeners, timers, variables) it
    // puts back.
    projects: [
      // Benchmarks listen for the signals that end their process, and measure its memory.
      { extends: true, test: { name: 'alone', include: ['bench/**/*.test.ts'], exclude: LEFT_OUT } },
      { extends: true, test: { name: 'pure', include: PURE, exclude: LEFT_OUT, isolate: false } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: [
            'packages/*/src/**/*.test.ts',
            'conformance/**/*.test.ts',
            'examples/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...LEFT_OUT, ...PURE],
          isolate: false,
        },
      },
    ],
  },
});
