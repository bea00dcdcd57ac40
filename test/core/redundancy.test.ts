import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Placed, redundancy, registrableDomain } from '../../src/core/redundancy.ts';

const place = (
  name: string,
  host: string,
  labels: Record<string, string> = {},
  more: Partial<Placed> = {},
) => ({
  name,
  host,
  labels,
  ...more,
});

/** Few values of each, so that many share something, some only through a third. */
const anyPlace = fc.record({
  host: fc.constantFrom('10.0.0.5', 'RPC.one.com', 'rpc.one.com', 'eu.one.com', 'x.two.com', 'y.three.org'),
  labels: fc.dictionary(
    fc.constantFrom('provider', 'region', 'asn', 'rack'),
    fc.constantFrom('a', 'A', 'b', 'c'),
  ),
  addresses: fc.option(fc.subarray(['1.2.3.4', '5.6.7.8', '9.9.9.9']), { nil: undefined }),
});

describe('failure domains', () => {
  it('are what pairs share, through however many others', () => {
    fc.assert(
      fc.property(fc.array(anyPlace, { minLength: 1, maxLength: 9 }), found => {
        const places = found.map(({ host, labels, addresses }, n) =>
          place(`e${n}`, host, labels, addresses === undefined ? {} : { addresses }),
        );
        const together = (a: Placed, b: Placed) => redundancy('evm', [a, b]).domains.length === 1;
        const expected: Placed[][] = [];
        for (const one of places) {
          const touching = expected.filter(group => group.some(other => together(one, other)));
          for (const group of touching) expected.splice(expected.indexOf(group), 1);
          expected.push([...touching.flat(), one]);
        }
        const sorted = (groups: readonly (readonly string[])[]) =>
          groups.map(each => [...each].sort()).sort();
        expect(sorted(redundancy('evm', places).domains)).toEqual(
          sorted(expected.map(group => group.map(({ name }) => name))),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('two strangers are two', () => {
    const found = redundancy('evm', [place('a', 'rpc.one.com'), place('b', 'rpc.two.com')]);
    expect(found).toEqual({ domains: [['a'], ['b']], notes: [] });
  });

  it.each([
    ['the host 10.0.0.5', place('a', '10.0.0.5'), place('b', '10.0.0.5')],
    ['the domain ankr.com', place('a', 'rpc.ankr.com'), place('b', 'eu.rpc.ankr.com')],
    [
      'the provider infura',
      place('a', 'x.one.com', { provider: 'Infura' }),
      place('b', 'y.two.com', { provider: 'infura' }),
    ],
    ['the region eu', place('a', 'x.one.com', { region: 'eu' }), place('b', 'y.two.com', { region: 'eu' })],
    [
      'the network 24940',
      place('a', 'x.one.com', { asn: '24940' }),
      place('b', 'y.two.com', { asn: '24940' }),
    ],
    [
      'the address 1.2.3.4',
      place('a', 'x.one.com', {}, { addresses: ['1.2.3.4', '5.6.7.8'] }),
      place('b', 'y.two.com', {}, { addresses: ['1.2.3.4'] }),
    ],
  ])('those that share %s are one', (shared, a, b) => {
    const { domains, notes } = redundancy('evm', [a, b]);
    expect(domains).toEqual([['a', 'b']]);
    expect(notes.join().toLowerCase()).toContain(shared.toLowerCase());
  });

  it('join through a third', () => {
    const endpoints = [
      place('a', 'x.one.com', { provider: 'p' }),
      place('b', 'x.two.com', { region: 'r' }),
      place('c', 'x.three.com', { provider: 'p', region: 'r' }),
    ];
    expect(redundancy('evm', endpoints).domains).toEqual([['a', 'b', 'c']]);
    expect(redundancy('evm', endpoints.slice(0, 2)).notes).toEqual([]);
  });

  it('one endpoint is no redundancy, and none is not spoken of', () => {
    expect(redundancy('evm', [place('a', 'x.one.com')]).notes).toEqual([
      'no redundancy: a is the only endpoint',
    ]);
    expect(redundancy('evm', [])).toEqual({ domains: [], notes: [] });
  });
});

describe('client software', () => {
  const run = (...clients: (string | undefined)[]) =>
    clients.map((client, at) => place(`e${at}`, `x.n${at}.com`, {}, { client }));

  it('of one kind is named', () => {
    const { notes } = redundancy('evm', run('Geth/v1.16.4-stable/linux', 'geth/v1.15'));
    expect(notes).toEqual([
      'one client software: all 2 endpoints run geth, so one fault of it hits them all',
    ]);
  });

  it.each([
    ['of two kinds', 'evm', ['Geth/v1', 'Nethermind/v1']],
    ['not known of all', 'evm', ['Geth/v1', undefined]],
    ['that has no alternative', 'tron', ['java-tron 4.7', 'java-tron 4.8']],
  ] as const)('%s is not spoken of', (_, family, clients) => {
    expect(redundancy(family, run(...clients)).notes).toEqual([]);
  });

  it('rippled beside clio is, because they read the same request differently', () => {
    const { notes } = redundancy('xrpl', run('rippled 2.3.0', 'clio 2.2'));
    expect(notes.join()).toContain('clio and rippled');
  });
});

describe('the part of a name that one party registered', () => {
  it.each([
    ['rpc.ankr.com', 'ankr.com'],
    ['ankr.com', 'ankr.com'],
    ['A.B.Example.CO.UK', 'example.co.uk'],
    ['co.uk', undefined],
    ['localhost', undefined],
    ['10.0.0.5', undefined],
    ['::1', undefined],
    ['rpc.example.com.', 'example.com'],
  ])('of %s is %s', (host, domain) => {
    expect(registrableDomain(host)).toBe(domain);
  });
});
