import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SignedTransaction } from '../../../src/chains/family.ts';
import { tron } from '../../../src/chains/tron/index.ts';
import { finished } from '../../kit/work.ts';
import { casesOf } from '../cases.ts';
import { callFor } from './cases.ts';

const JSON_PATH = '/wallet/broadcasttransaction';
const HEX_PATH = '/wallet/broadcasthex';

function sha256(hex: string): string {
  return createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
}

function sent(body: unknown, path = JSON_PATH): SignedTransaction {
  return finished(tron.transaction(callFor(path, body)));
}

interface Body {
  readonly raw_data: Record<string, unknown>;
  readonly raw_data_hex: string;
  readonly visible?: boolean;
}

/** Type urls as they stand in every transaction: `type.googleapis.com/protocol.` and the name of the contract. */
function url(name: string): string {
  return `type.googleapis.com/protocol.${name}`;
}

function field(number: number, hex: string): string {
  const tag = (number * 8 + 2).toString(16).padStart(2, '0');
  const length = hex.length / 2;
  const size =
    length < 128
      ? length.toString(16).padStart(2, '0')
      : ((length & 0x7f) | 0x80).toString(16) + (length >> 7).toString(16).padStart(2, '0');
  return tag + size + hex;
}

/** Written out by hand, so that it does not lean on the code it tests. `type` is the contract's number, in hex. */
function handMade(type: string, name: string, value: string, tail: string): string {
  const any = field(1, Buffer.from(url(name)).toString('hex')) + field(2, value);
  const contract = `${type === '' ? '' : `08${type}`}${field(2, any)}`;
  return `0a022927${'2208939ece39d08a7abe'}40d8c483c1dd33${field(11, contract)}${tail}`;
}

const head = { ref_block_bytes: '2927', ref_block_hash: '939ece39d08a7abe', expiration: 1777447527000 };
const timestamp = '70d68780c1dd33';
const owner = '41dd791d6b49e190062d650e6a23c575510d35f2f9';
const to = '4192ad11c1bf16b3b14b0bd6b5c7e2db73a0b5e83a';
/** The same two in base58. */
const ownerText = 'TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp';
const toText = 'TPLkz8rzTT7gKRS1bUm3hBcvw1EExAbKTV';
const usdt = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';
const data = `a9059cbb${'0'.repeat(24)}${to.slice(2)}${'0'.repeat(62)}64`;

function body(
  name: string,
  value: Record<string, unknown>,
  hex: string,
  more: object = {},
  rest: object = {},
): Body {
  return {
    raw_data: {
      contract: [{ parameter: { value, type_url: url(name) }, type: name, ...rest }],
      ...head,
      timestamp: 1777447470038,
      ...more,
    },
    raw_data_hex: hex,
  };
}

/** The real answer of a Nile node to createtransaction, as the corpus has it. */
const recorded = casesOf('tron').find(one => one.id === 'tron-broadcast-server-busy')?.request;
// The corpus has this body.
const real = (recorded as { body: Body & { txID: string } }).body;

const transfer = body(
  'TransferContract',
  { amount: 1000000, owner_address: owner, to_address: to },
  handMade('01', 'TransferContract', `${field(1, owner)}${field(2, to)}18c0843d`, timestamp),
);
const token = body(
  'TransferAssetContract',
  { amount: 5, asset_name: '31303030303031', owner_address: owner, to_address: to },
  handMade(
    '02',
    'TransferAssetContract',
    `${field(1, '31303030303031')}${field(2, owner)}${field(3, to)}2005`,
    timestamp,
  ),
);
const call = body(
  'TriggerSmartContract',
  { data, owner_address: owner, contract_address: usdt },
  handMade(
    '1f',
    'TriggerSmartContract',
    `${field(1, owner)}${field(2, usdt)}${field(4, data)}`,
    `${timestamp}90018094ebdc03`,
  ),
  { fee_limit: 1000000000 },
);
const account = body(
  'AccountCreateContract',
  { owner_address: owner, account_address: to },
  handMade('', 'AccountCreateContract', `${field(1, owner)}${field(2, to)}`, timestamp),
);
const delegated = body(
  'DelegateResourceContract',
  { balance: 1000000, resource: 'ENERGY', receiver_address: to, owner_address: owner, lock: true },
  handMade('39', 'DelegateResourceContract', `${field(1, owner)}100118c0843d${field(4, to)}2801`, timestamp),
);

