import { createServer, type Server } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, type Place, preparePlace, until } from '../kit/gateway.ts';
import { ownNames } from '../kit/own-names.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { result, send, type Upstream } from '../kit/upstream.ts';

/** Where connections go, and where they do not go: every trap here listens, and hears nothing. */

interface Trap {
  readonly port: number;
  readonly heard: number;
}

async function trap(on: ReturnType<typeof stage>): Promise<Trap> {
  let heard = 0;
  const server: Server = createServer(socket => {
    heard += 1;
    socket.destroy();
  });
  await new Promise<void>(resolve => server.listen(0, '0.0.0.0', resolve));
  on.after(() => new Promise(resolve => server.close(resolve)));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get heard() {
      return heard;
    },
  };
}

describe('a name that is allowed and stands for an address that is not', () => {
  const on = stage();
  let gateway: Gateway;
  let ear: Trap;

  const names: Readonly<Record<string, readonly string[]>> = {
    'loopback.example.com': ['127.0.0.1'],
    'metadata.example.com': ['169.254.169.254'],
    'private.example.com': ['10.0.0.1'],
    'unspecified.example.com': ['0.0.0.0'],
    'mapped.example.com': ['::ffff:127.0.0.1'],
    'six.example.com': ['::1'],
    'unique-local.example.com': ['fd00:ec2::254'],
    'multicast.example.com': ['224.0.0.1'],
    'one-of-two.example.com': ['127.0.0.1', '8.8.8.8'],
    'the-other-of-two.example.com': ['8.8.8.8', '127.0.0.1'],
  };

  beforeAll(async () => {
    ear = await trap(on);
    const own = await on.upstream();
    const config = {
      chains: { local: chainOf({ own }, { allowedHosts: [`*.example.com:${ear.port}`] }) },
    };
    const place = await preparePlace(config);
    ownNames(place, names);
    gateway = await on.gateway(config, { place });
  });

  it.each(Object.keys(names))('%s: it may be added, and is never connected to', async name => {
    const url = `https://${name}:${ear.port}/0a1b2c3d4e5f`;
    const [label = ''] = name.split('.');
    const tested = await gateway.command('test', 'local', url, '--json');
    expect(tested.stdout + tested.stderr).toMatch(/its address \S+ is [^"]+; allowPrivate is not set/);
    await gateway.api.ask('endpointAdd', { chain: 'local', name: label, url });
    const seen = await until(async () => {
      const endpoint = await gateway.endpoint('local', label);
      return endpoint.probesToday > 0 && endpoint;
    });
    expect(seen.state).toBe('not_verified');
    expect(ear.heard).toBe(0);
  });
});

describe('a URL whose host is not on the allowlist', () => {
  const on = stage();
  let place: Place;
  let gateway: Gateway;
  let ear: Trap;
  let asked: () => readonly string[];

  beforeAll(async () => {
    ear = await trap(on);
    const own = await on.upstream();
    const config = { chains: { local: chainOf({ own }, { allowedHosts: ['rpc.example.com'] }) } };
    place = await preparePlace(config);
    asked = ownNames(place, { 'evil.example.org': ['127.0.0.1'], 'rpc.example.com': ['127.0.0.1'] }).asked;
    gateway = await on.gateway(config, { place });
  });

  it.each([
    ['another name', 'https://evil.example.org/0a1b2c3d4e5f', 'evil.example.org'],
    ['a name below an allowed one', 'https://a.rpc.example.com/0a1b2c3d4e5f', 'a.rpc.example.com'],
    ['another port', 'https://rpc.example.com:8443/0a1b2c3d4e5f', 'rpc.example.com:8443'],
    ['an address', 'https://8.8.8.8/0a1b2c3d4e5f', '8.8.8.8'],
  ])(
    '`test` and `endpoint add` send nothing to %s, not even a question for the name',
    async (_name, url, entry) => {
      for (const words of [
        ['test', 'local', url],
        ['endpoint', 'add', 'local', url, '--name', 'evil'],
      ]) {
        const { code, stdout, stderr } = await gateway.command(...words);
        expect(code).toBe(7);
        expect(stderr).toContain('is not on the allowlist of local');
        // What a reviewer would have to add, where, and what makes it hold.
        expect(stderr).toContain('chains.local.allowedHosts');
        expect(stderr).toContain(`- ${entry}`);
        expect(stderr).toContain('restart');
        expect(stdout + stderr).not.toContain('0a1b2c3d4e5f');
      }
      expect(asked()).toEqual([]);
      expect(ear.heard).toBe(0);
    },
  );

  it('while an allowed one is asked for', async () => {
    await gateway.command('test', 'local', 'https://rpc.example.com/x');
    expect(asked()).toContain('rpc.example.com');
  });

  it('reads a URL that two readers differ on as no URL at all', async () => {
    const before = asked().length;
    for (const url of [
      'https://rpc.example.com\\@evil.example.org/',
      'https://rpc.example.com@evil.example.org/',
    ]) {
      const { code } = await gateway.command('test', 'local', url);
      expect(code).toBe(7);
    }
    expect(asked()).toHaveLength(before);
  });
});

describe('a redirect', () => {
  const on = stage();

  it.each([301, 302, 303, 307, 308])(
    'of %i is a failure of the node, and nobody goes there',
    async status => {
      const ear = await trap(on);
      const bad = await on.upstream();
      const good = await on.upstream();
      const gateway = await on.gateway({ chains: { local: chainOf({ bad, good }) } });
      const location = `http://127.0.0.1:${ear.port}/`;
      bad.on('eth_gasPrice', send(status, '', { location, refresh: `0; url=${location}` }));
      good.on('eth_gasPrice', result('0x77'));
      const reply = await gateway.rpc('local', 'eth_gasPrice');
      expect(reply.body.result).toBe('0x77');
      expect(reply.headers.get('location')).toBeNull();
      // A broadcast neither.
      bad.on('eth_sendRawTransaction', send(status, '', { location }));
      await gateway.rpc('local', 'eth_sendRawTransaction', [
        '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
      ]);
      expect(ear.heard).toBe(0);
    },
  );
});

describe('a proxy in the environment', () => {
  const on = stage();

  it('hears nothing of requests, of probes and of commands', async () => {
    const ear = await trap(on);
    const proxy = `http://127.0.0.1:${ear.port}`;
    const upstream: Upstream = await on.upstream();
    upstream.on('eth_gasPrice', result('0x77'));
    const config = { chains: { local: chainOf({ upstream }) } };
    const place = await preparePlace(config);
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'PROXY', 'GLOBAL_AGENT_HTTP_PROXY'])
      Object.assign(place.env, { [name]: proxy, [name.toLowerCase()]: proxy });
    Object.assign(place.env, { NO_PROXY: '', no_proxy: '', NODE_USE_ENV_PROXY: '1' });
    const gateway = await on.gateway(config, { place });
    expect((await gateway.rpc('local', 'eth_gasPrice')).body.result).toBe('0x77');
    const url = `http://127.0.0.1:${upstream.port}/other`;
    expect((await gateway.command('test', 'local', url)).code).toBe(0);
    expect((await gateway.command('endpoint', 'add', 'local', url, '--name', 'added')).code).toBe(0);
    expect((await gateway.command('call', 'local', 'eth_gasPrice')).stdout).toContain('0x77');
    expect((await gateway.command('status')).code).toBe(0);
    expect(ear.heard).toBe(0);
  });
});
