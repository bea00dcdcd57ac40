import { beforeAll, describe, expect, it } from 'vitest';
import type { BroadcastStory, Broadcasts } from '../../src/api/history-shapes.ts';
import type { FamilyName } from '../../src/core/chain.ts';
import { ownFault } from '../faults/answers.ts';
import { until } from '../kit/gateway.ts';
import { stage } from '../kit/stage.ts';
import { type Networks, networks } from './networks.ts';

/** What becomes of a transaction whose outcome nobody knows (contract 6.7 and 6.9), as an operator sees it. */

const families: readonly FamilyName[] = ['evm', 'solana', 'xrpl', 'tron'];
const lost = { at: 'whole', does: 'close' } as const;

describe('a transaction of which nothing is known', () => {
  const on = stage();
  let all: Networks;

  beforeAll(async () => {
    all = await networks(
      on,
      families.flatMap(family => [
        { name: `on-${family}`, family, config: { repeatWindow: '10m' } },
        { name: `${family}-hand`, family },
        { name: `${family}-other`, family },
        { name: `${family}-confirm`, family, config: { broadcast: { confirm: true } } },
      ]),
    );
  });

  /** The end of an attempt reaches the disk a moment after the client has its answer. */
  const opened = (chain: string) =>
    until(async () => {
      const found = await unknown(chain);
      return found.length > 0 && found;
    });
  const unknown = async (chain: string) => {
    const { broadcasts } = await all.gateway.json<Broadcasts>('broadcasts', '--unknown', '--chain', chain);
    return broadcasts;
  };

  it.each(families)(
    'on %s: it stands in `broadcasts --unknown` until two endpoints show it in a block',
    async family => {
      const net = all.of(`on-${family}`);
      net.play(lost);
      const first = await net.send();
      expect(ownFault(first)?.reason).toBe('broadcast_unknown');
      expect(await opened(net.name)).toMatchObject([
        { txId: net.tx.txId, outcome: 'unknown', reached: 'handed_over', followUp: { settled: null } },
      ]);
      const { unknownBroadcasts } =
        (await all.gateway.status()).chains.find(({ name }) => name === net.name) ?? {};
      expect(unknownBroadcasts).toBe(1);
      await until(async () => net.b.lookUps.length > 0);
      expect(await unknown(net.name)).toHaveLength(1);

      net.a.landed = true;
      net.b.landed = true;
      await until(async () => (await unknown(net.name)).length === 0);
      const { broadcasts } = await all.gateway.json<Broadcasts>('broadcasts', '--chain', net.name);
      const [row] = broadcasts;
      expect(row).toMatchObject({
        outcome: 'unknown',
        followUp: { latest: 'block', height: 999, settled: { how: 'final' } },
      });
      const { timeline } = await all.gateway.json<BroadcastStory>('broadcasts', 'show', String(row?.id));
      const kinds = timeline.map(({ kind }) => kind);
      expect(kinds.slice(0, 1)).toEqual(['follow_up']);
      expect(kinds.slice(-2)).toEqual(['seen', 'settled']);

      // Who asks again hears that it has arrived, and nothing is sent.
      const again = await net.send('1');
      expect(ownFault(again)).toBeUndefined();
      expect(again.text).toContain(net.tx.txId);
      expect(net.reached).toHaveLength(1);
      const settled = await all.gateway.events({ kind: 'broadcast_settled' });
      expect(settled.some(({ text }) => text.includes(net.tx.txId))).toBe(true);
    },
  );

  it.each(families)('on %s: an operator settles it, once', async family => {
    const net = all.of(`${family}-hand`);
    net.play(lost);
    await net.send();
    const [row] = await opened(net.name);
    const done = await all.gateway.command('broadcasts', 'settle', String(row?.id), '--note', 'paid by hand');
    expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
    expect(await unknown(net.name)).toEqual([]);
    const again = await all.gateway.command('broadcasts', 'settle', String(row?.id), '--note', 'again');
    expect(again.code).toBe(0);
    expect(again.stdout + again.stderr).toContain('already');
    expect(net.reached).toHaveLength(1);
  });

  it.each(families)(
    'on %s: an acceptance under another id is an alarm, and reaches the client as unknown',
    async family => {
      const net = all.of(`${family}-other`);
      const other = {
        evm: `0x${'ab'.repeat(32)}`,
        solana: '5j7s6NiJS3JAkvgkoc18WVAsiSaci2pxB2A6ueCJP4tprA2TFg9wSyTLeYouxPBJEMzJinENTkpA52YStRW5Dia7',
        xrpl: 'AB'.repeat(32),
        tron: 'ab'.repeat(32),
      }[family];
      const text = net.tx.accepted('%id%').replace(net.tx.txId, other);
      net.play({ at: 'whole', does: 'says', text });
      const answer = await net.send();
      expect(answer.status).toBe(200);
      const fault = ownFault(answer);
      expect(fault).toMatchObject({ reason: 'broadcast_unknown', transaction: { id: net.tx.txId } });
      expect(fault?.message).toContain(net.tx.txId);
      expect(fault?.message).toContain(other);
      const alarms = await until(async () => {
        const found = (await all.gateway.events({ kind: 'other_id' })).filter(
          ({ chain }) => chain === net.name,
        );
        return found.length > 0 && found;
      });
      expect(alarms).toMatchObject([{ level: 'alarm', endpoint: 'a' }]);
      expect(await opened(net.name)).toHaveLength(1);
      expect(net.reached).toHaveLength(1);
    },
  );

  it.each(families)(
    'on %s with confirm: what was accepted is looked up too, until it is in a block',
    async family => {
      const net = all.of(`${family}-confirm`);
      await net.send();
      const shown = async () =>
        (await all.gateway.json<Broadcasts>('broadcasts', '--chain', net.name)).broadcasts[0];
      const row = await until(async () => {
        const found = await shown();
        return found?.followUp != null && found;
      });
      expect(row).toMatchObject({ outcome: 'accepted', followUp: { reason: 'confirm', settled: null } });
      // It is not lost, so it is not what an operator has to look at.
      expect(await unknown(net.name)).toEqual([]);
      net.a.landed = true;
      net.b.landed = true;
      await until(async () => (await shown())?.followUp?.settled?.how === 'final');
    },
  );
});

