/** A client of the demo: asks its chain again and again, and says when another endpoint answers or an error comes. */

export interface Reading {
  readonly text: string;
  readonly failed: boolean;
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
  url: string,
  chain: string,
  signal: AbortSignal,
  tell: (reading: Reading) => void,
): Promise<void> {
  const { path, body } = questions[chain] ?? evmQuestion;
  let before = '';
  while (!signal.aborted) {
    try {
      const response = await fetch(`${url}/${chain}${path}`, { method: 'POST', body, signal });
      const text = await response.text();
      const endpoint = response.headers.get('rpcgw-endpoint');
      const failed = response.status !== 200 || text.includes('"source":"rpcgw"');
      // Times and request ids differ from answer to answer; only a change of kind is worth a line.
      const kind = failed
        ? `${chain} gets HTTP ${response.status}, ${/"reason":"(\w+)"/.exec(text)?.[1] ?? 'no reason given'}`
        : `${chain} is answered by ${endpoint}`;
      const attempts = response.headers.get('rpcgw-attempts');
      if (kind !== before)
        tell({ text: failed || attempts === '1' ? kind : `${kind}, at attempt ${attempts}`, failed });
      before = kind;
    } catch (error) {
      const kind = `${chain} gets no answer: ${String(error)}`;
      if (!signal.aborted && kind !== before) tell({ text: kind, failed: true });
      before = kind;
    }
    await new Promise(resolve => setTimeout(resolve, everyMs));
  }
}
