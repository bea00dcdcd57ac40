/**
 * Signed transactions of each family, written out by hand so that they do not lean on the code under test. Signatures are
 * of the right form and nothing more: no test here needs a node that checks them. `n` makes one differ from another.
 */

import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, base64 } from '@scure/base';
import type { FamilyName } from '../../src/core/chain.ts';

export interface Signed {
  /** Below the chain's own path. */
  readonly target: string;
  /** The request as a client sends it; `id` as JSON text, where the protocol has ids. */
  body(id?: string): string;
  readonly txId: string;
  /** A node's answer that takes it. */
  accepted(id?: string): string;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));

function rlp(value: string | readonly (string | readonly string[])[]): string {
  if (typeof value === 'string') {
    if (value.length === 2 && Number.parseInt(value, 16) < 0x80) return value;
    return header(0x80, value.length / 2) + value;
  }
  const inside = value.map(rlp).join('');
  return header(0xc0, inside.length / 2) + inside;
}

function header(base: number, length: number): string {
  if (length < 56) return (base + length).toString(16);
  const digits = evenHex(length);
  return (base + 55 + digits.length / 2).toString(16) + digits;
}

/** Without leading zeros; zero is nothing at all. */
function evenHex(value: number | bigint): string {
  if (BigInt(value) === 0n) return '';
  const text = value.toString(16);
  return text.length % 2 === 0 ? text : `0${text}`;
}

/** Of the example in EIP-155: it belongs to a point of the curve, as any signature has to. */
const r = '28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276';
const s = '67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83';

/** An EIP-1559 transfer. `data` in hex. */
export function evmRaw(n: number, chainId = 1, data = ''): string {
  const to = '3535353535353535353535353535353535353535';
  const fields = [
    evenHex(chainId),
    evenHex(n),
    '3b9aca00',
    '04a817c800',
    '5208',
    to,
    '0de0b6b3a7640000',
    data,
  ];
  return `0x02${rlp([...fields, [], '01', r, s])}`;
}

function evm(n: number, chainId = 1, method = 'eth_sendRawTransaction', data = ''): Signed {
  const raw = evmRaw(n, chainId, data);
  const txId = `0x${hex(keccak_256(bytesOf(raw.slice(2))))}`;
  return {
    target: '',
    txId,
    body: (id = '1') => `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":["${raw}"]}`,
    accepted: (id = '1') => `{"jsonrpc":"2.0","id":${id},"result":"${txId}"}`,
  };
}

/** With so many bytes of call data. */
export function largeEvm(n: number, bytes: number, chainId = 1): Signed {
  return evm(n, chainId, 'eth_sendRawTransaction', 'ab'.repeat(bytes));
}

export interface SolanaParts {
  readonly blockhash?: Uint8Array;
  readonly version?: 'legacy' | 0;
  /** The first instruction: index of its program, and its data. */
  readonly program?: number;
  readonly data?: readonly number[];
}

/** Two keys and the system program; one instruction. */
export function solanaBytes(n: number, parts: SolanaParts = {}): Uint8Array {
  const {
    blockhash = new Uint8Array(32).fill(9),
    version = 'legacy',
    program = 2,
    data = [2, 0, 0, 0, 1],
  } = parts;
  const signature = new Uint8Array(64).fill(7);
  new DataView(signature.buffer).setUint32(0, n + 1);
  return Uint8Array.from([
    1,
    ...signature,
    ...(version === 0 ? [0x80] : []),
    ...[1, 0, 1],
    ...[3, ...new Uint8Array(32).fill(1), ...new Uint8Array(32).fill(2), ...new Uint8Array(32)],
    ...blockhash,
    ...[1, program, 2, 0, 1, data.length, ...data],
    ...(version === 0 ? [0] : []),
  ]);
}

