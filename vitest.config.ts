import { defineConfig } from 'vitest/config';

// Tests never assert a span of wall time; the long limits below only end a test that hangs.
export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default'],
    pool: 'forks',
    maxWorkers: 2,
  },
});
