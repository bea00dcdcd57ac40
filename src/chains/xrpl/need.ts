/** What an XRPL request needs of the endpoint: which ledgers it names, and what must be kept there. */

import type { HistoryKind } from '../../core/chain.ts';
import { dependsOnTip, type Need } from '../../core/need.ts';
import { memberOf, type Span, stringAt } from '../../wire/scan.ts';
import { textOf } from '../../wire/text.ts';
import type { Call } from '../family.ts';
import { methods } from './methods.ts';
import { itemsOfBatch, type Members, paramsOfCall } from './request.ts';

export function need(call: Call): Need {
  const { kind } = call.spec;
  const workClass = kind === 'broadcast' || kind === 'heavy' ? kind : 'read';
  const own = { class: workClass, method: call.method } as const;
  if (call.method !== 'batch') return { ...own, ...needOf(call.text, call.method, paramsOfCall(call)) };
  const [first = {}, ...more] = itemsOfBatch(call).map(item =>
    needOf(call.text, methodOfItem(call.text, item), item),
  );
  return { ...own, ...more.reduce(both, first) };
}

type Wanted = Pick<Need, 'height' | 'history' | 'unplaced' | 'tip' | 'timeless' | 'own'>;

export function methodOfItem(text: Uint8Array, item: Members): string {
  const span = item.get('method');
  return (span === undefined ? undefined : stringAt(text, span)) ?? '';
}

function needOf(text: Uint8Array, method: string, params: Members): Wanted {
  const spec = Object.hasOwn(methods, method) ? methods[method] : undefined;
  const keeps = spec?.keeps;
  if (keeps === undefined) return spec?.timeless ? { timeless: true } : {};
  const heights = ledgersNamed(text, params);
  if (heights.length > 0) return placed(keeps, heights, spec?.clips === true);
  const own = spec?.own && inOpenLedger(text, method, params) ? { own: true as const } : {};
  return namesByHash(text, method, params) ? { ...own, unplaced: keeps } : own;
}

/** What names no ledger is asked of the open one; a transaction is looked for in all of them. */
function inOpenLedger(text: Uint8Array, method: string, params: Members): boolean {
  if (method === 'tx') return true;
  return ['ledger_index', 'ledger', 'ledger_hash'].every(name => {
    const span = params.get(name);
    return span === undefined || stringAt(text, span) === 'current';
  });
}

/** A range may begin before history does, and means the beginning then. */
function placed(kind: HistoryKind, heights: readonly number[], range: boolean): Wanted {
  const height = Math.max(...heights);
  const lowest = Math.min(...heights);
  return {
    height,
    history: { kind, height: range ? Math.max(lowest, Math.min(firstLedger, height)) : lowest },
  };
}

/** Mainnet's first ledgers are lost to everybody. */
export const firstLedger = 32_570;

const ledgerMembers = [
  'ledger_index',
  'ledger',
  'ledger_index_min',
  'ledger_index_max',
  'min_ledger',
  'max_ledger',
];

/** Shortcuts (`validated`, …) and -1 name none. */
function ledgersNamed(text: Uint8Array, params: Members): number[] {
  const heights: number[] = [];
  for (const name of ledgerMembers) heights.push(...listed(ledgerAt(text, params.get(name))));
  const marker = params.get('marker');
  if (marker !== undefined && text[marker.at] === 0x7b)
    heights.push(...listed(ledgerAt(text, memberOf(text, marker.at, 'ledger'))));
  heights.push(...listed(ledgerOfCtid(text, params.get('ctid'))));
  return heights;
}

function listed(height: number | undefined): number[] {
  return height === undefined ? [] : [height];
}

/** A ledger's number, as a number or as a string of digits. */
export function ledgerAt(text: Uint8Array, span: Span | undefined): number | undefined {
  if (span === undefined) return undefined;
  const digits = stringAt(text, span) ?? textOf(text, span.at, span.end);
  if (!/^\d{1,10}$/.test(digits)) return undefined;
  const height = Number(digits);
  return height > 0 ? height : undefined;
}

/** A transaction's place: `C`, seven hex digits of the ledger, then index and network. */
function ledgerOfCtid(text: Uint8Array, span: Span | undefined): number | undefined {
  const ctid = span === undefined ? undefined : stringAt(text, span);
  const ledger = ctid === undefined ? undefined : /^[Cc]([0-9A-Fa-f]{7})[0-9A-Fa-f]{8}$/.exec(ctid)?.[1];
  return ledger === undefined ? undefined : Number.parseInt(ledger, 16);
}

const hash = /^[0-9A-Fa-f]{64}$/;

function namesByHash(text: Uint8Array, method: string, params: Members): boolean {
  const names = method === 'tx' ? ['transaction'] : ['ledger_hash', 'ledger', 'ledger_index'];
  return names.some(name => {
    const span = params.get(name);
    const value = span === undefined ? undefined : stringAt(text, span);
    return value !== undefined && hash.test(value);
  });
}

/** The needs of a batch: the highest height, the lowest history; at the tip when one of them is. */
function both(a: Wanted, b: Wanted): Wanted {
  const height = Math.max(a.height ?? 0, b.height ?? 0);
  const lower =
    a.history !== undefined && (b.history?.height ?? Number.POSITIVE_INFINITY) >= a.history.height;
  const history = lower ? a.history : b.history;
  const unplaced = a.unplaced ?? b.unplaced;
  return {
    ...(height > 0 ? { height } : {}),
    ...(history === undefined ? {} : { history }),
    ...(unplaced === undefined ? {} : { unplaced }),
    ...(a.own || b.own ? { own: true } : {}),
    ...(a.timeless && b.timeless ? { timeless: true } : {}),
    ...(dependsOnTip(a) || dependsOnTip(b) ? { tip: true } : {}),
  };
}
