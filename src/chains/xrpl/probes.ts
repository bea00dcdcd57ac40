/** The gateway's own questions to an XRPL server, and what an answer shows of its height. */

import { memberOf, type Span, stringAt } from '../../wire/scan.ts';
import { spells, textOf } from '../../wire/text.ts';
import type { Call, HeadSeen, Probe, Probes } from '../family.ts';
import { ledgerAt } from './need.ts';
import { inAnswer, question } from './own.ts';
import { paramsOfCall } from './request.ts';

/** XRPL counts seconds from 2000-01-01T00:00:00Z. */
const epochSeconds = 946_684_800;

/** The oldest ledger there is on mainnet: whoever has it serves mainnet. */
const firstMainnetLedger = 32_570;
const firstMainnetHash = '4109C6F2045FC7EFF4CDE8F9905D19C28820D86304080FF886B299F0206E42B5';

const head: Probe<HeadSeen> = {
  call: question('ledger', { ledger_index: 'validated' }),
  read(body) {
    const height = validatedLedger(body);
    if (height === undefined) return undefined;
    const closed = numberAt(body, inAnswer(body, 'result', 'ledger', 'close_time'));
    return closed === undefined ? { height } : { height, blockTimeMs: (closed + epochSeconds) * 1000 };
  },
};

/** Missing is not mainnet: old servers do not tell, and Clio does not while it has lost its own. */
const identity: readonly Probe<string>[] = [
  { call: question('server_info', {}), read: body => networkId(body, 'info') },
  { call: question('server_state', {}), read: body => networkId(body, 'state') },
  {
    call: question('ledger', { ledger_index: firstMainnetLedger }),
    read: body => {
      const hash = inAnswer(body, 'result', 'ledger_hash');
      return hash !== undefined && stringAt(body, hash) === firstMainnetHash ? '0' : undefined;
    },
  },
];

function networkId(body: Uint8Array, part: string): string | undefined {
  const id = inAnswer(body, 'result', part, 'network_id');
  const text = id === undefined ? '' : textOf(body, id.at, id.end);
  return /^\d{1,10}$/.test(text) ? text : undefined;
}

/** A server keeps a ledger whole: its state, its header, its transactions. */
function history(_kind: unknown, height: number): Probe<boolean> {
  return {
    call: question('ledger', { ledger_index: height }),
    read: body => shownLedger(body) === height,
  };
}

const client: Probe<string> = {
  call: question('server_info', {}),
  read(body) {
    const clio = inAnswer(body, 'result', 'info', 'clio_version');
    const server =
      inAnswer(body, 'result', 'info', 'build_version') ??
      inAnswer(body, 'result', 'info', 'rippled_version');
    const version = clio ?? server;
    const text = version === undefined ? undefined : stringAt(body, version);
    return text === undefined ? undefined : `${clio === undefined ? 'rippled' : 'clio'} ${text}`;
  },
};

export const probes: Probes = {
  head,
  identity,
  historyKinds: ['state', 'blocks', 'transactions'],
  history,
  client,
};

export function headOf(call: Call, body: Uint8Array): number | undefined {
  switch (call.method) {
    case 'server_info':
      return numberAt(body, inAnswer(body, 'result', 'info', 'validated_ledger', 'seq'));
    case 'server_state':
      return numberAt(body, inAnswer(body, 'result', 'state', 'validated_ledger', 'seq'));
    default: {
      const asked = paramsOfCall(call).get('ledger_index');
      const validated = asked !== undefined && stringAt(call.text, asked) === 'validated';
      return validated ? validatedLedger(body) : undefined;
    }
  }
}

function validatedLedger(body: Uint8Array): number | undefined {
  const result = inAnswer(body, 'result');
  const validated = result === undefined ? undefined : memberOf(body, result.at, 'validated');
  if (validated === undefined || !spells(body, validated.at, validated.end, 'true')) return undefined;
  return ledgerIn(body, result);
}

function shownLedger(body: Uint8Array): number | undefined {
  return ledgerIn(body, inAnswer(body, 'result'));
}

/** A number, or a string within `ledger` under API version 1. */
function ledgerIn(body: Uint8Array, result: Span | undefined): number | undefined {
  if (result === undefined) return undefined;
  const own = ledgerAt(body, memberOf(body, result.at, 'ledger_index'));
  return own ?? ledgerAt(body, inAnswer(body, 'result', 'ledger', 'ledger_index'));
}

function numberAt(body: Uint8Array, span: Span | undefined): number | undefined {
  const text = span === undefined ? '' : textOf(body, span.at, span.end);
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