describe('the id of broadcasttransaction', () => {
  test('a real transfer', () => {
    expect(real.txID).toBe('6303c7639f591407ef9f34a7ac8c9c9a21151f5a6af21924502515734fc267ab');
    expect(sent(real).id).toBe(real.txID);
  });

  test.each([
    ['TransferContract', transfer],
    ['TransferAssetContract', token],
    ['TriggerSmartContract', call],
    ['AccountCreateContract, whose number is 0', account],
    ['DelegateResourceContract', delegated],
  ])('%s', (_, one) => {
    expect(sent(one).id).toBe(sha256(one.raw_data_hex));
  });

  test('a permission id and a memo', () => {
    const any =
      field(1, Buffer.from(url('TransferContract')).toString('hex')) +
      field(2, `${field(1, owner)}${field(2, to)}1801`);
    const hex = `0a0229272208939ece39d08a7abe40d8c483c1dd33${field(10, '6d656d6f')}${field(11, `0801${field(2, any)}2802`)}${timestamp}`;
    const one = body(
      'TransferContract',
      { amount: 1, owner_address: owner, to_address: to },
      hex,
      { data: '6d656d6f' },
      { Permission_id: 2 },
    );
    expect(sent(one).id).toBe(sha256(hex));
  });

  test('visible: base58 addresses and names as text say the same', () => {
    const value = { amount: 5, asset_name: '1000001', owner_address: ownerText, to_address: toText };
    const visible = { ...body('TransferAssetContract', value, token.raw_data_hex), visible: true };
    expect(sent(visible).id).toBe(sha256(token.raw_data_hex));
    const wrongSum = { ...value, to_address: `${toText.slice(0, -1)}W` };
    expect(
      sent({ ...body('TransferAssetContract', wrongSum, token.raw_data_hex), visible: true }).id,
    ).toBeUndefined();
  });

  test('the node ignores txID, so a wrong one changes nothing', () => {
    expect(sent({ ...transfer, txID: '00'.repeat(32) }).id).toBe(sha256(transfer.raw_data_hex));
  });

  test('members in another order and with other white space say the same', () => {
    const text = JSON.stringify(
      { signature: ['00'], raw_data_hex: transfer.raw_data_hex, raw_data: transfer.raw_data },
      null,
      2,
    );
    expect(sent(text)).toEqual(sent({ ...transfer, signature: ['00'] }));
  });
});

