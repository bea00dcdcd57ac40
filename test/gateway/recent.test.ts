import { describe, expect, test } from 'vitest';
import type { RecordedBroadcast } from '../../src/gateway/ports.ts';
import { Recent } from '../../src/gateway/recent.ts';

const recorded = (row: number, bytes = 0): RecordedBroadcast => ({
  row,
  chain: 'ethereum',
  method: 'eth_sendRawTransaction',
  txId: '0xab',
  digest: 'd',
  options: '[]',
  endpoint: 'a',
  identityKey: 'key',
  requestId: 'r',
  attempt: 1,
  earlier: undefined,
  began: 0,
  outcome: 'accepted',
  answer: new Uint8Array(bytes),
});

describe('what ended a moment ago', () => {
  test('is known until its time is over', () => {
    const recent = new Recent();
    recent.set('x', recorded(1), 60, 0);
    expect(recent.get('x', 59)?.row).toBe(1);
    expect(recent.get('x', 60)).toBeUndefined();
    expect(recent.get('y', 0)).toBeUndefined();
  });

  test('gives way to a newer one of the same', () => {
    const recent = new Recent();
    recent.set('x', recorded(1), 60, 0);
    recent.set('x', recorded(2), 90, 30);
    expect(recent.get('x', 80)?.row).toBe(2);
  });

  test('is pushed out by bytes, the oldest first', () => {
    const recent = new Recent();
    const tenth = 4 * 1024 * 1024;
    for (let n = 0; n < 9; n++) recent.set(`${n}`, recorded(n, tenth), 60, 0);
    expect(recent.get('0', 1)).toBeUndefined();
    expect(recent.get('1', 1)).toBeUndefined();
    expect(recent.get('2', 1)?.row).toBe(2);
    expect(recent.get('8', 1)?.row).toBe(8);
  });

  test('takes no room once its time is over, or once it was replaced', () => {
    const recent = new Recent();
    const half = 16 * 1024 * 1024;
    for (let n = 0; n < 50; n++) recent.set(`${n}`, recorded(n, half), n + 1, n);
    recent.set('last', recorded(100), 1_000, 500);
    for (let n = 0; n < 50; n++) recent.set('same', recorded(n, half / 2), 1_000, 500);
    expect(recent.get('last', 501)?.row).toBe(100);
    expect(recent.get('same', 501)?.row).toBe(49);
  });
});
