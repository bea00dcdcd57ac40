import { beforeAll, describe, expect, it } from 'vitest';
import type { Broadcast, Broadcasts } from '../../src/api/history-shapes.ts';
import { until } from '../kit/gateway.ts';
import { expectShape } from '../kit/shapes.ts';
import { stage } from '../kit/stage.ts';
import { type Networks, networks } from './networks.ts';

/** The record as an operator asks it, and as it is taken away for the books. */

describe('the record of broadcasts', () => {
  const on = stage();
  let all: Networks;
  const outcomes = {
    accepted: { at: 'whole', does: 'takes' },
    unknown: { at: 'whole', does: 'close' },
    refused: { at: 'whole', does: 'status', statuses: [401] },
    rejected: {
      at: 'whole',
      does: 'says',
      text: '{"jsonrpc":"2.0","id":%id%,"error":{"code":-32000,"message":"insufficient funds for gas * price + value"}}',
    },
    known: {
      at: 'whole',
      does: 'says',
      text: '{"jsonrpc":"2.0","id":%id%,"error":{"code":-32000,"message":"already known"}}',
    },
  } as const;
  const words = Object.keys(outcomes);

  beforeAll(async () => {
    all = await networks(
      on,
      Object.keys(outcomes).map(name => ({ name: `on-${name}`, family: 'evm' as const })),
    );
    for (const [name, act] of Object.entries(outcomes)) {
      const net = all.of(`on-${name}`);
      net.play(act);
      await net.send();
    }
    await until(async () => (await list('--outcome', 'pending')).length === 0);
  });

  const list = async (...args: string[]) =>
    (await all.gateway.json<Broadcasts>('broadcasts', ...args)).broadcasts;
  const named = (rows: readonly Broadcast[]) => rows.map(({ chain, outcome }) => [chain, outcome]);
  const everything = words.map(word => [`on-${word}`, word]).reverse();

  it('is listed newest first, each with its outcome', async () => {
    expect(named(await list())).toEqual(everything);
    expect(named(await list('--limit', '2'))).toEqual(everything.slice(0, 2));
  });

  it.each(words)('by outcome: %s', async word => {
    expect(named(await list('--outcome', word))).toEqual([[`on-${word}`, word]]);
  });

  it.each(words)('by chain, and by transaction: on-%s', async word => {
    const { tx } = all.of(`on-${word}`);
    expect(named(await list('--chain', `on-${word}`))).toEqual([[`on-${word}`, word]]);
    expect(named(await list('--tx', tx.txId))).toEqual([[`on-${word}`, word]]);
    expect(await list('--tx', tx.txId, '--chain', 'on-nothing')).toEqual([]);
    expect(await list('--tx', tx.txId, '--outcome', 'pending')).toEqual([]);
  });

  it('by time', async () => {
    expect(named(await list('--since', '1h'))).toEqual(everything);
    const rows = await list();
    for (const [at, { began }] of rows.entries()) {
      const sinceMs = Date.parse(began);
      const { broadcasts } = await all.gateway.api.ask('broadcasts', { sinceMs, unknown: false, limit: 100 });
      // Two may have begun in the same millisecond.
      const same = rows.filter(row => row.began === began && row.id < (rows[at]?.id ?? 0)).length;
      expect(broadcasts).toHaveLength(at + 1 + same);
    }
  });

  it('what nobody knows yet: `--unknown`, and with it whatever else is asked for', async () => {
    expect(named(await list('--unknown'))).toEqual([['on-unknown', 'unknown']]);
    expect(await list('--unknown', '--chain', 'on-accepted')).toEqual([]);
    expect(await list('--unknown', '--outcome', 'rejected')).toEqual([]);
  });

  it('another word than those is said to be none', async () => {
    const { code, stderr } = await all.gateway.command('broadcasts', '--outcome', 'lost');
    expect(code).toBe(2);
    expect(stderr).toContain('pending, accepted, known, rejected, refused, unknown');
  });

  it('is exported as JSON Lines, and as CSV with the same in it', async () => {
    const rows = await list();
    const lines = (await all.gateway.command('broadcasts', 'export')).stdout.trimEnd().split('\n');
    const read = lines.map(line => JSON.parse(line) as Broadcast);
    for (const row of read) expectShape('broadcast', row);
    // What is looked up moves on between two questions.
    const still = ({ followUp: _, ...row }: Broadcast) => row;
    expect(read.map(still)).toEqual(rows.map(still));
    const csv = (await all.gateway.command('broadcasts', 'export', '--csv')).stdout.trimEnd().split('\n');
    const [head = '', ...table] = csv.map(line => line.split(','));
    const column = (name: string) => table.map(cells => cells[head.indexOf(name)]);
    expect(column('id')).toEqual(rows.map(({ id }) => String(id)));
    expect(column('txId')).toEqual(rows.map(({ txId }) => txId));
    expect(column('outcome')).toEqual(rows.map(({ outcome }) => outcome));
    const some = await all.gateway.command('broadcasts', 'export', '--csv', '--outcome', 'accepted');
    expect(some.stdout.trimEnd().split('\n')).toHaveLength(2);
    expect((await all.gateway.command('broadcasts', 'export', '--csv', '--json')).code).toBe(2);
  });

  it('a preference for broadcasts is the config’s: the help offers none, and the rule says why', async () => {
    for (const command of ['add', 'set']) {
      const help = await all.gateway.command('endpoint', command, '--help');
      expect(help.stdout.replace(/\s+/g, ' ')).toContain('allow or never; prefer stands in the config');
    }
    const url = `${all.of('on-accepted').a.url}/more`;
    const add = ['endpoint', 'add', 'on-accepted', url, '--name', 'more', '--broadcast'];
    const refused = await all.gateway.command(...add, 'prefer');
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain('cannot be preferred for broadcasts');
  });
});
