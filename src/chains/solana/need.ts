/** What a Solana request needs of the endpoint: the slots it names, and what must be kept there. */

import type { HistoryKind } from '../../core/chain.ts';
import type { Need } from '../../core/need.ts';
import { memberOf } from '../../wire/scan.ts';
import { textOf } from '../../wire/text.ts';
import type { Call } from '../family.ts';
import { methodOf, option, param, slotAt } from './params.ts';

export function need(call: Call): Need {
  const { kind } = call.spec;
  const slots = slotsNamed(call);
  // A fresh node is wanted here, not an old one.
  const fresh = slotAt(call.text, option(call, 'minContextSlot')) ?? 0;
  const height = Math.max(fresh, slots?.highest ?? 0);
  return {
    class: kind === 'broadcast' || kind === 'heavy' ? kind : 'read',
    method: call.method,
    ...(height > 0 ? { height } : {}),
    ...(fresh > 0 && slots === undefined && kind !== 'broadcast' ? { tip: true as const } : {}),
    ...(slots === undefined ? {} : { history: { kind: slots.kind, height: slots.lowest } }),
    ...(call.spec.timeless ? { timeless: true as const } : {}),
    ...(namesSignature(call) ? { unplaced: 'transactions' as const } : {}),
  };
}

interface Slots {
  readonly kind: HistoryKind;
  readonly lowest: number;
  readonly highest: number;
}

function slotsNamed(call: Call): Slots | undefined {
  const { text } = call;
  const { slot } = methodOf(call.method);
  if (slot !== undefined) {
    const lowest = slotAt(text, param(call, slot.at));
    if (lowest === undefined) return undefined;
    const through = slot.through ? slotAt(text, param(call, slot.at + 1)) : undefined;
    return { kind: slot.kind, lowest, highest: through ?? lowest };
  }
  if (call.method === 'getBlockProduction') {
    const range = option(call, 'range');
    if (range === undefined || text[range.at] !== 0x7b) return undefined;
    const lowest = slotAt(text, memberOf(text, range.at, 'firstSlot'));
    const last = slotAt(text, memberOf(text, range.at, 'lastSlot'));
    return lowest === undefined ? undefined : { kind: 'blocks', lowest, highest: last ?? lowest };
  }
  if (call.method === 'getInflationReward') {
    const epoch = slotAt(text, option(call, 'epoch'));
    // Rewards of an epoch are paid in the first block of the next one.
    return epoch === undefined
      ? undefined
      : { kind: 'blocks', lowest: (epoch + 1) * slotsInEpoch, highest: 0 };
  }
  return undefined;
}

/** Of every public cluster, once its first epochs are over. */
const slotsInEpoch = 432_000;

function namesSignature(call: Call): boolean {
  switch (methodOf(call.method).signature) {
    case 'always':
      return true;
    case 'cursor':
      return option(call, 'before') !== undefined || option(call, 'until') !== undefined;
    case 'searched': {
      const searched = option(call, 'searchTransactionHistory');
      return searched !== undefined && textOf(call.text, searched.at, searched.end) === 'true';
    }
    default:
      return false;
  }
}
