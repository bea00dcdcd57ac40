import { defineConfig } from 'vitest/config';

// Tests never assert a span of wall time; the long limits below only end a test that hangs.
export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    // Real processes on a machine that others load too: one that needed another go is shown as such by the reporter.
    retry: process.env.CI ? 2 : 0,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default'],
    pool: 'forks',
    maxWorkers: 2,
  },
});
