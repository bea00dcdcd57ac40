/**
 * What the gateway asks a TRON endpoint for itself: head, network, history, and whether a transfer can be built there. The
 * readers take any definite answer, a refusal too: `{}` and the lite node's text tell as much as a block does.
 */

import type { HistoryKind } from '../../core/chain.ts';
import type { Call, HeadSeen, Probe, Probes } from '../family.ts';
import { probeCall } from '../jsonrpc.ts';
import { headerOf } from './heads.ts';
import { decodeMessage } from './message.ts';
import { paths, rpcMethod } from './methods.ts';
import { pathCall, rpcPath } from './open.ts';

const utf8 = new TextEncoder();
const text = new TextDecoder();

/** Genesis block ids by `eth_chainId`, which is their last four bytes: mainnet, Shasta, Nile. */
const genesisIds = [
  '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
  '0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e',
  '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc',
];

/** The zero address: nobody's, and funded on mainnet. */
const nobody = 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb';
/** The address mainnet's genesis burns to. */
const burnt = 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy';
const usdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

function ask(path: string, body: unknown): Call {
  return pathCall(path, paths[path] ?? { kind: 'read' }, 'POST', path, utf8.encode(JSON.stringify(body)));
}

const headCall = ask('/wallet/getblock', { detail: false });

const head: Probe<HeadSeen> = { call: headCall, read: headerOf };

const genesis: Probe<string> = {
  call: ask('/wallet/getblock', { id_or_num: '0', detail: false }),
  read: body => blockId(recordOf(body)),
};

/**
 * For an endpoint that does not keep block 0. Four bytes name a network only among the known ones; of any other chain id
 * the whole genesis id is not known, and a part of it must not pass for it.
 */
const chainId: Probe<string> = {
  call: probeCall('eth_chainId', [], rpcMethod, rpcPath),
  read: body => {
    const result = recordOf(body)?.result;
    if (typeof result !== 'string' || !/^0x[0-9a-f]{8}$/.test(result)) return undefined;
    return genesisIds.find(id => id.endsWith(result.slice(2)));
  },
};

/** java-tron keeps blocks and their transactions together, so one block stands for both. Nobody keeps old state. */
const historyKinds: readonly HistoryKind[] = ['blocks', 'transactions'];

const liteNode = /this node is a lite fullnode/;

function history(_kind: HistoryKind, height: number): Probe<boolean> {
  return {
    call: ask('/wallet/getblockbynum', { num: height }),
    read(body) {
      const block = recordOf(body);
      if (blockId(block) !== undefined) return true;
      const pruned = block === undefined ? liteNode.test(text.decode(body.subarray(0, 256))) : isEmpty(block);
      return pruned ? false : undefined;
    },
  };
}

/** Said by an endpoint that leaves a part of the node's API out. */
const leftOut =
  /do(?:es)?(?:n't| not) support|unavailable due to config|not (?:available|supported|allowed|enabled)|http error 40[45]|40[45] not|method not/i;
/** Said by a node that would have done it: it looked at this very wish, and found the account or the contract wanting. */
const weighed =
  /ContractValidateException|balance is not sufficient|contract is not exist|No contract or not/;

/**
 * What building a withdrawal needs, one part each: a front end that leaves one out is API-only. No answer at all, a limit,
 * or a fault tells nothing.
 */
function builds(path: string, body: unknown, shows: (answer: Members) => boolean): Probe<boolean> {
  return {
    call: ask(path, body),
    read(bytes) {
      const answer = recordOf(bytes);
      if (answer === undefined) return leftOut.test(text.decode(bytes.subarray(0, 2048))) ? false : undefined;
      if (shows(answer)) return true;
      const said = saidBy(answer);
      if (said === '') return false;
      if (leftOut.test(said)) return false;
      return weighed.test(said) ? true : undefined;
    },
  };
}

const headForBuilding = builds('/wallet/getblock', { detail: false }, answer => {
  const raw = record(record(answer.block_header)?.raw_data);
  return (
    blockId(answer) !== undefined &&
    typeof raw?.number === 'number' &&
    raw.number > 0 &&
    typeof raw.timestamp === 'number' &&
    isHash(raw.parentHash)
  );
});

const constantCall = builds(
  '/wallet/triggerconstantcontract',
  {
    owner_address: nobody,
    contract_address: usdt,
    function_selector: 'balanceOf(address)',
    parameter: '0'.repeat(64),
    visible: true,
  },
  answer => Array.isArray(answer.constant_result) && answer.constant_result.length > 0,
);

const unsignedTransfer = builds(
  '/wallet/createtransaction',
  { owner_address: nobody, to_address: burnt, amount: 1, visible: true },
  answer => {
    const raw = record(answer.raw_data);
    return (
      isHash(answer.txID) &&
      typeof answer.raw_data_hex === 'string' &&
      typeof raw?.ref_block_bytes === 'string' &&
      /^[0-9a-f]{4}$/i.test(raw.ref_block_bytes)
    );
  },
);

const accountResource = builds(
  '/wallet/getaccountresource',
  { address: nobody, visible: true },
  // `{}`: nobody has no account on this network.
  answer => isEmpty(answer) || (typeof answer.TotalEnergyWeight === 'number' && answer.TotalEnergyWeight > 0),
);

const chainParameters = builds('/wallet/getchainparameters', {}, answer =>
  Array.isArray(answer.chainParameter),
);

const client: Probe<string> = {
  call: ask('/wallet/getnodeinfo', {}),
  read: body => {
    const version = record(recordOf(body)?.configNodeInfo)?.codeVersion;
    return typeof version === 'string' && version !== '' ? `java-tron ${version}` : undefined;
  },
};

export const probes: Probes = {
  head,
  identity: [genesis, chainId],
  historyKinds,
  history,
  builds: [headForBuilding, constantCall, unsignedTransfer, accountResource, chainParameters],
  client,
};

type Members = Readonly<Record<string, unknown>>;

function isEmpty(answer: Members): boolean {
  return Object.keys(answer).length === 0;
}

function saidBy(answer: Members): string {
  const result = record(answer.result);
  const said = answer.Error ?? answer.error ?? result?.message ?? answer.message;
  return typeof said === 'string'
    ? decodeMessage(said)
    : said === undefined
      ? ''
      : JSON.stringify(said).slice(0, 2048);
}

function blockId(block: Members | undefined): string | undefined {
  return isHash(block?.blockID) ? block.blockID.toLowerCase() : undefined;
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value);
}

function recordOf(body: Uint8Array): Members | undefined {
  try {
    return record(JSON.parse(text.decode(body)));
  } catch {
    return undefined; // A page, or half an answer: it tells nothing.
  }
}

function record(value: unknown): Members | undefined {
  // An object of JSON has any members, and string keys only.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
