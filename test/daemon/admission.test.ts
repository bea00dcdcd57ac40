import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load.ts';
import type { EndpointSettings } from '../../src/core/chain.ts';
import { admission } from '../../src/daemon/admission.ts';
import { allowlist } from '../../src/daemon/allowlist.ts';

function asked(url: string, allowedHosts: readonly unknown[], more: Partial<EndpointSettings> = {}) {
  const endpoints = [{ name: 'own', url: 'https://own.example.com/x', weight: 15 }];
  const loaded = parseConfig(JSON.stringify({ chains: { ethereum: { endpoints, allowedHosts } } }), {}, '/');
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join('\n'));
  const { chains } = loaded.config;
  const settings: EndpointSettings = {
    name: 'added',
    url,
    headers: {},
    origin: 'runtime',
    weight: 10,
    history: 'auto',
    roles: ['read'],
    broadcast: 'allow',
    labels: {},
    maxInFlight: 256,
    allowPrivate: false,
    disabled: false,
    ...more,
  };
  return admission([{ chain: 'ethereum', settings, addedAt: 0 }], allowlist(chains), name =>
    name === 'ethereum' ? chains[0]?.endpoints : undefined,
  );
}

describe('an endpoint in the store', () => {
  it.each([
    ['a listed host', 'https://rpc.example.com/x', ['rpc.example.com']],
    ['a host below a wildcard', 'https://rpc.example.com/x', ['*.example.com']],
    ['a host of the file', 'https://own.example.com/other', []],
  ])('with %s is admitted as it is', (_name, url, hosts) => {
    const found = asked(url, hosts);
    expect(found).toMatchObject({ admitted: [{ settings: { url, weight: 10 } }], withheld: [], lowered: [] });
  });

  it.each([
    ['a host that is not listed', 'https://rpc.example.com/x', []],
    ['another port', 'https://rpc.example.com:8443/x', ['rpc.example.com']],
    ['a host beside a wildcard', 'https://example.com/x', ['*.example.com']],
    ['plain http', 'http://rpc.example.com/x', ['rpc.example.com:80']],
    ['a URL that readers differ on', 'https://rpc.example.com\\@own.example.com/', ['*.example.com']],
    ['credentials', 'https://u:p@rpc.example.com/', ['rpc.example.com']],
    ['no URL', 'rpc.example.com', ['rpc.example.com']],
  ])('with %s is withheld, and shown by its host at most', (_name, url, hosts) => {
    const { admitted, withheld } = asked(url, hosts);
    expect(admitted).toEqual([]);
    expect(withheld).toMatchObject([{ chain: 'ethereum', name: 'added' }]);
    expect(withheld[0]?.why).not.toMatch(/\/x|u:p/);
  });

  it('may go to private addresses only while the file says so, and never because the file says so later', () => {
    const here = 'https://10.0.0.6/x';
    const allowing = [{ host: '10.0.0.6', allowPrivate: true }];
    expect(asked(here, allowing, { allowPrivate: true }).admitted).toMatchObject([
      { settings: { allowPrivate: true } },
    ]);
    expect(asked(here, allowing, { allowPrivate: false }).admitted).toEqual([]);
    const named = 'https://rpc.example.com/x';
    expect(asked(named, ['rpc.example.com'], { allowPrivate: true }).admitted).toMatchObject([
      { settings: { allowPrivate: false } },
    ]);
  });

  it('weighs what the file allows today at most', () => {
    const { admitted, lowered } = asked('https://own.example.com/other', [], { weight: 20 });
    expect(admitted).toMatchObject([{ settings: { weight: 14 } }]);
    expect(lowered).toEqual([{ chain: 'ethereum', name: 'added', from: 20, to: 14 }]);
  });

  it.each([
    ['less than nothing', -1],
    ['no number', Number.NaN],
    ['more than all numbers', Number.POSITIVE_INFINITY],
    ['a half', 0.5],
  ])('that weighs %s weighs nothing', (_name, weight) => {
    const { admitted } = asked('https://own.example.com/other', [], { weight });
    expect(admitted).toMatchObject([{ settings: { weight: 0 } }]);
  });

  it('is not preferred for broadcasts, whatever stands there', () => {
    const { admitted } = asked('https://own.example.com/other', [], { broadcast: 'prefer' });
    expect(admitted).toMatchObject([{ settings: { broadcast: 'allow' } }]);
    const { admitted: kept } = asked('https://own.example.com/other', [], { broadcast: 'never' });
    expect(kept).toMatchObject([{ settings: { broadcast: 'never' } }]);
  });

  it.each([
    ['another host', { host: 'evil.example' }],
    ['another request', { 'x-key': 'a\r\nhost: evil.example' }],
  ])('with a header that makes %s of it is withheld', (_name, headers: Record<string, string>) => {
    const { admitted, withheld } = asked('https://own.example.com/other', [], { headers });
    expect(admitted).toEqual([]);
    expect(withheld).toMatchObject([{ chain: 'ethereum', name: 'added' }]);
    expect(withheld[0]?.why).not.toContain('evil');
  });

  it('is one added at runtime, whatever stands there', () => {
    const found = asked('https://own.example.com/other', [], { origin: 'file', weight: 100 });
    expect(found.admitted).toMatchObject([{ settings: { origin: 'runtime', weight: 14 } }]);
  });
});
