/** The node that the Ethereum clients are held against: a real one, with a contract that logs and reverts. */

import { privateKeyToAccount } from 'viem/accounts';
import { type Anvil, genesisFor, startAnvil } from '../kit/anvil.ts';

export interface EvmNode {
  readonly anvil: Anvil;
  /** Called without data it writes a log, with data it reverts with a custom error `0xc0ffee42(42)`. */
  readonly contract: string;
  /** Has so much code that an answer with it is streamed. */
  readonly large: string;
  /** A funded account of the node, of which every client has the key. */
  readonly account: string;
  readonly key: `0x${string}`;
  /** A signed transfer; `wei` makes one differ from another. */
  transfer(nonce: number, wei: number): Promise<string>;
  mine(): Promise<void>;
  /** Back to where everything began. */
  reset(): Promise<void>;
}

const runtime = `36601157602a600052600160206000a1005b7f${'00'.repeat(28)}c0ffee42600052602a6020526024601cfd`;
const size = (runtime.length / 2).toString(16).padStart(2, '0');
const creation = `0x60${size}600c60003960${size}6000f3${runtime}`;
const start = 12;
/** The first of the mnemonic that the tools of Ethereum share ("test test … junk"); it is no secret. */
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const signer = privateKeyToAccount(key);

export async function startEvmNode(): Promise<EvmNode> {
  const anvil = await startAnvil({ genesis: genesisFor(start + 1) });
  await anvil.mineTo(start - 2);
  // The node's first account, unlocked; what a node answers is of the shape its API says.
  const [account = ''] = (await anvil.rpc('eth_accounts')) as string[];
  const fees = { from: account, gas: '0x100000', gasPrice: '0x77359400' };
  const made = await anvil.rpc('eth_sendTransaction', [{ ...fees, data: creation }]);
  await anvil.mineTo(start - 1);
  const { contractAddress: contract } = (await anvil.rpc('eth_getTransactionReceipt', [made])) as {
    contractAddress: string;
  };
  await anvil.rpc('eth_sendTransaction', [{ ...fees, to: contract }]);
  await anvil.mineTo(start);
  const large = `0x${'1a'.repeat(20)}`;
  await anvil.rpc('anvil_setCode', [large, `0x${'5b'.repeat(150_000)}`]);
  let snapshot = await anvil.rpc('evm_snapshot');
  return {
    anvil,
    contract,
    large,
    account,
    key,
    transfer: (nonce, wei) =>
      signer.signTransaction({
        chainId: 31337,
        to: `0x${'22'.repeat(20)}`,
        value: BigInt(wei),
        gas: 21_000n,
        nonce,
        maxFeePerGas: 3_000_000_000n,
        maxPriorityFeePerGas: 1_000_000_000n,
      }),
    async mine() {
      await anvil.mineTo(Number(await anvil.rpc('eth_blockNumber')) + 1);
    },
    async reset() {
      await anvil.rpc('anvil_dropAllTransactions');
      await anvil.rpc('evm_revert', [snapshot]);
      // The fee of the next block is not part of what is brought back.
      await anvil.rpc('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca00']);
      snapshot = await anvil.rpc('evm_snapshot');
    },
  };
}
