import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { xrpl } from '../../../src/chains/xrpl/index.ts';
import { rules } from '../../../src/chains/xrpl/replies.ts';
import type { Judgement } from '../../../src/core/verdict.ts';
import { altered, answeredOf, bytes, type Case } from '../cases.ts';
import { classify, testRuleTable } from '../rule-table.ts';
import { call } from './calls.ts';

const cases = answeredOf('xrpl');
const named = cases.map(one => [one.id, one] as const);
const context = { nowMs: 0, chain: 'xrpl' };

function expected(one: Case): Record<string, unknown> {
  const { verdict, tx_outcome: txOutcome, retry_after_s: retryAfterSeconds } = one;
  return { verdict, txOutcome, retryAfterSeconds };
}

const judged = (asked: ReturnType<typeof call>, body: unknown, status = 200, poolHead?: number): Judgement =>
  xrpl.judge(
    asked,
    { status, headers: {}, body: bytes(typeof body === 'string' ? body : JSON.stringify(body)) },
    poolHead === undefined ? context : { ...context, poolHead },
  );

describe('the corpus', () => {
  test('has enough of our own beside what was given', () => {
    expect(cases.filter(({ id }) => id.startsWith('xrpl-extra-')).length).toBeGreaterThan(60);
  });

  test.each(named)('%s', (_, one) => {
    const told = classify(xrpl, one);
    expect({ txOutcome: undefined, retryAfterSeconds: undefined, ...told }).toMatchObject(expected(one));
  });

  test.each(named)('%s, other numbers, hosts and names', (_, one) => {
    expect(classify(xrpl, altered(one))).toMatchObject({ verdict: one.verdict });
  });

  test.each(named)('%s, its text within a result', (_, { response }) => {
    const result = {
      account: 'r',
      Memos: [{ MemoData: response.body }],
      note: response.body,
      status: 'success',
    };
    expect(judged(call('account_info', {}), { result })).toEqual({ verdict: 'ok', rule: 'xrpl.result' });
  });

  test.each(named)('%s, its text as the message of a definite answer', (_, { response }) => {
    const result = { error: 'actNotFound', error_code: 19, error_message: response.body, status: 'error' };
    expect(judged(call('account_info', {}), { result }).verdict).toBe('app_error');
  });
});

describe('the rules', () => {
  testRuleTable(xrpl, rules);
});

const errorTokens: Readonly<Record<string, readonly string[]>> = {
  node_failure: [
    'tooBusy',
    'noNetwork',
    'noCurrent',
    'noClosed',
    'notSynced',
    'notReady',
    'amendmentBlocked',
    'unlBlocked',
    'internal',
    'internalJson',
    'internalTransaction',
    'internalSubmit',
    'dbDeserialization',
    'json_rpc',
    'failedToForward',
    'connectionError',
    'requestError',
    'timeout',
    'invalidResponse',
  ],
  rate_limited: ['slowDown'],
  auth_refused: ['forbidden'],
  unsupported: [
    'unknownCmd',
    'notSupported',
    'notEnabled',
    'reportingUnsupported',
    'noPermission',
    'noEvents',
  ],
  app_error: [
    'actNotFound',
    'actMalformed',
    'srcActNotFound',
    'dstActNotFound',
    'entryNotFound',
    'objectNotFound',
    'invalidParams',
    'malformedRequest',
    'malformedOwner',
    'malformedAddress',
    'malformedCurrency',
    'excessiveLgrRange',
    'highFee',
    'badSyntax',
    'badFeature',
    'channelMalformed',
    'transactionNotFound',
    'unknown',
    'unknownOption',
    'fieldNotFoundTransaction',
    'invalid_API_version',
    'badCredentials',
  ],
};

