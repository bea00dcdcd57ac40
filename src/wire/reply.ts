/** JSON-RPC answers of our own, from the id's text; and arrays made of texts that are there already. */

import { COMMA, LEFT_BRACKET, RIGHT_BRACKET } from './grammar.ts';

/** `id` and `result` are JSON texts. */
export function resultText(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export function errorText(id: string, error: RpcError): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`;
}

/** `[a,b,c]` */
export function stitch(items: readonly Uint8Array[]): Uint8Array {
  let length = 1 + Math.max(1, items.length);
  for (const item of items) length += item.length;
  const whole = new Uint8Array(length);
  whole[0] = LEFT_BRACKET;
  let at = 1;
  items.forEach((item, index) => {
    if (index > 0) whole[at++] = COMMA;
    whole.set(item, at);
    at += item.length;
  });
  whole[at] = RIGHT_BRACKET;
  return whole;
}
