import { describe, expect, test } from 'vitest';
import type { Call } from '../../../src/chains/family.ts';
import { xrpl } from '../../../src/chains/xrpl/index.ts';
import { signed, xrplBlob } from '../../kit/signed.ts';
import { finished } from '../../kit/work.ts';
import { bytes } from '../cases.ts';
import { lookWith } from '../looks.ts';
import { call } from './calls.ts';

const { txId: id } = signed.xrpl(0);
const submit = call('submit', { tx_blob: xrplBlob(0, { lastLedger: 5_000 }) });
const factsOf = (own: Call) => finished(xrpl.transaction(own)).facts;
const facts = factsOf(submit);
const result = (members: object) => JSON.stringify({ result: { status: 'success', ...members } });
const notFound = (searched?: boolean) =>
  JSON.stringify({
    result: {
      error: 'txnNotFound',
      error_code: 29,
      error_message: 'Transaction not found.',
      status: 'error',
      ...(searched === undefined ? {} : { searched_all: searched }),
    },
  });
const head = (height: number) =>
  result({ ledger_index: height, ledger: { ledger_index: String(height), close_time: 1 }, validated: true });
const rangeOf = (request: string): [number, number] | undefined => {
  const { min_ledger: min, max_ledger: max } = JSON.parse(request).params[0];
  return min === undefined ? undefined : [min, max];
};

describe('a look', () => {
  test.each<[string, string | undefined, unknown]>([
    [
      'in a validated ledger',
      result({ hash: id, ledger_index: 990, validated: true }),
      { found: 'block', height: 990, block: '990' },
    ],
    [
      'in one, named the old way',
      result({ hash: id, inLedger: 990, validated: true }),
      { found: 'block', height: 990, block: '990' },
    ],
    ['not validated yet', result({ hash: id, ledger_index: 990, validated: false }), { found: 'pool' }],
    ['in the open ledger', result({ hash: id }), { found: 'pool' }],
    ['not found', notFound(), { found: 'not_seen' }],
    ['not found where all was searched', notFound(true), { found: 'not_seen' }],
    ['about another transaction', result({ hash: 'AA', ledger_index: 990, validated: true }), undefined],
    [
      'a server without a network',
      JSON.stringify({ result: { error: 'noNetwork', status: 'error' } }),
      undefined,
    ],
    ['no answer', undefined, undefined],
  ])('%s', (_, body, finding) => {
    expect(lookWith(xrpl, { id }, () => body)).toEqual({ finding, asked: ['tx'] });
  });
});

describe('impossible', () => {
  const node =
    (height: number, searched: (range: [number, number]) => boolean | undefined) =>
    (method: string, request: string) => {
      if (method === 'ledger') return head(height);
      const range = rangeOf(request);
      return notFound(range === undefined ? undefined : searched(range));
    };
  const sent = { from: 4_900, to: 4_980 };

  test('when its last ledger has gone by and every ledger up to there was searched', () => {
    const { finding, asked } = lookWith(
      xrpl,
      { id, facts, sent },
      node(5_001, () => true),
    );
    expect(finding).toEqual({
      found: 'impossible',
      why: expect.stringContaining('past its last ledger 5000'),
    });
    expect(asked).toEqual(['tx', 'ledger', 'tx']);
  });

  test('a thousand ledgers are searched at least, in pieces that a server takes, back to where it was sent', () => {
    const ranges: unknown[] = [];
    const note = (range: [number, number]) => {
      ranges.push(range);
      return true;
    };
    lookWith(xrpl, { id, facts, sent }, node(5_001, note));
    expect(ranges.splice(0)).toEqual([[4_001, 5_000]]);
    lookWith(xrpl, { id, facts, sent: { from: 2_500, to: 2_600 } }, node(5_001, note));
    expect(ranges).toEqual([
      [4_001, 5_000],
      [3_001, 4_000],
      [2_500, 3_000],
    ]);
  });

  test.each<[string, (method: string, request: string) => string]>([
    ['its last ledger is not past', node(5_000, () => true)],
    ['a server did not search all', node(5_001, () => false)],
    ['a server does not say so', node(5_001, () => undefined)],
    ['it is missing only in part of the range', node(5_001, ([min]) => min > 4_500)],
  ])('not while %s', (_, answers) => {
    expect(lookWith(xrpl, { id, facts, sent }, answers).finding).toEqual({ found: 'not_seen' });
  });

  test('not when the search finds it', () => {
    const { finding } = lookWith(xrpl, { id, facts, sent }, (method, request) => {
      if (method === 'ledger') return head(5_001);
      return rangeOf(request) === undefined
        ? notFound()
        : result({ hash: id, ledger_index: 4_990, validated: true });
    });
    expect(finding).toMatchObject({ found: 'block', height: 4_990 });
  });

  test('a search of tens of thousands of ledgers is left to an operator', () => {
    const { finding, asked } = lookWith(
      xrpl,
      { id, facts, sent: { from: 1, to: 10 } },
      node(50_000, () => true),
    );
    expect(finding).toMatchObject({ found: 'impossible' });
    const far = JSON.stringify({ lastLedger: 40_000 });
    const long = lookWith(
      xrpl,
      { id, facts: far, sent: { from: 1, to: 10 } },
      node(50_000, () => true),
    );
    expect(long.finding).toEqual({ found: 'not_seen' });
    expect(long.asked.length).toBeLessThan(asked.length);
  });
});

describe('what is kept, named and answered', () => {
  test('the last ledger', () => {
    expect(JSON.parse(facts ?? '')).toEqual({ lastLedger: 5_000 });
    expect(factsOf(call('submit', { tx_blob: xrplBlob(0) }))).toBeUndefined();
    expect(factsOf(call('submit', { tx_blob: 'no hex' }))).toBeUndefined();
    expect(factsOf(call('submit_multisigned', { tx_json: {} }))).toBeUndefined();
  });

  test.each([
    ['tefPAST_SEQ', true],
    ['tefMAX_LEDGER', true],
    ['tefNO_TICKET', true],
    ['tefALREADY', false],
    ['temBAD_FEE', false],
  ])('%s speaks of a used sequence, or a time that is over: %s', (code, spent) => {
    expect(xrpl.followUp.spent('xrpl.tx_final', bytes(result({ engine_result: code })))).toBe(spent);
  });

  test('the hash in tx_json is the id', () => {
    const body = bytes(result({ engine_result: 'tesSUCCESS', tx_json: { hash: id.toLowerCase() } }));
    expect(xrpl.answeredId(submit, body)).toBe(id);
    expect(xrpl.answeredId(submit, bytes(notFound()))).toBeUndefined();
  });

  test('known is what a server says of a transaction it has, and is judged as that', () => {
    const named = call('submit', { tx_blob: xrplBlob(0), id: 'mine' });
    const reply = xrpl.knownReply(named, id);
    expect(JSON.parse(reply)).toMatchObject({
      id: 'mine',
      result: { status: 'success', tx_json: { hash: id } },
    });
    const answer = { status: 200, headers: {}, body: bytes(reply) };
    expect(xrpl.judge(named, answer, { nowMs: 0, chain: 'xrpl' }).txOutcome).toBe('known');
    expect(JSON.parse(xrpl.knownReply(submit, id))).not.toHaveProperty('id');
  });
});