describe('tokens of the node', () => {
  const asked = call('account_info', { ledger_index: 5_000_000 });
  for (const [verdict, tokens] of Object.entries(errorTokens)) {
    test.each(tokens)(`%s: ${verdict}, wherever it stands`, token => {
      const own = { error: token, error_code: 1, error_message: 'x', status: 'error' };
      expect(judged(asked, { result: own }).verdict).toBe(verdict);
      expect(judged(asked, { ...own, type: 'response', id: 3 }).verdict).toBe(verdict);
      expect(judged(asked, { error: { ...own, code: 1, message: 'x' }, ripplerpc: '2.0' }).verdict).toBe(
        verdict,
      );
      expect(
        judged(asked, { result: own, warnings: [{ id: 2003, message: 'rate limited' }] }, 503).verdict,
      ).toBe(verdict);
      expect(judged(asked, { result: own }).unclassified).toBeUndefined();
    });
  }

  test('a token that is nowhere is an answer to the caller, and counted', () => {
    const told = judged(asked, { result: { error: 'neverSeen', status: 'error' } });
    expect(told).toEqual({ verdict: 'app_error', rule: 'xrpl.other_token', unclassified: true });
  });

  test('only a method that is missing as a whole may be remembered', () => {
    const whole = (token: string) => judged(asked, { result: { error: token, status: 'error' } }).wholeMethod;
    expect(whole('unknownCmd')).toBe(true);
    expect(whole('notSupported')).toBeUndefined();
    expect(whole('noPermission')).toBeUndefined();
  });
});

describe('the fate of a transaction', () => {
  const submit = call('submit', { tx_blob: '1200' });
  const told = (engine_result: string, flags: Readonly<Record<string, boolean>> = {}) => {
    const { verdict, txOutcome } = judged(submit, { result: { engine_result, ...flags, status: 'success' } });
    return [verdict, txOutcome];
  };
  const held = { accepted: true, applied: false, broadcast: false, kept: true, queued: false };
  const none = { accepted: false, applied: false, broadcast: false, kept: false, queued: false };

  test.each<[string, Readonly<Record<string, boolean>>, string, string]>([
    ['tesSUCCESS', {}, 'ok', 'accepted'],
    ['tesSUCCESS', held, 'ok', 'accepted'],
    ['tecPATH_DRY', {}, 'ok', 'accepted'],
    ['tecPATH_DRY', none, 'app_error', 'refused'],
    ['terQUEUED', {}, 'ok', 'accepted'],
    ['terPRE_SEQ', held, 'ok', 'accepted'],
    ['terPRE_SEQ', none, 'app_error', 'refused'],
    ['terPRE_SEQ', {}, 'app_error', 'unknown'],
    ['terRETRY', { queued: true }, 'ok', 'accepted'],
    ['telINSUF_FEE_P', held, 'ok', 'accepted'],
    ['telINSUF_FEE_P', none, 'app_error', 'refused'],
    ['telINSUF_FEE_P', {}, 'app_error', 'unknown'],
    ['telCAN_NOT_QUEUE_BALANCE', none, 'app_error', 'refused'],
    ['telLOCAL_ERROR', none, 'node_failure', 'refused'],
    ['telFAILED_PROCESSING', none, 'node_failure', 'refused'],
    ['telFAILED_PROCESSING', held, 'ok', 'accepted'],
    ['telBAD_DOMAIN', none, 'app_error', 'rejected'],
    ['telNO_DST_PARTIAL', none, 'app_error', 'rejected'],
    ['telWRONG_NETWORK', none, 'app_error', 'rejected'],
    ['telREQUIRES_NETWORK_ID', {}, 'app_error', 'rejected'],
    ['telNETWORK_ID_MAKES_TX_NON_CANONICAL', none, 'app_error', 'rejected'],
    ['temMALFORMED', none, 'app_error', 'rejected'],
    ['tefPAST_SEQ', {}, 'app_error', 'rejected'],
    ['tefPAST_SEQ', held, 'app_error', 'rejected'],
    ['tefMAX_LEDGER', none, 'app_error', 'rejected'],
    ['tefALREADY', none, 'app_error', 'known'],
    ['tefALREADY', held, 'app_error', 'known'],
    ['xyzUNHEARD', {}, 'node_failure', 'unknown'],
  ])('%s %j: %s, %s', (result, flags, verdict, outcome) => {
    expect(told(result, flags)).toEqual([verdict, outcome]);
  });

  test.each([
    ['noNetwork', 'refused'],
    ['notReady', 'refused'],
    ['connectionError', 'refused'],
    ['slowDown', 'refused'],
    ['noPermission', 'refused'],
    ['requestError', 'unknown'],
    ['timeout', 'unknown'],
    ['failedToForward', 'unknown'],
    ['internal', 'unknown'],
    ['internalSubmit', 'unknown'],
    ['neverSeen', 'unknown'],
    ['invalidTransaction', 'rejected'],
    ['invalidParams', 'rejected'],
  ])('an error before or at work: %s, %s', (error, outcome) => {
    expect(judged(submit, { result: { error, status: 'error' } }).txOutcome).toBe(outcome);
  });

  test('a dry run is no broadcast', () => {
    const answer = { result: { applied: false, engine_result: 'tefPAST_SEQ', status: 'success' } };
    expect(judged(call('simulate', { tx_json: {} }), answer)).toEqual({ verdict: 'ok', rule: 'xrpl.result' });
  });

  test('an answer cut anywhere proves nothing', () => {
    const whole = '{"result":{"accepted":true,"engine_result":"tesSUCCESS","status":"success"}}';
    for (let end = 0; end < whole.length; end++) {
      expect(judged(submit, whole.slice(0, end))).toMatchObject({
        verdict: 'node_failure',
        txOutcome: 'unknown',
      });
    }
  });
});

