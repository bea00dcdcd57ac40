/** The gateway's own errors as TRON clients read them. */

import { type Fault, faultData } from '../../core/errors.ts';
import { memberOf } from '../../wire/scan.ts';
import { spells } from '../../wire/text.ts';
import type { Call } from '../family.ts';
import { faultBody } from '../jsonrpc.ts';
import { encodeMessage } from './message.ts';
import { rpcPath } from './open.ts';

/**
 * Reads: `{"Error": …, "rpcgw": …}`. Broadcasts: java-tron's own form, whose message is hex unless the client asked for
 * text, or the path writes text always. No client sends again on OTHER_ERROR.
 */
export function fault(call: Call | undefined, error: Fault): string {
  if (call?.path === rpcPath || (call === undefined && error.id !== undefined)) return faultBody(call, error);
  if (call?.spec.kind !== 'broadcast')
    return JSON.stringify({ Error: error.message, rpcgw: faultData(error) });
  const { id } = error.transaction ?? {};
  return JSON.stringify({
    result: false,
    code: 'OTHER_ERROR',
    message: wantsText(call) ? error.message : encodeMessage(error.message),
    ...(id === undefined ? {} : { txid: id }),
    rpcgw: faultData(error),
  });
}

function wantsText(call: Call): boolean {
  if (call.method === '/wallet/broadcasthex') return true;
  const visible = memberOf(call.text, 0, 'visible');
  return visible !== undefined && spells(call.text, visible.at, visible.end, 'true');
}
