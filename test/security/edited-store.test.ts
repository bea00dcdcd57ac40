import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { type Here, startHere } from './here.ts';

/** Somebody has the state's file in hand while the daemon is down: a restart gives no more than commands could. */

const port = 9;
const secret = '0a1b2c3d4e5f6071';
const open: Here[] = [];
afterEach(async () => {
  for (const here of open.splice(0)) await here.remove();
});

async function withAdded(): Promise<Here> {
  const here = await startHere({
    chains: {
      local: {
        family: 'evm',
        chainId: 31337,
        probes: { interval: '1h' },
        endpoints: [{ name: 'own', url: `http://127.0.0.1:${port}/own`, weight: 60, allowPrivate: true }],
        allowedHosts: [{ host: `127.0.0.11:${port}`, allowPrivate: true }],
      },
    },
  });
  open.push(here);
  await here.api.ask('endpointAdd', {
    chain: 'local',
    name: 'added',
    url: `http://127.0.0.11:${port}/${secret}`,
  });
  return here;
}

async function edited(here: Here, ...statements: readonly string[]): Promise<void> {
  await here.stop();
  const db = new Database(join(here.dataDir, 'rpcgw.db'));
  for (const statement of statements) db.exec(statement);
  db.close();
  await here.start();
}

async function pool(here: Here) {
  const [chain] = (await here.api.ask('status', {})).chains;
  return { notes: chain?.notes.join('\n') ?? '', endpoints: chain?.endpoints ?? [] };
}

const set = (key: string, value: string): string =>
  `UPDATE endpoint SET settings = json_set(settings, '$.${key}', json('${value}'))`;

describe('an endpoint that was changed in the store', () => {
  it.each([
    ['to a host that is not allowed', `UPDATE endpoint SET url = 'http://127.0.0.99:${port}/${secret}'`],
    ['to another port', `UPDATE endpoint SET url = 'http://127.0.0.11:8545/${secret}'`],
    [
      'to a URL that readers differ on',
      `UPDATE endpoint SET url = 'http://127.0.0.11:${port}\\@127.0.0.99/${secret}'`,
    ],
    ['to no URL', `UPDATE endpoint SET url = '${secret}'`],
    ['to ask in the name of another host', `UPDATE endpoint SET headers = '{"host":"${secret}.example"}'`],
  ])('%s is not in the pool, and that is told without what it was changed to', async (_name, statement) => {
    const here = await withAdded();
    await edited(here, statement);
    const { notes, endpoints } = await pool(here);
    expect(endpoints.map(({ name }) => name)).toEqual(['own']);
    expect(notes).toContain('added, added at runtime, is not used');
    expect(notes + here.lines().join('')).not.toContain(secret);
  });

  it('weighs 20 at most, is not preferred, and is still one added at runtime', async () => {
    const here = await withAdded();
    await edited(
      here,
      set('weight', '100'),
      set('broadcast', '"prefer"'),
      set('origin', '"file"'),
      `INSERT INTO override VALUES ('local', 'added', 'weight', 100, 0, NULL)`,
    );
    expect((await pool(here)).endpoints).toMatchObject([
      { name: 'own', origin: 'file', weight: 60 },
      { name: 'added', origin: 'runtime', weight: 20, broadcast: 'allow' },
    ]);
  });

  it('does not gain weight by what is switched for those of the file', async () => {
    const here = await withAdded();
    await edited(
      here,
      set('weight', '20'),
      `INSERT INTO override VALUES ('local', 'own', 'weight', 5, 0, NULL)`,
    );
    expect((await pool(here)).endpoints).toMatchObject([
      { name: 'own', weight: 5 },
      { name: 'added', weight: 4 },
    ]);
  });

  it('does not get a chain alone by taking those of the file out: they stand in the file', async () => {
    const here = await withAdded();
    await edited(
      here,
      `INSERT INTO endpoint SELECT chain, 'own2', url || '2', headers, settings, added FROM endpoint`,
      `INSERT INTO override VALUES ('local', 'own', 'weight', 0, 0, NULL)`,
    );
    const { endpoints } = await pool(here);
    expect(endpoints.map(({ name, weight }) => [name, weight])).toEqual([
      ['own', 0],
      ['added', 0],
      ['own2', 0],
    ]);
  });
});
