import { defineConfig } from 'vitest/config';

const long = process.env['PROFFER_LONG'] !== undefined;

/** What neither waits, nor listens, nor leaves anything behind: one file may follow another in the same process. */
const PURE = ['core', 'wire'].map((name) => `packages/${name}/src/**/*.test.ts`);

const BUILT = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  // Workspace packages are tested from their sources, without a build in between.
  resolve: { conditions: ['@proffer/source'] },
  ssr: { resolve: { conditions: ['@proffer/source'], externalConditions: ['@proffer/source'] } },
  test: {
    testTimeout: long ? 1_200_000 : 60_000,
    hookTimeout: long ? 120_000 : 30_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, exclude: BUILT, isolate: false } },
      {
        extends: true,
        test: {
          name: 'real',
          include: [
            'packages/*/src/**/*.test.ts',
            'conformance/**/*.test.ts',
            'examples/**/*.test.ts',
            'bench/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...BUILT, ...PURE],
        },
      },
    ],
  },
});
