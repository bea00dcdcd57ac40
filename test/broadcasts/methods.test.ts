import { base58 } from '@scure/base';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FamilyName } from '../../src/core/chain.ts';
import { ownFault } from '../faults/answers.ts';
import { until } from '../kit/gateway.ts';
import { evmRaw, solanaBytes } from '../kit/signed.ts';
import { stage } from '../kit/stage.ts';
import { type Net, type Networks, networks } from './networks.ts';

/**
 * Every method that hands over a transaction goes the way of broadcasts, in whatever form it carries it: one endpoint gets
 * it and goes silent, and no second one does, not even when the client asks again. A read would have gone to the other.
 */

interface Form {
  readonly family: FamilyName;
  readonly method: string;
  /** The bytes give an id. */
  readonly named: boolean;
  body(net: Net): object;
  readonly path?: string;
  /** Names the EVM chain that it is signed for. */
  readonly chain?: true;
}

const chainId = ({ identity }: Net) => Number(identity.chainId);
const rpc = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 'mine', method, params });
const evm = (method: string, params: (raw: string) => unknown, more: Partial<Form> = {}): Form => ({
  family: 'evm',
  method,
  named: true,
  chain: true,
  body: net => rpc(method, params(evmRaw(7, chainId(net)))),
  ...more,
});

const forms: readonly Form[] = [
  ...[
    'eth_sendRawTransaction',
    'eth_sendRawTransactionSync',
    'eth_sendRawTransactionConditional',
    'eth_sendPrivateRawTransaction',
    'zks_sendRawTransactionWithDetailedOutput',
    'bor_sendRawTransactionConditional',
    'realtime_sendRawTransaction',
    'klay_sendRawTransaction',
    'kaia_sendRawTransaction',
    'hmy_sendRawTransaction',
    'hmyv2_sendRawTransaction',
    'eea_sendRawTransaction',
    // In no table; by its name it can be nothing else.
    'newchain_submitRawTx',
  ].map(method => evm(method, raw => [raw])),
  evm('eth_sendPrivateTransaction', tx => [{ tx, maxBlockNumber: '0x400' }]),
  evm('eth_sendBundle', raw => [{ txs: [raw], blockNumber: '0x400' }], { named: false }),
  evm('mev_sendBundle', tx => [{ version: 'v0.1', body: [{ tx, canRevert: false }] }], { named: false }),
  {
    family: 'evm',
    method: 'eth_sendUserOperation',
    named: false,
    body: () => rpc('eth_sendUserOperation', [{ sender: `0x${'11'.repeat(20)}`, nonce: '0x1' }, '0x00']),
  },
  {
    family: 'solana',
    method: 'sendTransaction',
    named: true,
    body: () => rpc('sendTransaction', [base58.encode(solanaBytes(7))]),
  },
  {
    family: 'solana',
    method: 'sendBundle',
    named: false,
    body: () => rpc('sendBundle', [[base58.encode(solanaBytes(8)), base58.encode(solanaBytes(9))]]),
  },
  {
    family: 'solana',
    method: 'requestAirdrop',
    named: false,
    body: () => rpc('requestAirdrop', [base58.encode(new Uint8Array(32).fill(1)), 1_000_000_000]),
  },
  {
    family: 'xrpl',
    method: 'submit',
    named: true,
    body: ({ tx }) => JSON.parse(tx.body('"mine"')) as object,
  },
  {
    family: 'xrpl',
    method: 'submit_multisigned',
    named: false,
    body: ({ identity }) => ({
      method: 'submit_multisigned',
      params: [
        { id: 'mine', tx_json: { TransactionType: 'Payment', NetworkID: Number(identity.networkId) } },
      ],
    }),
  },
  {
    family: 'tron',
    method: '/wallet/broadcasthex',
    path: '/wallet/broadcasthex',
    named: true,
    body: ({ tx }) => JSON.parse(tx.body()) as object,
  },
  {
    family: 'tron',
    method: '/wallet/broadcasttransaction',
    path: '/wallet/broadcasttransaction',
    // Its two forms of the raw data do not say the same, so neither is believed.
    named: false,
    body: () => ({ raw_data: {}, raw_data_hex: '0a02', signature: ['33'.repeat(65)] }),
  },
];

describe('every method that hands over a transaction', () => {
  const on = stage();
  let all: Networks;

  beforeAll(async () => {
    all = await networks(
      on,
      forms.map(({ family }, at) => ({ name: `m${at}`, family, config: { repeatWindow: '10m' } })),
    );
  });

  const send = async (net: Net, body: object, path = '') => {
    const response = await all.gateway.post(`/${net.name}${path}`, body);
    return { status: response.status, text: await response.text() };
  };
  const rowsOf = async (chain: string) =>
    (await all.gateway.api.ask('broadcasts', { chain, unknown: false, limit: 100 })).broadcasts;

  it.each(forms.map((form, at) => [form.family, form.method, at] as const))(
    '%s, %s: one endpoint gets it, whatever comes of it',
    async (_, method, at) => {
      const { body, path, named } = forms[at] as Form;
      const net = all.of(`m${at}`);
      net.play({ at: 'whole', does: 'close' });
      const first = await send(net, body(net), path);
      expect(first.status).toBe(200);
      expect(ownFault(first)?.reason).toBe('broadcast_unknown');
      const again = await send(net, body(net), path);
      expect(ownFault(again)?.reason).toBe('broadcast_unknown');
      expect(net.reached.map(({ upstream }) => upstream)).toEqual(['a']);
      const rows = await until(async () => {
        const found = await rowsOf(net.name);
        return found[0]?.outcome !== 'pending' && found;
      });
      expect(rows).toMatchObject([{ method, endpoint: 'a', outcome: 'unknown', reached: 'handed_over' }]);
      expect(rows[0]?.txId !== null).toBe(named);
    },
  );

  it.each(forms.flatMap(({ chain, method }, at) => (chain ? [[method, at] as const] : [])))(
    '%s with a transaction for another chain: refused with both numbers',
    async (_, at) => {
      const { body } = forms[at] as Form;
      const net = all.of(`m${at}`);
      const before = net.reached.length;
      const told = await send(net, body({ ...net, identity: { chainId: 5 } }));
      expect(ownFault(told)).toMatchObject({
        reason: 'wrong_chain',
        message: expect.stringMatching(new RegExp(`chain id 5\\b.*chain id ${chainId(net)}\\b`)),
      });
      expect(net.reached).toHaveLength(before);
    },
  );
});