describe('a range of ledgers', () => {
  const over = (min: number | undefined, max: number | undefined, asked: object, poolHead?: number) => {
    const result = { ledger_index_max: max, ledger_index_min: min, status: 'success', transactions: [] };
    return judged(call('account_tx', { account: 'r', ...asked }), { result }, 200, poolHead).verdict;
  };

  test.each<[number, number, object, number | undefined, string]>([
    [500_000, 600_000, { ledger_index_min: 500_000, ledger_index_max: 600_000 }, undefined, 'ok'],
    [
      500_001,
      600_000,
      { ledger_index_min: 500_000, ledger_index_max: 600_000 },
      undefined,
      'missing_history',
    ],
    [
      500_000,
      599_999,
      { ledger_index_min: 500_000, ledger_index_max: 600_000 },
      undefined,
      'missing_history',
    ],
    [500_000, 599_999, { ledger_index_min: 500_000, ledger_index_max: 600_000 }, 700_000, 'missing_history'],
    [500_000, 599_999, { ledger_index_min: 500_000, ledger_index_max: 900_000 }, 600_001, 'ok'],
    [500_001, 600_000, { ledger_index_min: '500000' }, undefined, 'missing_history'],
    [500_000, 600_000, { ledger_index_min: -1, ledger_index_max: -1 }, undefined, 'ok'],
    [500_000, 600_000, {}, undefined, 'ok'],
    [32_570, 600_000, { ledger_index_min: 1 }, undefined, 'ok'],
    [32_571, 600_000, { ledger_index_min: 1 }, undefined, 'missing_history'],
  ])('%i–%i for %j at pool head %s: %s', (min, max, asked, poolHead, verdict) => {
    expect(over(min, max, asked, poolHead)).toBe(verdict);
  });

  test('elsewhere than on mainnet ledgers begin at 1', () => {
    const result = { ledger_index_max: 900, ledger_index_min: 300, status: 'success', transactions: [] };
    const answer = { status: 200, headers: {}, body: bytes(JSON.stringify({ result })) };
    const asked = call('account_tx', { account: 'r', ledger_index_min: 1 });
    expect(xrpl.judge(asked, answer, { ...context, chain: 'xrpl-testnet' }).verdict).toBe('missing_history');
  });

  const error = (token: string, asked: object) =>
    judged(call('account_tx', { account: 'r', ...asked }), { result: { error: token, status: 'error' } })
      .verdict;
  test.each<[string, object, string]>([
    ['lgrIdxsInvalid', {}, 'node_failure'],
    ['lgrIdxsInvalid', { ledger_index_min: -1, ledger_index_max: -1 }, 'node_failure'],
    ['lgrIdxsInvalid', { ledger_index_min: 9, ledger_index_max: 8 }, 'app_error'],
    ['lgrIdxsInvalid', { ledger_index_min: 8, ledger_index_max: 9 }, 'missing_history'],
    ['lgrIdxMalformed', { ledger_index_min: 8 }, 'missing_history'],
    ['lgrIdxMalformed', { ledger_index_min: 9, ledger_index_max: 8 }, 'app_error'],
    ['invalidLgrRange', { ledger_index_min: 9, ledger_index_max: 8 }, 'app_error'],
    ['invalidLgrRange', { ledger_index_min: 8, ledger_index_max: 9 }, 'missing_history'],
    ['lgrNotFound', { ledger_index: 9 }, 'missing_history'],
    ['lgrNotFound', { ledger_index: 0 }, 'missing_history'],
    ['lgrNotFound', { ledger_hash: 'AB'.repeat(32) }, 'missing_history'],
    ['lgrNotFound', { ledger_index: 'validated' }, 'node_failure'],
    ['lgrNotFound', {}, 'node_failure'],
    ['lgrNotValidated', { ledger_index: 99_999_999 }, 'missing_history'],
  ])('%s for %j: %s', (token, asked, verdict) => {
    expect(error(token, asked)).toBe(verdict);
  });
});

