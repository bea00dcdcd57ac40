import { describe, expect, test } from 'vitest';
import type { Call } from '../../../src/chains/family.ts';
import { tron } from '../../../src/chains/tron/index.ts';
import { signed, tronHex } from '../../kit/signed.ts';
import { finished } from '../../kit/work.ts';
import { bytes } from '../cases.ts';
import { lookWith } from '../looks.ts';
import { callFor } from './cases.ts';

const { txId: id } = signed.tron(0);
const expiration = 1_777_447_527_000;
const send = callFor('/wallet/broadcasthex', { transaction: tronHex(0) });
const factsOf = (own: Call) => finished(tron.transaction(own)).facts;
const facts = factsOf(send);
const info = JSON.stringify({ id, blockNumber: 990, receipt: {} });
const solid = (timestamp: number) =>
  JSON.stringify({ blockID: 'ab', block_header: { raw_data: { number: 1_000, timestamp } } });

const inBlock = '/wallet/gettransactioninfobyid';
const inPool = '/wallet/gettransactionfrompending';
const solidHead = '/walletsolidity/getblock';
const inSolid = '/walletsolidity/gettransactioninfobyid';

function look(answers: Partial<Record<string, string | undefined>>, more: object = {}) {
  return lookWith(tron, { id, ...more }, path => (path in answers ? answers[path] : '{}'));
}

describe('a look', () => {
  test.each<[string, Partial<Record<string, string | undefined>>, unknown, readonly string[]]>([
    ['in a block', { [inBlock]: info }, { found: 'block', height: 990, block: '990' }, [inBlock]],
    [
      'in the pool',
      { [inPool]: JSON.stringify({ txID: id.toUpperCase() }) },
      { found: 'pool' },
      [inBlock, inPool],
    ],
    ['not seen', {}, { found: 'not_seen' }, [inBlock, inPool]],
    [
      'not seen, where the pool cannot be asked',
      { [inPool]: undefined },
      { found: 'not_seen' },
      [inBlock, inPool],
    ],
    ['about another transaction', { [inBlock]: info.replace(id, 'ff') }, undefined, [inBlock]],
    [
      'a lite node that does not tell',
      { [inBlock]: 'this API is closed because this node is a lite fullnode' },
      undefined,
      [inBlock],
    ],
    ['no answer', { [inBlock]: undefined }, undefined, [inBlock]],
  ])('%s', (_, answers, finding, asked) => {
    expect(look(answers)).toEqual({ finding, asked });
  });
});

describe('impossible', () => {
  test('when it ran out before the solid head, and no solid block has it', () => {
    const { finding, asked } = look({ [solidHead]: solid(expiration + 1) }, { facts });
    expect(finding).toMatchObject({
      found: 'impossible',
      keeps: 'since',
      why: expect.stringContaining('1000'),
    });
    expect(asked).toEqual([inBlock, inPool, solidHead, inSolid]);
  });

  test.each<[string, Partial<Record<string, string | undefined>>]>([
    ['it may still go in', { [solidHead]: solid(expiration) }],
    ['the solid head cannot be told', { [solidHead]: undefined }],
    ['there is no solidity tree', { [solidHead]: '{"Error":"this API is unavailable due to config"}' }],
    ['the solid blocks cannot be asked', { [solidHead]: solid(expiration + 1), [inSolid]: undefined }],
  ])('not while %s', (_, answers) => {
    expect(look(answers, { facts }).finding).toEqual({ found: 'not_seen' });
  });

  test('not when a solid block has it', () => {
    const { finding } = look({ [solidHead]: solid(expiration + 1), [inSolid]: info }, { facts });
    expect(finding).toMatchObject({ found: 'block', height: 990 });
  });
});

describe('what is kept, named and answered', () => {
  test('the end of its time', () => {
    expect(JSON.parse(facts ?? '')).toEqual({ expiration });
    expect(factsOf(callFor('/wallet/broadcasthex', { transaction: 'dead' }))).toBeUndefined();
    expect(factsOf(callFor('/wallet/broadcasttransaction', { raw_data_hex: tronHex(0) }))).toBeUndefined();
  });

  test('there is no nonce that could be used', () => {
    expect(tron.followUp.spent('tron.tx_rejected', bytes(''))).toBe(false);
  });

  test('the txid is the id', () => {
    expect(tron.answeredId(send, bytes(JSON.stringify({ result: true, txid: id.toUpperCase() })))).toBe(id);
    expect(tron.answeredId(send, bytes('{"result":true}'))).toBeUndefined();
    expect(tron.answeredId(send, bytes('<html>'))).toBeUndefined();
  });

  test('known is a success, on which nobody signs anew', () => {
    const form = callFor('/wallet/broadcasttransaction', {});
    expect(JSON.parse(tron.knownReply(form, id))).toEqual({ result: true, txid: id });
    const reply = tron.knownReply(send, id);
    const answer = { status: 200, headers: {}, body: bytes(reply) };
    expect(tron.judge(send, answer, { nowMs: 0, chain: 'tron' }).txOutcome).toBe('accepted');
  });

  test('a known answer to broadcasthex has the text of a transaction, without which tronweb throws', () => {
    const { transaction, ...rest } = JSON.parse(tron.knownReply(send, id));
    expect(rest).toEqual({ result: true, txid: id });
    expect(JSON.parse(transaction)).toEqual({ txID: id });
  });
});
