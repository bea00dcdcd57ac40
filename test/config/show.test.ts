import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/config/settings.ts';
import { shownConfig } from '../../src/config/show.ts';

const env = { INFURA_KEY: 'infura-0a1b2c3d', API_KEY: 'api-0a1b2c3d', CLIENT_KEY: 'client-0a1b2c3d4e5f' };

function config(text: string): Config {
  const loaded = parseConfig(text, env, '/etc/rpcgw');
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}
const fixture = (name: string) =>
  config(readFileSync(join(import.meta.dirname, '../../fixtures/configs', name), 'utf8'));

describe.each(['contract.yaml', 'every-key.yaml'])('%s as it is shown', name => {
  const before = fixture(name);
  const shown = stringify(shownConfig(before));

  it('has no secret', () => {
    expect(shown).not.toMatch(/0a1b2c3d|\/v3/);
  });

  it('is a config again, the same but for the secrets', () => {
    const { gateway, chains } = before;
    const key = 'put-in-by-the-test';
    const after = config(shown.replaceAll(/(?<=\s)key: "\*\*\*"/g, `key: ${key}`));
    expect(after.gateway).toEqual({
      ...gateway,
      ...(gateway.clients && {
        clients: { ...gateway.clients, keys: gateway.clients.keys.map(({ name }) => ({ name, key })) },
      }),
    });
    expect(after.chains).toEqual(
      chains.map(chain => ({
        ...chain,
        endpoints: chain.endpoints.map(endpoint => ({
          ...endpoint,
          url: new URL(endpoint.url).origin,
          headers: Object.fromEntries(Object.keys(endpoint.headers).map(header => [header, '***'])),
        })),
      })),
    );
  });
});
