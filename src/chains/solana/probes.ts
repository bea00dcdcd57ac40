/** The gateway's own questions to a Solana node, and what an answer shows of its height. */

import { elementsOf, memberOf, type Span, stringAt } from '../../wire/scan.ts';
import { spells } from '../../wire/text.ts';
import type { Call, HeadSeen, Probe, Probes } from '../family.ts';
import { probeCall } from '../jsonrpc.ts';
import { methodOf, optionText, slotAt } from './params.ts';

/** Heights of all endpoints are held against each other at this level alone. */
const commitment = 'confirmed';

const ask = (method: string, params: readonly unknown[] = []): Call => probeCall(method, params, methodOf);

const head: Probe<HeadSeen> = {
  call: ask('getSlot', [{ commitment }]),
  read(body) {
    const height = slotAt(body, resultOf(body));
    return height === undefined ? undefined : { height };
  },
};

const identity: readonly Probe<string>[] = [{ call: ask('getGenesisHash'), read: body => textResult(body) }];

/** `getFirstAvailableBlock` counts long-term storage in: what a node says it has, it need not have without holes. */
function history(_kind: unknown, height: number): Probe<boolean> {
  return {
    call: ask('getFirstAvailableBlock'),
    read(body) {
      const first = slotAt(body, resultOf(body));
      return first === undefined ? undefined : first <= height;
    },
  };
}

const client: Probe<string> = {
  call: ask('getVersion'),
  read(body) {
    const result = resultOf(body);
    const version = result === undefined || body[result.at] !== 0x7b ? undefined : versionIn(body, result.at);
    return version === undefined ? undefined : `solana-core ${version}`;
  },
};

function versionIn(body: Uint8Array, objectAt: number): string | undefined {
  const version = memberOf(body, objectAt, 'solana-core');
  return version === undefined ? undefined : stringAt(body, version);
}

export const probes: Probes = { head, identity, historyKinds: ['blocks', 'transactions'], history, client };

export function headOf(call: Call, body: Uint8Array): number | undefined {
  const { height } = methodOf(call.method);
  if (height === undefined || optionText(call, 'commitment') !== commitment) return undefined;
  const result = resultOf(body);
  if (height === 'result') return slotAt(body, result);
  if (height === 'absoluteSlot') return slotAt(body, memberIn(body, result, 'absoluteSlot'));
  return slotAt(body, memberIn(body, memberIn(body, result, 'context'), 'slot'));
}

export function resultOf(body: Uint8Array): Span | undefined {
  const at = body.indexOf(0x7b);
  return at < 0 ? undefined : memberOf(body, at, 'result');
}

export function memberIn(body: Uint8Array, object: Span | undefined, key: string): Span | undefined {
  return object === undefined || body[object.at] !== 0x7b ? undefined : memberOf(body, object.at, key);
}

function textResult(body: Uint8Array): string | undefined {
  const result = resultOf(body);
  return result === undefined ? undefined : stringAt(body, result);
}

/** `null` of a block or a transaction; of several statuses, one that is missing. */
export function absent(call: Call, body: Uint8Array): boolean {
  const { absent: where } = methodOf(call.method);
  const result = where === undefined ? undefined : resultOf(body);
  if (result === undefined) return false;
  if (where === 'result') return isNull(body, result);
  const values = memberIn(body, result, 'value');
  return values !== undefined && elementsOf(body, values.at).some(value => isNull(body, value));
}

function isNull(body: Uint8Array, span: Span): boolean {
  return spells(body, span.at, span.end, 'null');
}
