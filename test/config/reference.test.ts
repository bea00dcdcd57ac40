import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod/mini';
import { presets } from '../../src/chains/presets.ts';
import { configJsonSchema } from '../../src/config/json-schema.ts';
import { parseConfig } from '../../src/config/load.ts';
import { configReference } from '../../src/config/reference.ts';
import { chainSchema, endpointSchema } from '../../src/config/schema.ts';
import { starterConfig } from '../../src/config/starter.ts';
import { urlFaults } from '../../src/config/url.ts';

describe('docs/configuration.md', () => {
  it('is what `rpcgw config docs` prints', () => {
    expect(readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8')).toBe(
      configReference(),
    );
  });

  it('has every key of a chain and of an endpoint, each with its meaning', () => {
    const rows = configReference()
      .split('\n')
      .filter(line => line.startsWith('| `'));
    for (const [key, schema] of Object.entries({ ...chainSchema.shape, ...endpointSchema.shape })) {
      expect(z.globalRegistry.get(schema)?.description, key).toMatch(/\.$|…$/);
      expect(
        rows.some(row => row.startsWith(`| \`${key}\``) || row.startsWith(`| \`${key}.`)),
        key,
      ).toBe(true);
    }
    for (const row of rows) expect(row).not.toMatch(/\| \|$|undefined|\[object/);
  });
});

describe('the JSON Schema', () => {
  it('takes a reference wherever it asks for a form', () => {
    const patterns: string[] = [];
    JSON.stringify(configJsonSchema(), (key, value) => {
      if (key === 'pattern') patterns.push(value);
      return value;
    });
    expect(patterns.length).toBeGreaterThan(5);
    for (const pattern of patterns) expect(new RegExp(pattern, 'u').test(`a\${B}c`)).toBe(true);
  });

  it('knows no other keys than the known ones', () => {
    expect(configJsonSchema()).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['chains'],
    });
  });
});

describe('the starter config', () => {
  const loaded = parseConfig(starterConfig(), {}, '/');

  it('passes the check, without a variable set', () => {
    expect(loaded).toMatchObject({ ok: true });
  });

  it('has the six chains, each with two endpoints', () => {
    expect(
      loaded.ok && loaded.config.chains.map(({ settings, endpoints }) => [settings.name, endpoints.length]),
    ).toEqual(['ethereum', 'bnb', 'avalanche', 'tron', 'solana', 'xrpl'].map(name => [name, 2]));
  });

  it('what it offers in comments would pass too', () => {
    const text = starterConfig();
    const clients = /^# {3}(clients: .*)$/m.exec(text)?.[1] ?? '';
    const chain = /^ {2}# {3}(gnosis: .*)$/m.exec(text)?.[1] ?? '';
    const endpoints = text
      .split('\n')
      .filter(line => /^# {3}[- ] /.test(line))
      .map(line => `    ${line.slice(2)}`);
    const offered = [
      clients,
      'listen: 0.0.0.0:8600',
      'chains:',
      `  ${chain.replace('https://…', 'https://x.example.com')}`,
      '  base:',
      '    endpoints:',
      ...endpoints,
    ].join('\n');
    expect(parseConfig(offered, { CLIENT_KEY: 'client-0a1b2c3d4e5f', INFURA_KEY: 'x' }, '/')).toMatchObject({
      ok: true,
    });
    expect(parse(offered).chains.base.endpoints).toHaveLength(2);
  });
});

describe('the known chains', () => {
  it.each(Object.entries(presets))('%s: free endpoints over https, without a key', (_name, preset) => {
    expect(preset.publicEndpoints.length).toBeGreaterThanOrEqual(2);
    for (const { url } of preset.publicEndpoints) {
      expect(urlFaults(url, false)).toEqual([]);
      expect(new URL(url).search).toBe('');
    }
  });

  it('have the limits of the contract', () => {
    const limits = Object.fromEntries(
      Object.entries(presets).map(([name, { staleBlocks }]) => [name, staleBlocks]),
    );
    expect(limits).toEqual({
      ethereum: 2,
      polygon: 6,
      bnb: 20,
      avalanche: 8,
      arbitrum: 40,
      optimism: 5,
      base: 5,
      tron: 10,
      solana: 25,
      xrpl: 5,
    });
  });

  it('have identities that the config would take for chains that are not known', () => {
    const keys = { evm: 'chainId', solana: 'genesisHash', xrpl: 'networkId', tron: 'genesisBlock' };
    for (const { family, identity } of Object.values(presets)) {
      const text = `chains: { other: { family: ${family}, ${keys[family]}: ${family === 'tron' ? `"${identity}"` : identity} } }`;
      const other = parseConfig(text, {}, '/');
      expect(other.ok && other.config.chains[0]?.settings.identity).toBe(identity);
    }
  });
});
