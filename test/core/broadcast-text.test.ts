import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  harmless,
  interruptedText,
  notSentText,
  otherIdText,
  refusedText,
  unknownText,
  wrongChainText,
} from '../../src/core/broadcast-text.ts';

const sendsAgain = /rate limit|header not found|already known|nonce too low|limit/i;
const name = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('no-limit', 'Rate Limit', 'already known', 'a'),
);
const watched = fc.record({
  endpoint: name,
  txId: fc.option(fc.constantFrom('0xab', 'CD'), { nil: undefined }),
});

describe('what the gateway says of a broadcast', () => {
  test('never has a word on which a library sends again, however endpoints and chains are called', () => {
    fc.assert(
      fc.property(watched, name, (one, chain) => {
        for (const text of [
          wrongChainText('chain id', '56', chain, '1'),
          refusedText(one, 60_000),
          unknownText(one, 'no answer came in time'),
          interruptedText(one),
          otherIdText(one, '0xff'),
          notSentText(`no connection to ${harmless(one.endpoint, 'the endpoint')} came about`),
        ]) {
          expect(text).not.toMatch(sendsAgain);
        }
      }),
    );
  });

  test('tells one of two things: nothing left, or the bytes were handed over and must not be signed again', () => {
    fc.assert(
      fc.property(watched, one => {
        for (const text of [
          refusedText(one, 1),
          unknownText(one, 'x'),
          interruptedText(one),
          otherIdText(one, '0xff'),
        ]) {
          expect(text).toMatch(/[Dd]o not sign it again/);
          expect(text).not.toContain('Nothing left');
        }
        for (const text of [refusedText(one, 1), unknownText(one, 'x'), interruptedText(one)]) {
          expect(text).toContain(one.txId === undefined ? 'watch the account' : `watch ${one.txId}`);
        }
      }),
    );
    expect(notSentText('x')).toContain('Nothing left the gateway; the same signed bytes may be sent again');
  });

  test('names both numbers of a wrong chain', () => {
    expect(wrongChainText('chain id', '56', 'ethereum', '1')).toBe(
      'the transaction is signed for chain id 56, and ethereum has chain id 1: it was not sent, nothing left the gateway',
    );
  });
});
