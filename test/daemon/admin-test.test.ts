import { describe, expect, it } from 'vitest';
import type { OperatorError } from '../../src/core/errors.ts';
import type { Desk } from '../../src/daemon/admin-desk.ts';
import { testHandlers } from '../../src/daemon/admin-test.ts';
import { allowlist } from '../../src/daemon/allowlist.ts';
import { newPool } from '../core/pool-fixture.ts';

/** A desk whose chain allows one host, and where nothing else may be touched: to ask is to open a connection first. */
function closedDesk(): { desk: Desk; touched: string[] } {
  const pool = newPool();
  const touched: string[] = [];
  const chain = {
    settings: pool.chain,
    endpoints: [],
    allowedHosts: [{ host: 'rpc.example.com', subdomains: false, allowPrivate: false }],
  };
  const facts = new Proxy(
    { allowed: allowlist([chain]), configPath: undefined },
    {
      get(target, key) {
        if (key in target) return Reflect.get(target, key);
        touched.push(String(key));
        throw new Error(`${String(key)} was touched`);
      },
    },
  );
  // Of the desk only these are used before it is known whether the host is allowed.
  const desk = {
    facts,
    chain: () => ({ settings: pool.chain, pool, members: new Map() }),
  } as unknown as Desk;
  return { desk, touched };
}

describe('a test of a URL whose host is not allowed', () => {
  it.each([
    'https://rpc.other.example/key',
    'https://rpc.example.com:8443',
    'https://rpc.example.com.evil.example',
    'https://evil.example/?rpc.example.com',
    'https://192.0.2.7',
    'https://127.0.0.1',
    'http://rpc.example.com',
    'https://user:pass@rpc.example.com',
    'https://rpc.example.com\\@evil.example',
    'not a url',
  ])('%s: nothing is opened, no name is resolved', async url => {
    const { desk, touched } = closedDesk();
    const asked = Promise.resolve(
      testHandlers(desk).test({ chain: 'testnet', url, headers: {}, samples: 3 }),
    );
    const error = await asked.catch((thrown: OperatorError) => thrown);
    expect(error).toMatchObject({ code: 'refused_by_rule', exit: 7 });
    expect(touched).toEqual([]);
  });
});
