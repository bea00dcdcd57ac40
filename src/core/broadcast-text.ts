/**
 * What the gateway says of a broadcast that brought no answer of a node. Each text tells one of two things: nothing left,
 * and the same signed bytes may be sent again; or they were handed over, must not be signed again, and which id to watch.
 * Client libraries read texts like these and send again on some words (contract 6.6), so those never occur here.
 */

const sendsAgain = /rate.?limit|limit|header not found|already known|nonce too low|too many requests/i;

/** A name or a reason that may stand in such a text, or something harmless in its place. */
export function harmless(text: string, instead: string): string {
  return sendsAgain.test(text) ? instead : text;
}

interface Watched {
  readonly endpoint: string;
  readonly txId: string | undefined;
}

export function wrongChainText(kind: string, signedFor: string, chain: string, expected: string): string {
  return (
    `the transaction is signed for ${kind} ${signedFor}, and ${nameOfChain(chain)} has ${kind} ${expected}: ` +
    'it was not sent, nothing left the gateway'
  );
}

export function notSentText(why: string): string {
  return `the transaction was not sent: ${why}. Nothing left the gateway; the same signed bytes may be sent again`;
}

/** `windowMs`: for how long the same bytes get this answer again. */
export function refusedText({ endpoint, txId }: Watched, windowMs: number): string {
  const seconds = Math.ceil(windowMs / 1000);
  return (
    `${nameOfEndpoint(endpoint)} refused to take the transaction. The bytes were handed over: do not sign it again, ` +
    `${watch(txId)}. The same signed bytes may be sent again in ${seconds} s, or at once with rpcgw-rebroadcast: 1`
  );
}

/** `what`: why nothing is known, as a sentence's end. */
export function unknownText(watched: Watched, what: string): string {
  return unknown(watched, `the bytes were handed over to ${nameOfEndpoint(watched.endpoint)}, and ${what}`);
}

/** A crash, or a fault, came between the row and the outcome. */
export function interruptedText(watched: Watched): string {
  const name = nameOfEndpoint(watched.endpoint);
  return unknown(
    watched,
    `the gateway was interrupted, and the bytes may have been handed over to ${name} by then`,
  );
}

function unknown({ txId }: Watched, why: string): string {
  return `what became of the transaction is not known: ${why}. Do not sign it again, ${watch(txId)}`;
}

export function otherIdText({ endpoint, txId }: Watched, named: string): string {
  return (
    `${nameOfEndpoint(endpoint)} took the transaction under the id ${named}, but its bytes give ${txId ?? 'none'}. ` +
    `Do not sign it again, watch both ids`
  );
}

function watch(txId: string | undefined): string {
  return txId === undefined
    ? "watch the account: the bytes do not tell the transaction's id"
    : `watch ${txId}`;
}

export function nameOfEndpoint(name: string): string {
  return harmless(name, 'the endpoint');
}

function nameOfChain(name: string): string {
  return harmless(name, 'this chain');
}