function solana(n: number): Signed {
  const bytes = solanaBytes(n);
  const txId = base58.encode(bytes.subarray(1, 65));
  const params = `["${base64.encode(bytes)}",{"encoding":"base64"}]`;
  return {
    target: '',
    txId,
    body: (id = '1') => `{"jsonrpc":"2.0","id":${id},"method":"sendTransaction","params":${params}}`,
    accepted: (id = '1') => `{"jsonrpc":"2.0","id":${id},"result":"${txId}"}`,
  };
}

/** A payment, its fields in canonical order. */
export function xrplBlob(n: number, more: { lastLedger?: number; networkId?: number } = {}): string {
  const word = (value: number) => value.toString(16).padStart(8, '0');
  const fields = [
    '120000',
    more.networkId === undefined ? '' : `21${word(more.networkId)}`,
    '2280000000',
    `24${word(n + 1)}`,
    more.lastLedger === undefined ? '' : `201b${word(more.lastLedger)}`,
    '6140000000000f4240',
    '68400000000000000c',
    `7321${'02'.repeat(33)}`,
    `7404${'30060102'}`,
    `8114${'aa'.repeat(20)}`,
    `8314${'bb'.repeat(20)}`,
  ];
  return fields.join('').toUpperCase();
}

function xrpl(n: number, more: Parameters<typeof xrplBlob>[1] = { lastLedger: 5_000 }): Signed {
  const blob = xrplBlob(n, more);
  const digest = createHash('sha512')
    .update(Buffer.from(`54584e00${blob}`, 'hex'))
    .digest('hex');
  const txId = digest.slice(0, 64).toUpperCase();
  const result = {
    status: 'success',
    engine_result: 'tesSUCCESS',
    engine_result_code: 0,
    accepted: true,
    applied: true,
    broadcast: true,
    queued: false,
    kept: true,
    tx_json: { hash: txId },
  };
  return {
    target: '',
    txId,
    body: (id = '1') => `{"method":"submit","params":[{"tx_blob":"${blob}","id":${id}}]}`,
    accepted: (id = '1') => `{"result":${JSON.stringify(result)},"id":${id}}`,
  };
}

/** A transfer of TRX: `protocol.Transaction` with `raw_data` and one signature. */
export function tronHex(n: number, expiration = 1_777_447_527_000): string {
  const varint = (value: number): string => {
    let rest = BigInt(value);
    let out = '';
    for (; rest > 0x7fn; rest >>= 7n) out += (Number(rest & 0x7fn) | 0x80).toString(16).padStart(2, '0');
    return out + Number(rest).toString(16).padStart(2, '0');
  };
  const field = (number: number, inside: string) =>
    varint(number * 8 + 2) + varint(inside.length / 2) + inside;
  const owner = `41${'dd'.repeat(20)}`;
  const value = [field(1, owner), field(2, `41${'92'.repeat(20)}`), `18${varint(n + 1)}`].join('');
  const url = Buffer.from('type.googleapis.com/protocol.TransferContract').toString('hex');
  const contract = `0801${field(2, field(1, url) + field(2, value))}`;
  const raw = `0a022927${'2208939ece39d08a7abe'}40${varint(expiration)}${field(11, contract)}70${varint(expiration - 60_000)}`;
  return field(1, raw) + field(2, '33'.repeat(65));
}

function tron(n: number): Signed {
  const whole = tronHex(n);
  // One field 1 in front: its bytes are what is hashed.
  const length = Number.parseInt(whole.slice(2, 4), 16);
  const [from, size] =
    length < 0x80 ? [4, length] : [6, (length & 0x7f) + 128 * Number.parseInt(whole.slice(4, 6), 16)];
  const raw = whole.slice(from, from + 2 * size);
  const txId = createHash('sha256').update(Buffer.from(raw, 'hex')).digest('hex');
  return {
    target: '/wallet/broadcasthex',
    txId,
    body: () => `{"transaction":"${whole}"}`,
    accepted: () => `{"result":true,"txid":"${txId}"}`,
  };
}

export const signed = { evm, solana, xrpl, tron } satisfies Record<FamilyName, (n: number) => Signed>;
