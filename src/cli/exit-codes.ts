/** What an exit code means, one thing each (contract section 7). */

export const exitCodes: readonly (readonly [code: number, says: string])[] = [
  [0, 'done, or already so'],
  [1, 'the answer is no: a test failed, not ready, an RPC error'],
  [2, 'wrong use, or a prompt without a terminal'],
  [3, 'no such chain, endpoint, transaction or request'],
  [4, 'the config is not valid'],
  [5, 'the daemon is not reachable, or no right to its socket'],
  [7, 'refused by a safety rule, or a conflict'],
  [8, 'a wait ran out of time'],
  [9, 'another instance runs'],
  [130, 'ended by SIGINT'],
  [143, 'ended by SIGTERM'],
];