describe('an id that is not proven is none', () => {
  const value = { amount: 1000000, owner_address: owner, to_address: to };
  const raw = transfer.raw_data;
  const contract = (change: object): unknown => ({
    ...transfer,
    raw_data: { ...raw, contract: [{ ...(raw.contract as object[])[0], ...change }] },
  });
  const valued = (change: object): unknown =>
    contract({ parameter: { value: { ...value, ...change }, type_url: url('TransferContract') } });

  test.each<[string, unknown]>([
    ['another amount', valued({ amount: 9000000 })],
    ['another receiver', valued({ to_address: usdt })],
    ['another owner', valued({ owner_address: usdt })],
    ['an amount in quotes', valued({ amount: '1000000' })],
    ['a field the node would skip', valued({ memo: 'x' })],
    ['a field by its number', valued({ 3: 9000000 })],
    ['a null', valued({ amount: null })],
    ['another type of contract', contract({ type: 'TransferAssetContract' })],
    ['a type nobody knows', contract({ type: 'TeleportContract' })],
    ['another type url', contract({ parameter: { value, type_url: url('VoteWitnessContract') } })],
    ['a permission id', contract({ Permission_id: 2 })],
    ['another reference block', { ...transfer, raw_data: { ...raw, ref_block_bytes: '2928' } }],
    ['another reference hash', { ...transfer, raw_data: { ...raw, ref_block_hash: '039ece39d08a7abe' } }],
    ['another expiration', { ...transfer, raw_data: { ...raw, expiration: 1777447527001 } }],
    ['another timestamp', { ...transfer, raw_data: { ...raw, timestamp: 1 } }],
    ['a fee limit', { ...transfer, raw_data: { ...raw, fee_limit: 1 } }],
    [
      'two contracts',
      {
        ...transfer,
        raw_data: { ...raw, contract: [...(raw.contract as object[]), ...(raw.contract as object[])] },
      },
    ],
    ['no contract', { ...transfer, raw_data: { ...raw, contract: [] } }],
    ['raw_data by its number', { ...transfer, 1: raw }],
    ['visible, with hex addresses', { ...transfer, visible: true }],
    ['visible as text', { ...transfer, visible: 'false' }],
    ['other bytes', { ...transfer, raw_data_hex: call.raw_data_hex }],
    ['no bytes', { raw_data: raw }],
    ['bytes with a prefix', { ...transfer, raw_data_hex: `0x${transfer.raw_data_hex}` }],
    ['no raw_data', { raw_data_hex: transfer.raw_data_hex }],
    ['a signature that is no hex', { ...transfer, signature: ['zz'] }],
    ['signatures that are no list', { ...transfer, signature: '00' }],
    [
      'a contract written twice',
      JSON.stringify(transfer).replace('"amount":1000000', '"amount":1,"amount":1000000'),
    ],
    [
      'a proposal, whose map has no order',
      body(
        'ProposalCreateContract',
        { owner_address: owner, parameters: [{ key: 1, value: 2 }] },
        handMade('10', 'ProposalCreateContract', `${field(1, owner)}120408011002`, timestamp),
      ),
    ],
    ['no JSON', '{'],
    ['an empty object', {}],
  ])('%s', (_, one) => {
    const { id, digest } = sent(one);
    expect(id).toBeUndefined();
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('broadcasthex', () => {
  const signature = '5b'.repeat(65);
  const whole = `${field(1, transfer.raw_data_hex)}${field(2, signature)}`;

  test('the id is that of field 1', () => {
    expect(sent({ transaction: whole }, HEX_PATH).id).toBe(sha256(transfer.raw_data_hex));
    expect(sent({ transaction: whole.toUpperCase() }, HEX_PATH).id).toBe(sha256(transfer.raw_data_hex));
  });

  test('results beside it change neither id nor digest', () => {
    expect(sent({ transaction: `${whole}2a021801` }, HEX_PATH)).toEqual(
      sent({ transaction: whole }, HEX_PATH),
    );
  });

  test('the same signed bytes have the same digest as in JSON', () => {
    const asJson = sent({ ...transfer, signature: [signature] });
    expect(sent({ transaction: whole }, HEX_PATH).digest).toBe(asJson.digest);
  });

  test.each([
    ['an odd digit', `${whole}0`],
    ['a prefix', `0x${whole}`],
    ['no hex', 'zz'],
    ['nothing', ''],
    ['no raw_data', field(2, signature)],
    ['two raw_data, which protobuf merges', field(1, transfer.raw_data_hex) + field(1, timestamp)],
    ['a cut field', whole.slice(0, -2)],
    ['fields in another order', field(1, `${timestamp}${transfer.raw_data_hex.slice(0, -timestamp.length)}`)],
    ['a default written out', field(1, `${transfer.raw_data_hex}900100`)],
    ['a long form of a number', field(1, transfer.raw_data_hex.replace(/^0a022927/, '0a82002927'))],
    ['a field of its own', field(1, `${transfer.raw_data_hex}980101`)],
  ])('no id for %s', (_, hex) => {
    expect(sent({ transaction: hex }, HEX_PATH).id).toBeUndefined();
  });
});

describe('digest and options', () => {
  test('one more signature is another broadcast', () => {
    const one = sent({ ...transfer, signature: ['aa'.repeat(65)] });
    const two = sent({ ...transfer, signature: ['aa'.repeat(65), 'bb'.repeat(65)] });
    expect(two.id).toBe(one.id);
    expect(two.digest).not.toBe(one.digest);
  });

  test('visible answers are another option', () => {
    expect(sent(transfer).options).toBe('{}');
    expect(sent({ ...transfer, visible: false }).options).toBe('{}');
    expect(sent({ ...transfer, visible: true }).options).toBe('{"visible":true}');
    expect(sent({ transaction: '0a00' }, HEX_PATH).options).toBe('{}');
  });

  test('nothing says for which chain it was signed', () => {
    expect(sent(transfer).signedFor).toBeUndefined();
  });

  test('any body gives a digest and never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(JSON_PATH, HEX_PATH), fc.oneof(fc.string(), fc.json()), (path, text) => {
        expect(sent(text, path).digest).toMatch(/^[0-9a-f]{64}$/);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), bytes => {
        expect(sent({ transaction: Buffer.from(bytes).toString('hex') }, HEX_PATH).digest).toMatch(
          /^[0-9a-f]{64}$/,
        );
      }),
    );
  });
});
