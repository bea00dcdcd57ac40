/** A client of the demo: asks its chain again and again, and tells what came of each request. */

export interface Reading {
  readonly chain: string;
  /** When it was asked, as `performance.now` has it, ms. */
  readonly askedAt: number;
  /** Who answered; undefined: it failed. */
  readonly endpoint: string | undefined;
  readonly text: string;
  /** Another endpoint answers than before, or another error comes: worth a line. */
  readonly isNews: boolean;
}

const everyMs = 250;

/** One harmless read of each known chain. */
const questions: Readonly<Record<string, { path: string; body: string }>> = {
  tron: { path: '/wallet/getaccount', body: '{"address":"410000000000000000000000000000000000000000"}' },
  xrpl: {
    path: '',
    body: '{"method":"account_info","params":[{"account":"rrrrrrrrrrrrrrrrrrrrrhoLvTp","ledger_index":"validated"}]}',
  },
  solana: {
    path: '',
    body: '{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["11111111111111111111111111111111",{"commitment":"confirmed"}]}',
  },
};
const evmQuestion = {
  path: '',
  body: '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x0000000000000000000000000000000000000000","latest"]}',
};

export async function watchClient(
  url: () => string,
  chain: string,
  signal: AbortSignal,
  tell: (reading: Reading) => void,
): Promise<void> {
  const { path, body } = questions[chain] ?? evmQuestion;
  let before = '';
  while (!signal.aborted) {
    const askedAt = performance.now();
    const { endpoint, kind, attempts } = await ask(`${url()}/${chain}${path}`, body, signal).catch(
      (error: unknown) => ({ endpoint: undefined, kind: `gets no answer: ${String(error)}`, attempts: '0' }),
    );
    if (signal.aborted) return;
    const retried = endpoint !== undefined && attempts !== '1';
    const text = `${chain} ${kind}${retried ? `, at attempt ${attempts}` : ''}`;
    tell({ chain, askedAt, endpoint, text, isNews: kind !== before });
    before = kind;
    await new Promise(resolve => setTimeout(resolve, everyMs));
  }
}

/** `kind`: what differs only when something changed; times and request ids differ from answer to answer. */
async function ask(url: string, body: string, signal: AbortSignal) {
  const response = await fetch(url, { method: 'POST', body, signal });
  const text = await response.text();
  const attempts = response.headers.get('rpcgw-attempts');
  const endpoint = response.headers.get('rpcgw-endpoint');
  if (response.status === 200 && endpoint !== null && !text.includes('"source":"rpcgw"'))
    return { endpoint, kind: `is answered by ${endpoint}`, attempts };
  const reason = /"reason":"(\w+)"/.exec(text)?.[1] ?? 'no reason given';
  return { endpoint: undefined, kind: `gets HTTP ${response.status}, ${reason}`, attempts };
}
