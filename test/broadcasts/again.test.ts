import { beforeAll, describe, expect, it } from 'vitest';
import type { FamilyName } from '../../src/core/chain.ts';
import { ownFault } from '../faults/answers.ts';
import { until } from '../kit/gateway.ts';
import { stage } from '../kit/stage.ts';
import { type Networks, networks } from './networks.ts';

/** The same transaction again, through the built program (contract 6.8). */

const families: readonly FamilyName[] = ['evm', 'solana', 'xrpl', 'tron'];
const fresh = { 'rpcgw-rebroadcast': '1' };
const lost = { at: 'whole', does: 'close' } as const;

/** Both bodies are in the gateway: it holds their bytes until they are answered. */
async function held({ gateway }: Networks, bytes: number): Promise<void> {
  await until(async () => {
    const { text } = await gateway.get('/metrics');
    return Number(/^rpcgw_held_bytes (\d+)/m.exec(text)?.[1]) >= bytes;
  });
}

describe.each(families)('on %s', family => {
  const on = stage();
  let all: Networks;

  beforeAll(async () => {
    all = await networks(
      on,
      ['joined', 'lost', 'repeated', 'restarted', 'asked', 'other', 'none'].map(name => ({
        name,
        family,
        config: { repeatWindow: name === 'none' ? '0s' : '10m' },
      })),
    );
  });

  /** All rows of the one transaction, oldest first. */
  const story = async (name: string) => {
    const { broadcasts } = await all.gateway.api.ask('broadcasts', {
      chain: name,
      unknown: false,
      limit: 100,
    });
    return all.gateway.api.ask('broadcastShow', { id: broadcasts[0]?.id ?? 0 });
  };

  it.each([
    ['joined', { at: 'whole', does: 'takes' }],
    ['lost', lost],
  ] as const)('%s: two clients at once are one send, each under its own id', async (name, act) => {
    const net = all.of(name);
    net.play(act);
    const upstream = net.hold();
    const first = net.send('7');
    await upstream.there;
    const ids = ['"seven"', '0', '"3c2f0e0a-9d1e-4b0c-8a53-0d1a2b3c4d5e"'];
    const others = ids.map(id => net.send(id, id === '0' ? fresh : {}));
    await held(
      all,
      ['7', ...ids].reduce((sum, id) => sum + Buffer.byteLength(net.tx.body(id)), 0),
    );
    upstream.letGo();
    const answers = await Promise.all([first, ...others]);

    expect(net.reached).toHaveLength(1);
    for (const [at, { status, text }] of answers.entries()) {
      expect(status).toBe(200);
      const id: unknown = JSON.parse(['7', ...ids][at] ?? '');
      if (family !== 'tron') expect(JSON.parse(text)).toMatchObject({ id });
      if (act === lost) expect(ownFault({ status, text })?.reason).toBe('broadcast_unknown');
      else expect(text).toContain(net.tx.txId);
    }
    const { attempts, timeline } = await until(async () => {
      const told = await story(name);
      return told.timeline.filter(({ kind }) => kind === 'joined').length === 3 && told;
    });
    expect(attempts).toHaveLength(1);
    expect(timeline.filter(({ kind }) => kind === 'joined')).toHaveLength(3);
  });

  it('a repeat within the window gets the recorded answer', async () => {
    const net = all.of('repeated');
    const first = await net.send('1');
    const again = await net.send('1');
    expect(again.text).toBe(first.text);
    expect(again.headers.get('rpcgw-attempts')).toBe('0');
    expect(again.headers.get('rpcgw-endpoint')).toBe('a');
    const other = await net.send('"mine"');
    expect(other.text).toContain(net.tx.txId);
    if (family !== 'tron') expect(JSON.parse(other.text)).toMatchObject({ id: 'mine' });
    expect(net.reached).toHaveLength(1);
    const { attempts, timeline } = await until(async () => {
      const told = await story('repeated');
      return told.timeline.filter(({ kind }) => kind === 'repeated').length === 2 && told;
    });
    expect(attempts).toMatchObject([{ outcome: 'accepted', reached: 'answered', txId: net.tx.txId }]);
    expect(timeline.map(({ kind }) => kind)).toEqual(['repeated', 'repeated']);
  });

  it('with rpcgw-rebroadcast: 1 it is a new broadcast, whose row names the earlier one', async () => {
    const net = all.of('asked');
    await net.send();
    const again = await net.send('1', fresh);
    expect(again.headers.get('rpcgw-attempts')).toBe('1');
    expect(net.reached).toHaveLength(2);
    const { attempts } = await story('asked');
    expect(attempts).toMatchObject([{ earlier: null }, { earlier: attempts[0]?.id }]);
    // The header says 1 and nothing else.
    await net.send('1', { 'rpcgw-rebroadcast': 'yes' });
    expect(net.reached).toHaveLength(2);
  });

  it('after the window it is a new broadcast, whose row names the earlier one', async () => {
    const net = all.of('none');
    await net.send();
    await net.send();
    expect(net.reached).toHaveLength(2);
    const { attempts } = await story('none');
    expect(attempts).toMatchObject([{ earlier: null }, { earlier: attempts[0]?.id }]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('over a restart after %s: nothing is sent', async signal => {
    const net = all.of(signal === 'SIGTERM' ? 'restarted' : 'other');
    net.play(signal === 'SIGTERM' ? { at: 'whole', does: 'takes' } : lost);
    const first = await net.send();
    await all.gateway.stop(signal);
    await all.gateway.restart();
    await all.usable();
    const again = await net.send();
    expect(net.reached).toHaveLength(1);
    if (signal === 'SIGTERM') {
      expect(again.text).toBe(first.text);
      return;
    }
    expect(ownFault(again)).toMatchObject({
      reason: 'broadcast_unknown',
      transaction: { id: net.tx.txId, endpoint: 'a' },
    });
  });
});
