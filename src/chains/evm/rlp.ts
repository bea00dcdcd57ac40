/** A strict reader of RLP (Ethereum's list encoding): canonical lengths only, nothing behind the end. */

export interface Item {
  readonly list: boolean;
  /** With its header. */
  readonly at: number;
  /** Of the payload. */
  readonly from: number;
  readonly to: number;
}

/** The item at `at` that ends at or before `limit`; undefined when it is none, or not written the shortest way. */
function itemAt(bytes: Uint8Array, at: number, limit: number): Item | undefined {
  const first = bytes[at];
  if (first === undefined || at >= limit) return undefined;
  if (first < 0x80) return { list: false, at, from: at, to: at + 1 };
  const list = first >= 0xc0;
  const short = first - (list ? 0xc0 : 0x80);
  const lengthBytes = Math.max(0, short - 55);
  const from = at + 1 + lengthBytes;
  if (from > limit) return undefined;
  const length = lengthBytes === 0 ? short : longLength(bytes, at + 1, lengthBytes);
  if (length === undefined || from + length > limit) return undefined;
  if (!list && length === 1 && bytes[from]! < 0x80) return undefined;
  return { list, at, from, to: from + length };
}

function longLength(bytes: Uint8Array, at: number, count: number): number | undefined {
  if (count > 6 || bytes[at] === 0) return undefined;
  let length = 0;
  for (let i = at; i < at + count; i++) length = length * 256 + bytes[i]!;
  return length > 55 ? length : undefined;
}

/** No transaction has so many fields; a megabyte of other bytes may read as a million. */
const mostItems = 32;

/** The items of a list; undefined when they do not fill it exactly, or are more than any transaction has. */
export function itemsOf(bytes: Uint8Array, list: Item): readonly Item[] | undefined {
  if (!list.list) return undefined;
  const items: Item[] = [];
  for (let at = list.from; at < list.to; ) {
    const item = itemAt(bytes, at, list.to);
    if (item === undefined || items.length === mostItems) return undefined;
    items.push(item);
    at = item.to;
  }
  return items;
}

/** The single item that fills the bytes from `at` on. */
export function wholeItem(bytes: Uint8Array, at: number): Item | undefined {
  const item = itemAt(bytes, at, bytes.length);
  return item?.to === bytes.length ? item : undefined;
}

/** A payload as an integer, which has no leading zeros; undefined for anything else. */
export function integerOf(bytes: Uint8Array, item: Item): bigint | undefined {
  if (item.list || item.to - item.from > 32 || (bytes[item.from] === 0 && item.to > item.from))
    return undefined;
  let value = 0n;
  for (let i = item.from; i < item.to; i++) value = value * 256n + BigInt(bytes[i]!);
  return value;
}
