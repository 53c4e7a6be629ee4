import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Workspace packages are tested from their sources, without a build in between.
  resolve: { conditions: ['@proffer/source'] },
  ssr: { resolve: { conditions: ['@proffer/source'], externalConditions: ['@proffer/source'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'conformance/**/*.test.ts',
      'examples/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});
