import { describe, expect, it } from 'vitest';
import { answering, ask, loopback, names, open, turns } from './loopback.ts';

const ways = [
  { way: 'read', alone: false },
  { way: 'broadcast', alone: true },
] as const;

/** Tests end on this machine, so one loopback address plays a public one. */
const publicAddress = '127.0.0.2';
const forbidden = (address: string) => (address === publicAddress ? undefined : 'private');
const refused = { fault: { kind: 'address_refused', reached: 'not_connected' } };

describe.each(ways)('without allowPrivate, a $way', ({ alone }) => {
  it.each([
    'http://127.0.0.1',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://2130706433',
    'http://0x7f.1',
  ])('is not connected to %s', async url => {
    const server = await loopback(answering());
    const line = open(`${url}:${server.port}`, { allowPrivate: false });
    const asked = ask(line, { alone });
    expect(asked.events).toEqual([]);
    expect(await asked.outcome).toMatchObject(refused);
    await turns();
    expect(server.connections).toHaveLength(0);
  });

  it('given up before the refusal of a literal is told nothing', async () => {
    const asked = ask(open('http://127.0.0.1:9', { allowPrivate: false }), { alone });
    asked.abort();
    await turns();
    expect(asked.events).toEqual([]);
  });

  it('is not connected to a name that stands for this machine', async () => {
    const server = await loopback(answering());
    const resolve = names({ 'node.test': ['127.0.0.1'] });
    const line = open(`http://node.test:${server.port}`, { allowPrivate: false }, { resolve });
    expect((await ask(line, { alone }).outcome).fault).toEqual({
      kind: 'address_refused',
      reached: 'not_connected',
      message: `node.test:${server.port}: its address 127.0.0.1 is loopback; allowPrivate is not set`,
    });
    await turns();
    expect(server.connections).toHaveLength(0);
  });

  it('is not connected to any address of a name that has one forbidden address among them', async () => {
    const server = await loopback({ host: publicAddress, ...answering() });
    for (const addresses of [
      [publicAddress, '127.0.0.1'],
      ['10.0.0.5', publicAddress],
      [publicAddress, '::1'],
    ]) {
      const resolve = names({ 'node.test': addresses });
      const line = open(`http://node.test:${server.port}`, { allowPrivate: false }, { resolve, forbidden });
      expect(await ask(line, { alone }).outcome).toMatchObject(refused);
    }
    await turns();
    expect(server.connections).toHaveLength(0);
  });

  it('goes to the address that was checked, and a name that changes gains nothing', async () => {
    const allowed = await loopback({ host: publicAddress, ...answering() });
    const inside = await loopback({ host: '127.0.0.1', port: allowed.port, ...answering() });
    let asked = 0;
    const line = open(
      `http://node.test:${allowed.port}`,
      { allowPrivate: false },
      {
        forbidden,
        resolve: (_, done) => {
          asked += 1;
          const address = asked === 1 ? publicAddress : '127.0.0.1';
          process.nextTick(() => done(null, [{ address, family: 4 }]));
        },
      },
    );
    expect(await ask(line, { alone: true, text: 'a' }).outcome).toMatchObject({ body: 'ok a' });
    expect(asked).toBe(1);
    // The next connection asks again, and is refused by what it hears.
    expect(await ask(line, { alone, text: 'b' }).outcome).toMatchObject(refused);
    expect(asked).toBe(2);
    await turns();
    expect(allowed.connections).toHaveLength(1);
    expect(inside.connections).toHaveLength(0);
  });
});

it('allowPrivate opens this machine and its network', async () => {
  const server = await loopback(answering());
  const resolve = names({ 'node.test': ['127.0.0.1'] });
  for (const host of ['node.test', '127.0.0.1']) {
    const line = open(`http://${host}:${server.port}`, { allowPrivate: true }, { resolve });
    expect(await ask(line, { text: host }).outcome).toMatchObject({ body: `ok ${host}` });
  }
});
