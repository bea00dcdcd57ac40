import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { differencesText } from './differences.ts';
import { measure } from './measure.ts';
import { clientsPage } from './page.ts';
import type { Row } from './session.ts';

describe('client libraries', () => {
  let rows: readonly Row[];
  beforeAll(async () => {
    rows = await measure([]);
  });

  it('get through the gateway what they get at the node', () => {
    expect(differencesText(rows)).toBe('');
  });

  it('are held to at least 15 different calls each', () => {
    expect(rows.map(({ client }) => client)).toEqual([
      'viem',
      'ethers',
      'web3',
      'curl',
      '@solana/web3.js',
      '@solana/kit',
      'tronweb',
      'xrpl',
    ]);
    for (const { client, calls } of rows) expect(calls.length, client).toBeGreaterThanOrEqual(15);
  });

  it('docs/clients.md is what `npm run clients -- --write` writes', () => {
    const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
    expect(page).toBe(clientsPage(rows));
  });

  it('have headers added, all of them ours', () => {
    for (const { added } of rows) for (const name of added) expect(name).toMatch(/^rpcgw-/);
  });
});
