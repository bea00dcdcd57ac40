import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperatorError } from '../../src/core/errors.ts';
import { runCommand } from '../kit/gateway.ts';
import { type Here, startAlone } from './here.ts';

const key = '0a1b2c3d4e5f60718293';
const url = `https://rpc.example.com/v3/${key}`;

describe('a URL where a name should be', () => {
  let here: Here;
  beforeAll(async () => {
    here = await startAlone();
  });
  afterAll(() => here.remove());

  it.each([
    [
      'a name to add',
      () => here.api.ask('endpointAdd', { chain: 'local', name: url, url: 'http://127.0.0.1:9/x' }),
    ],
    ['a chain', () => here.api.ask('endpointAdd', { chain: url, name: 'a', url: 'http://127.0.0.1:9/x' })],
    ['a name to switch', () => here.api.ask('endpointDisable', { chain: 'local', name: url })],
    ['a name to remove', () => here.api.ask('endpointRemove', { chain: 'local', name: url })],
    ['a name to look at', () => here.api.ask('endpointShow', { chain: 'local', name: url })],
    ['an endpoint to test', () => here.api.ask('test', { chain: 'local', name: url })],
    ['the id of a request', () => here.api.ask('trace', { requestId: url })],
    ['a weight', () => here.api.ask('endpointSet', { chain: 'local', name: 'own', weight: url })],
    ['who asks', () => here.api.ask('endpointRemove', { chain: 'local', name: 'own', who: url })],
  ])('as %s is told back by its host at most, and not kept', async (_name, ask) => {
    const error = await ask().then(
      () => undefined,
      (thrown: OperatorError) => thrown,
    );
    expect(JSON.stringify([error?.message, error?.why, error?.next])).not.toContain(key);
    expect(here.lines().join('')).not.toContain(key);
    expect(JSON.stringify(['audit', 'event', 'override'].map(here.rows))).not.toContain(key);
  });

  it.each([
    [['status', url]],
    [[url]],
    [['endpoint', url]],
    [['call', url, 'eth_chainId']],
    [['endpoint', 'show', 'local', url]],
    [['status', '--socket', url]],
  ])('in %j is told back by its host at most', async words => {
    for (const more of [[], ['--json']]) {
      const { code, stdout, stderr } = await runCommand([...words, ...more], {
        cwd: here.dir,
        env: { RPCGW_SOCKET: here.socket },
      });
      expect(code).not.toBe(0);
      expect(stdout + stderr).not.toContain(key);
    }
  });
});