describe('the end of the daemon', () => {
  const on = stage();

  it('waits for a broadcast that is in flight: the client gets its answer, and the row its end', async () => {
    const all = await networks(on, [{ name: 'evm', family: 'evm' }]);
    const net = all.of('evm');
    const upstream = net.hold();
    const answer = net.send();
    await upstream.there;
    const ended = all.gateway.stop('SIGTERM');
    await until(async () => all.gateway.log().some(({ msg }) => msg === 'draining'));
    upstream.letGo();
    expect((await answer).text).toBe(net.tx.accepted());
    expect(await ended).toBe(0);
    await all.gateway.restart();
    await all.usable();
    const { broadcasts } = await all.gateway.json<Broadcasts>('broadcasts');
    expect(broadcasts).toMatchObject([{ outcome: 'accepted' }]);
    expect(net.reached).toHaveLength(1);
  });
});

describe('the role of an endpoint', () => {
  const on = stage();

  it('`never` gets no transaction, `prefer` gets it before a better one', async () => {
    const never = { broadcast: 'never' };
    const all = await networks(on, [
      { name: 'never', family: 'evm', endpoints: [never] },
      { name: 'both', family: 'evm', endpoints: [never, never] },
      { name: 'prefer', family: 'evm', endpoints: [{}, { broadcast: 'prefer' }] },
    ]);
    const sentTo = async (name: string) => {
      const answer = await all.of(name).send();
      return [ownFault(answer)?.reason, ...all.of(name).reached.map(({ upstream }) => upstream)];
    };
    expect(await sentTo('never')).toEqual([undefined, 'b']);
    expect(await sentTo('prefer')).toEqual([undefined, 'b']);
    expect(await sentTo('both')).toEqual(['not_sent']);
  });
});