describe('a batch of its own', () => {
  const asked = call('batch', { method: 'fee' }, { method: 'account_info', account: 'r' });
  const good = { result: { status: 'success', drops: {} } };
  const item = (error: string) => ({ result: { error, status: 'error' } });

  test.each<[string, readonly unknown[], string, string]>([
    ['all answered', [good, good], 'ok', 'xrpl.batch'],
    ['an item not found', [good, item('actNotFound')], 'ok', 'xrpl.batch'],
    ['an item that the server could not answer', [item('tooBusy'), good], 'node_failure', 'xrpl.not_now'],
    ['the worst of two', [item('slowDown'), item('tooBusy')], 'node_failure', 'xrpl.not_now'],
    ['an item too many', [good, good, good], 'node_failure', 'xrpl.no_result'],
    ['an item that is nothing', [good, null], 'node_failure', 'xrpl.other'],
  ])('%s', (_, answer, verdict, rule) => {
    expect(judged(asked, answer)).toMatchObject({ verdict, rule });
  });

  test('each item is held against its own request', () => {
    const two = call(
      'batch',
      { method: 'ledger', ledger_index: 5 },
      { method: 'account_info', account: 'r', ledger_index: 'validated' },
    );
    expect(judged(two, [item('lgrNotFound'), good]).verdict).toBe('missing_history');
    expect(judged(two, [good, item('lgrNotFound')]).verdict).toBe('node_failure');
  });

  test('an array nobody asked for is no answer', () => {
    expect(judged(call('fee', {}), [good])).toMatchObject({
      verdict: 'node_failure',
      rule: 'xrpl.no_result',
    });
  });
});

describe('any bytes', () => {
  const asked = [
    call('account_tx', { ledger_index_min: 5 }),
    call('submit', { tx_blob: 'AA' }),
    call('batch', { method: 'fee' }),
  ];

  test('are judged, never thrown at', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 100, max: 599 }), (body, status) => {
        for (const one of asked)
          expect(xrpl.judge(one, { status, headers: { 'retry-after': 'x' }, body }, context).rule).toMatch(
            /^xrpl\./,
          );
      }),
    );
  });

  test('any JSON in any place is judged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        for (const body of [
          value,
          { result: value },
          { error: value },
          { result: { error: value } },
          [value],
          { error: { error: value } },
        ])
          for (const one of asked) expect(judged(one, body).rule).toMatch(/^xrpl\./);
      }),
    );
  });
});
