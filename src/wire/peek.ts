/** What the beginning of a large JSON-RPC answer shows: may it be streamed? */

import { CUT, LEFT_BRACE, LEFT_BRACKET, QUOTE, scanValue } from './grammar.ts';
import { sameId } from './id.ts';
import { spells, textOf } from './text.ts';
import { newWalk, nextKey, startWalk } from './walk.ts';

/** A result that ends this soon is not what makes the answer large: an error may follow it. */
const resultBytesSeen = 128;

const walk = newWalk();

/** `id` is the caller's, as JSON text. `hold` is always right: the answer is then judged when more of it is there. */
export function peek(head: Uint8Array, id: string | undefined): 'commit' | 'hold' {
  let idSeen = false;
  startWalk(walk, 0);
  while (nextKey(head, walk) === 1) {
    const { keyAt, keyEnd, at } = walk;
    if (spells(head, keyAt, keyEnd, 'result')) return goesOn(head, at) ? 'commit' : 'hold';
    const isId = spells(head, keyAt, keyEnd, 'id');
    if (!isId && !spells(head, keyAt, keyEnd, 'jsonrpc')) return 'hold';
    const end = scanValue(head, at, 1);
    if (end < 0) return 'hold';
    if (isId) {
      if (idSeen || (id !== undefined && !sameId(textOf(head, at, end), id))) return 'hold';
      idSeen = true;
    }
    walk.next = end;
  }
  return 'hold';
}

/** A text, list or object that is not over yet. `null` is no result here: Bitcoin's form puts it before the error. */
function goesOn(head: Uint8Array, at: number): boolean {
  const first = head[at];
  if (first !== LEFT_BRACE && first !== LEFT_BRACKET && first !== QUOTE) return false;
  return scanValue(head.subarray(at, at + resultBytesSeen), 0, resultBytesSeen) === CUT;
}
