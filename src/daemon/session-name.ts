import type { ClientRequest } from './client-request.ts';

const longest = 128;

/**
 * Who a client is over several requests: its key, or what its `rpcgw-session` header says, or both. An address is nobody:
 * many clients share one. Undefined: it did not say.
 */
export function sessionName(
  request: Pick<ClientRequest, 'client' | 'session'>,
  keys: ReadonlySet<string>,
): string | undefined {
  const { session } = request;
  const said = session !== undefined && session.length <= longest ? session : undefined;
  const key = keys.has(request.client) ? request.client : undefined;
  if (said === undefined) return key;
  return `${key ?? ''}/${said}`;
}
