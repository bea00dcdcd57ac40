import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Finished, type Gateway, type Place, preparePlace, runCommand, until } from '../kit/gateway.ts';
import { ownNames } from '../kit/own-names.ts';
import { evmRaw } from '../kit/signed.ts';
import { stage } from '../kit/stage.ts';

/**
 * A token in every place where a secret may be, upstreams that repeat whatever they were asked with, every command and
 * every way to end: then every byte the program wrote is searched for every token.
 */

/** As keys look: long, and no words in them. */
let made = 0;
const token = (place: string): string => {
  made += 1;
  return `${place}Zq7${(made * 7_919).toString(36)}Xw${(made * 104_729).toString(36)}Kp9`;
};
const tokens = {
  path: token('pa'),
  query: token('qu'),
  header: token('he'),
  bearer: token('be'),
  variable: token('va'),
  file: token('fi'),
  credential: token('cr'),
  client: token('cl'),
  wrongClient: token('wc'),
  runtimePath: token('rp'),
  runtimeHeader: token('rh'),
  refusedPath: token('re'),
  testedPath: token('te'),
};
type Tokens = typeof tokens;

const reference = (text: string): string => `\${${text}}`;

/** Repeats what it was asked with: target, headers and all. What else it does is in the first part of the path. */
async function parrot(): Promise<{
  url: (mood: string) => string;
  port: number;
  close: () => Promise<void>;
}> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const asked: unknown = JSON.parse(text);
      const call = (Array.isArray(asked) ? asked[0] : asked) as { id: unknown; method: string };
      const said = `asked at http://${request.headers.host}${request.url} with ${JSON.stringify(request.headers)}`;
      const [, mood = ''] = (request.url ?? '').split('/');
      const json = (status: number, body: unknown): void => {
        response.writeHead(status, {
          'content-type': 'application/json',
          'x-asked': encodeURIComponent(said),
        });
        response.end(JSON.stringify(body));
      };
      const result = (value: unknown): void => json(200, { jsonrpc: '2.0', id: call.id, result: value });
      const error = (code: number, message: string): void =>
        json(200, { jsonrpc: '2.0', id: call.id, error: { code, message, data: said } });
      const seconds = `0x${Math.floor(Date.now() / 1000).toString(16)}`;
      if (mood !== 'mute' && call.method === 'eth_chainId')
        return result(`0x${chainIdOf(mood).toString(16)}`);
      if (mood !== 'mute' && call.method === 'eth_blockNumber') return result('0x64');
      if (mood !== 'mute' && call.method === 'eth_getBlockByNumber')
        return result({ number: '0x64', timestamp: seconds, transactions: [] });
      // The client software that it says it is.
      if (call.method === 'web3_clientVersion') return result(`Parrot/1 ${said}`);
      switch (mood) {
        case 'unauthorized':
          return json(401, { error: said });
        case 'forbidden':
          response.writeHead(403, { 'content-type': 'text/html' });
          return void response.end(`<html><title>403</title><body>${said}</body></html>`);
        case 'throttled':
          return json(429, { error: `too many requests ${said}` });
        case 'moved':
          response.writeHead(302, { location: `http://127.0.0.1:9${request.url}` });
          return void response.end(said);
        case 'broken':
          response.writeHead(200, { 'content-length': '100000' });
          return void response.write(`{"error":"${said}`, () => response.socket?.destroy());
        case 'strange':
          return error(-39_999, `nobody knows this ${said}`);
        case 'wrong':
          return error(3, `execution reverted: ${said}`);
        case 'rejecting':
          return error(-32_000, `insufficient funds for gas * price + value: ${said}`);
        case 'unavailable':
          return json(503, { error: said });
        default:
          return error(-32_602, `invalid argument: ${said}`);
      }
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    url: mood => `http://127.0.0.1:${port}/${mood}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const chainIdOf = (mood: string): number => 40_000 + moods.indexOf(mood);
const moods = [
  'unauthorized',
  'forbidden',
  'throttled',
  'moved',
  'broken',
  'strange',
  'wrong',
  'rejecting',
  'unavailable',
  'mute',
  'plain',
];

describe('what must not be seen', () => {
  const on = stage();
  /** All the program wrote, by where. */
  const written: { readonly where: string; readonly text: string }[] = [];
  const requests: string[] = [];
  let place: Place;
  let gateway: Gateway;

  function keep(where: string, text: string): void {
    written.push({ where, text });
  }
  function keepCommand(words: readonly string[], { stdout, stderr }: Finished): void {
    keep(`rpcgw ${words.join(' ')}`, stdout + stderr);
  }
  /** The tokens that are found, with the place and what stands around them. */
  function found(among: Partial<Tokens> = tokens): string[] {
    return written.flatMap(({ where, text }) =>
      Object.entries(among).flatMap(([name, value]) => {
        const at = text.toLowerCase().indexOf(value.toLowerCase());
        return at < 0 ? [] : [`${name} in ${where}: …${text.slice(Math.max(0, at - 60), at)}<token>`];
      }),
    );
  }
  async function command(...words: readonly string[]): Promise<Finished> {
    const finished = await place.command(...words);
    keepCommand(words, finished);
    return finished;
  }
  /** Twice: for people and for scripts. */
  async function both(...words: readonly string[]): Promise<void> {
    await Promise.all([command(...words), command(...words, '--json')]);
  }
  async function post(chain: string, body: string, key: string = tokens.client): Promise<string> {
    const response = await gateway.post(`/${chain}`, body, { authorization: `Bearer ${key}` });
    requests.push(response.headers.get('rpcgw-request-id') ?? '');
    const text = `${[...response.headers].map(pair => pair.join(': ')).join('\n')}\n${await response.text()}`;
    keep(`an answer of ${chain}`, text);
    return text;
  }

  beforeAll(async () => {
    const upstream = await parrot();
    on.after(upstream.close);
    const withTokens = (mood: string): string =>
      `${upstream.url(mood)}/${tokens.path}/${reference('TEST_SECRET')}?apikey=${tokens.query}&f=${reference('file:@FILE@')}`;
    const headers = {
      'x-api-key': tokens.header,
      authorization: `Bearer ${tokens.bearer}`,
      'x-credential': reference('credential:key'),
    };
    const chains = Object.fromEntries(
      moods.map(mood => [
        mood,
        {
          family: 'evm',
          chainId: chainIdOf(mood),
          probes: { interval: '500ms' },
          timeouts: { read: '2s' },
          endpoints: [
            { name: mood, url: withTokens(mood), headers, allowPrivate: true },
            {
              name: 'no-name',
              url: `https://no-such-host.example.com/${tokens.path}?k=${tokens.query}`,
              headers,
            },
            // Speaks no TLS.
            {
              name: 'no-tls',
              url: `https://127.0.0.1:${upstream.port}/x/${tokens.path}`,
              headers,
              allowPrivate: true,
            },
            { name: 'refused', url: `http://127.0.0.1:9/x/${tokens.path}`, headers, allowPrivate: true },
            { name: 'private', url: `https://inside.example.com/x/${tokens.path}`, headers },
          ],
          allowedHosts: [{ host: `127.0.0.1:${upstream.port}`, allowPrivate: true }],
        },
      ]),
    );
    const config = {
      clients: { keys: [{ name: 'app', key: tokens.client }] },
      log: { level: 'debug' },
      chains,
    };
    place = await preparePlace(config);
    on.after(place.remove);
    const secretFile = join(place.dir, 'secret');
    writeFileSync(secretFile, `${tokens.file}\n`);
    writeFileSync(join(place.dir, 'key'), tokens.credential);
    writeFileSync(place.file, readFileSync(place.file, 'utf8').replaceAll('@FILE@', secretFile));
    ownNames(place, { 'inside.example.com': ['10.0.0.1'] });
    Object.assign(place.env, {
      NODE_OPTIONS: `${place.env.NODE_OPTIONS} --import=${new URL('../kit/crash.ts', import.meta.url).href}`,
      TEST_SECRET: tokens.variable,
      TEST_CRASH: `${upstream.url('plain')}/${tokens.path}?apikey=${tokens.query}`,
      CREDENTIALS_DIRECTORY: place.dir,
    });
    gateway = await on.gateway(config, { place, until: 'listening' });
    for (const mood of moods.filter(each => each !== 'mute'))
      await until(async () => (await gateway.endpoint(mood, mood)).state !== 'not_verified');

    const added = `${upstream.url('plain')}/${tokens.runtimePath}?k=${tokens.query}`;
    await gateway.api.ask('endpointAdd', {
      chain: 'plain',
      name: 'added',
      url: added,
      headers: { 'x-runtime': tokens.runtimeHeader },
    });
    keep(
      'adding over the command line',
      Object.values(
        await runCommand(['endpoint', 'add', 'plain', '-', '--name', 'added'], {
          env: place.env,
          input: added,
        }),
      ).join('\n'),
    );
    for (const [name, url] of [
      ['foreign', `https://not-allowed.example.com/${tokens.refusedPath}`],
      ['credentials', `https://u:${tokens.refusedPath}@127.0.0.1:${upstream.port}/`],
      ['fragment', `${upstream.url('plain')}/${tokens.refusedPath}#x`],
      ['none', `ht!tp:/${tokens.refusedPath}`],
    ] as const) {
      await runCommand(['endpoint', 'add', 'plain', '-', '--name', name], {
        env: place.env,
        input: url,
      }).then(finished => keepCommand(['endpoint', 'add', name], finished));
      for (const more of [[], ['--json']])
        keepCommand(
          ['test', name],
          await runCommand(['test', 'plain', '-', ...more], { env: place.env, input: url }),
        );
    }
    for (const mood of moods)
      keepCommand(
        ['test', mood],
        await runCommand(['test', 'plain', '-'], {
          env: place.env,
          input: `${upstream.url(mood)}/${tokens.testedPath}`,
        }),
      );

    for (const mood of moods) {
      for (const [at, method] of [
        'eth_gasPrice',
        'eth_call',
        'debug_traceTransaction',
        'eth_newFilter',
      ].entries())
        await post(mood, JSON.stringify({ jsonrpc: '2.0', id: at, method, params: [] }));
      const raw = evmRaw(1, chainIdOf(mood));
      const broadcast = { jsonrpc: '2.0', id: 9, method: 'eth_sendRawTransaction', params: [raw] };
      await post(mood, JSON.stringify(broadcast));
      await post(mood, JSON.stringify(broadcast));
      await post(
        mood,
        JSON.stringify([broadcast, { ...broadcast, id: 10, method: 'eth_gasPrice', params: [] }]),
      );
    }
    await post('plain', '{"broken":', tokens.client);
    await post('plain', '{}', tokens.wrongClient);
    await post(`plain/${tokens.client}`, '{}');
    for (const page of ['/livez', '/readyz', '/readyz/plain', '/metrics', '/nothing'])
      keep(page, (await gateway.get(page)).text);

    await both('status');
    await both('scores');
    await both('endpoint', 'list');
    for (const name of ['plain', 'added', 'no-name', 'no-tls', 'refused', 'private'])
      await both('endpoint', 'show', 'plain', name);
    await both('endpoint', 'set', 'plain', 'added', '--weight', '5');
    await both('endpoint', 'drain', 'plain', 'added');
    await both('endpoint', 'disable', 'plain', 'added');
    await both('endpoint', 'enable', 'plain', 'added');
    await both('endpoint', 'remove', 'plain', 'added', '--dry-run', '--yes');
    await both('call', 'plain', 'eth_gasPrice');
    await both('call', 'forbidden', 'eth_gasPrice', '--verbose');
    await both('explain', 'plain', 'eth_gasPrice');
    await both('report', '--since', '1h');
    await both('events', '--since', '1h', '--limit', '5000');
    await both('broadcasts');
    await both('broadcasts', '--unknown');
    await both('broadcasts', 'export');
    for (const id of [1, 2, 3, 5, 8]) await both('broadcasts', 'show', String(id));
    await both('broadcasts', 'settle', '1', '--note', 'seen to');
    await both('audit', 'list');
    await both('audit', 'verify');
    await both('doctor');
    await both('check');
    await both('check', '--against-running');
    await both('config', 'show');
    await both('reload');
    await both('log-level', 'debug');
    await both('top', '--once');
    expect(requests.length).toBeGreaterThan(20);
    for (const id of requests.slice(-4)) await both('trace', id);

    // What others on the machine see of the process.
    for (const file of ['cmdline', 'comm', 'status', 'maps'])
      keep(`/proc/…/${file}`, readFileSync(`/proc/${gateway.pid}/${file}`, 'utf8'));
    await gateway.stop('SIGTERM');
    keep('the log of the first run', gateway.output());
    await gateway.restart();
    await gateway.stop('SIGKILL');
    keep('the log of the second run', gateway.output());
    await gateway.restart();
    await until(async () => (await gateway.endpoint('plain', 'plain')).state === 'healthy');
    await gateway.stop('SIGUSR2');
    keep('the log of the run that crashed', gateway.output());
    await gateway.restart();
    await both('status');
    await both('audit', 'verify');
  }, 600_000);

  it('is said by the crash to be there, but not what it is', () => {
    const crash = written.find(({ where }) => where === 'the log of the run that crashed')?.text ?? '';
    expect(crash).toContain('a fault of rpcgw itself ends it');
    expect(crash).toContain('Invalid URL');
  });

  it('was in what the endpoints said: clients were told, with the secrets masked', () => {
    const answers = written.filter(({ where }) => where.startsWith('an answer of')).map(({ text }) => text);
    expect(answers.filter(text => text.includes('***')).length).toBeGreaterThan(5);
    expect(answers.some(text => text.includes('execution reverted'))).toBe(true);
  });

  it('is in nothing the program wrote to streams, clients and operators', () => {
    expect(written.length).toBeGreaterThan(150);
    expect(found()).toEqual([]);
  });

  it('is in the store where endpoints added at runtime stand, and in no other table', () => {
    const db = new Database(join(place.dataDir, 'rpcgw.db'), { readonly: true });
    const tables = db
      .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all();
    const dump = new Map(
      tables.map(({ name }) => [
        name,
        db
          .prepare(`SELECT * FROM "${name}"`)
          .all()
          .map(row =>
            Object.values(row as Record<string, unknown>)
              .map(value =>
                value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value),
              )
              .join('\n'),
          )
          .join('\n'),
      ]),
    );
    db.close();
    expect(dump.get('endpoint')).toContain(tokens.runtimePath);
    expect(dump.get('endpoint')).toContain(tokens.runtimeHeader);
    expect(dump.get('broadcast')?.length).toBeGreaterThan(500);
    expect(dump.get('event')?.length).toBeGreaterThan(500);
    written.length = 0;
    for (const [table, text] of dump) if (table !== 'endpoint') keep(`table ${table}`, text);
    expect(found()).toEqual([]);
  });

  it('of the file and of clients is in no byte of the state, nor that of an endpoint once it is removed', async () => {
    const { runtimePath, runtimeHeader, query, ...ofFile } = tokens;
    const files = (): void => {
      written.length = 0;
      for (const file of readdirSync(place.dataDir))
        keep(`the file ${file}`, readFileSync(join(place.dataDir, file)).toString('latin1'));
    };
    files();
    expect(found(ofFile)).toEqual([]);
    expect(found({ runtimePath }).length).toBeGreaterThan(0);
    await command('endpoint', 'remove', 'plain', 'added', '--yes', '--force');
    await gateway.stop('SIGTERM');
    files();
    expect(found({ ...ofFile, runtimePath, runtimeHeader, query })).toEqual([]);
  });
});
