import { describe, expect, test } from 'vitest';
import { sessionName } from '../../src/daemon/session-name.ts';

describe('who a client is over several requests', () => {
  const keys = new Set(['shop', 'wallet']);

  test.each<[string, string, string | undefined, string | undefined]>([
    ['its key', 'shop', undefined, 'shop'],
    ['its header', '10.0.0.7', 'payments', '/payments'],
    ['both', 'shop', 'payments', 'shop/payments'],
    ['nobody by its address alone', '10.0.0.7', undefined, undefined],
    ['its key where the header is too long to be kept', 'shop', 'x'.repeat(129), 'shop'],
    ['nobody by a header that is too long', '10.0.0.7', 'x'.repeat(129), undefined],
  ])('%s', (_, client, session, name) => {
    expect(sessionName({ client, session }, keys)).toBe(name);
  });

  test('two keys with the same header are two', () => {
    const of = (client: string) => sessionName({ client, session: 'a' }, keys);
    expect(of('shop')).not.toBe(of('wallet'));
  });

  test('a header cannot speak for a key', () => {
    for (const session of ['shop', 'shop/', 'shop/payments', '/payments'])
      expect([...keys, 'shop/payments']).not.toContain(sessionName({ client: '10.0.0.7', session }, keys));
  });
});
