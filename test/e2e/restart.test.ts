import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, until } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { page, result, type Upstream } from '../kit/upstream.ts';

describe('kill -9, and a start on the same state', () => {
  const on = stage();
  let known: Upstream;
  let wrong: Upstream;
  let added: Upstream;
  let gateway: Gateway;

  beforeAll(async () => {
    [known, wrong, added] = [await on.upstream(), await on.upstream({ chainId: 1 }), await on.upstream()];
    gateway = await on.gateway({
      chains: {
        local: chainOf(
          { known, wrong },
          { allowedHosts: [{ host: `127.0.0.1:${added.port}`, allowPrivate: true }] },
        ),
      },
    });
  });

  it('keeps runtime endpoints, events and what was proven of identities', async () => {
    const { code, stderr } = await gateway.command(
      ...['endpoint', 'add', 'local', added.url, '--name', 'added', '--weight', '7'],
    );
    expect([code, stderr]).toEqual([0, '']);
    await until(async () => (await gateway.endpoint('local', 'added')).state === 'quarantine');
    const before = await until(async () => {
      const events = await gateway.events();
      return events.some(({ kind, endpoint }) => kind === 'wrong_network' && endpoint === 'wrong') && events;
    });
    expect(await gateway.stop('SIGKILL')).toBeNull();

    // Nobody can prove anything any more: what is known now comes from the state.
    known.on('eth_chainId', page(502));
    wrong.on('eth_chainId', page(502));
    known.on('eth_gasPrice', result('0x9'));
    wrong.on('eth_gasPrice', result('0x666'));
    await gateway.restart();

    const reply = await gateway.rpc('local', 'eth_gasPrice');
    expect(reply).toMatchObject({ status: 200, endpoint: 'known', body: { result: '0x9' } });
    expect((await gateway.endpoint('local', 'wrong')).state).toBe('wrong_network');
    expect(await gateway.endpoint('local', 'added')).toMatchObject({
      origin: 'runtime',
      weight: 7,
      state: 'quarantine',
    });
    const after = await gateway.events();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(wrong.count('eth_gasPrice')).toBe(0);
  });

  it('takes the socket over that the dead one left', async () => {
    expect(await gateway.stop('SIGKILL')).toBeNull();
    const silent = await gateway.command('status');
    expect(silent.code).toBe(5);
    expect(silent.stderr).toContain(`${gateway.place.socket}: is there, but nobody listens`);
    await gateway.restart();
    expect((await gateway.command('status')).code).toBe(0);
  });

  it('a name that the file takes for itself meanwhile is an error that says how to settle it', async () => {
    expect(await gateway.stop()).toBe(0);
    const place = gateway.place;
    const text = await readFile(place.file, 'utf8');
    await writeFile(place.file, text.replace('"name": "wrong"', '"name": "added"'));
    const refused = await place.command('serve');
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain('local/added is in the config and was added at runtime too');
    expect(refused.stderr).toContain('rpcgw endpoint remove local added');
    await writeFile(place.file, text);
  });
});
