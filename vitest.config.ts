import { defineConfig } from 'vitest/config';

const long = process.env['PROFFER_LONG'] !== undefined;

export default defineConfig({
  // Workspace packages are tested from their sources, without a build in between.
  resolve: { conditions: ['@proffer/source'] },
  ssr: { resolve: { conditions: ['@proffer/source'], externalConditions: ['@proffer/source'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'conformance/**/*.test.ts',
      'examples/**/*.test.ts',
      'bench/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: long ? 1_200_000 : 60_000,
    hookTimeout: long ? 120_000 : 30_000,
    maxWorkers: 2,
  },
});
