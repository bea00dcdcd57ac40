import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AuditVerdict } from '../../src/api/history-shapes.ts';
import { commands } from '../../src/cli/commands.ts';
import { type Gateway, runCommand } from '../kit/gateway.ts';
import { signed } from '../kit/signed.ts';
import { stage } from '../kit/stage.ts';
import { result, type Upstream } from '../kit/upstream.ts';
import { startXrplStub } from '../kit/xrpl-stub.ts';

// Every command line that README, docs and help texts show, run as it stands: only names of things that differ from host
// to host (URLs, ids, folders) are put in.

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Line {
  readonly from: string;
  readonly text: string;
}

function linesOfPages(): Line[] {
  return globSync(['README.md', 'docs/*.md', 'docs/operations/*.md'], { cwd: root })
    .filter(file => file !== 'docs/commands.md')
    .flatMap(file =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(
        ([, block = '']) => block.split('\n').map(text => ({ from: file, text })),
      ),
    );
}

const linesOfHelp: Line[] = commands
  .filter(({ hidden }) => hidden !== true)
  .flatMap(({ path, examples }) => examples.map(([text]) => ({ from: `rpcgw ${path} --help`, text })));

/** In the order of the help texts first: what one adds, the next shows, and the last takes away. */
const all: readonly Line[] = [...linesOfHelp, ...linesOfPages()].filter(({ text }) =>
  /^(.* \| |source <\()?(rpcgw|bin\/rpcgw\.js) |^curl /.test(text),
);

/** Whole programs of their own, each started by tests that bear its name; and one that nothing ends. */
const elsewhere = [/^(bin\/rpcgw\.js|rpcgw) (serve|demo)\b/, / --(follow|watch)\b/];

/** A line without its comment as words; what is piped or written away goes to nobody. */
function wordsOf(text: string): { readonly words: readonly string[]; readonly input: string | undefined } {
  const line = text
    .replace(/ +# .*$/, '')
    .replace(/^source <\((.*)\)$/, '$1')
    .trim();
  const pipe = line.split(' | ');
  const at = pipe.findIndex(part => /^(bin\/rpcgw\.js|rpcgw|curl -s )/.test(part));
  const words = [...(pipe[at] ?? '').matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)].map(
    ([, one, two, bare]) => one ?? two ?? bare ?? '',
  );
  const input = words.indexOf('<');
  if (input >= 0) return { words: words.slice(0, input), input: words[input + 1] };
  const output = words.indexOf('>');
  return { words: output < 0 ? words : words.slice(0, output), input: at > 0 ? pipe[at - 1] : undefined };
}

describe('every command line in the docs', () => {
  const on = stage();
  let gateway: Gateway;
  /** What stands here for a name in the docs. */
  const here = new Map<string, string>();
  const piped = new Map<string, string>();

  beforeAll(async () => {
    const nodes = await on.upstreams(3, { chainId: 1, height: 18_100_000 });
    const [added, paid, spare] = (await on.upstreams(3, { chainId: 1, height: 18_100_000 })) as [
      Upstream,
      Upstream,
      Upstream,
    ];
    const ledger = await startXrplStub();
    on.after(() => ledger.close());
    gateway = await on.gateway({
      chains: {
        ethereum: {
          strategy: 'priority',
          endpoints: ['own-node', 'infura', 'suspect'].map((name, n) => ({
            name,
            url: nodes[n]?.url,
            allowPrivate: true,
          })),
          allowedHosts: [added, paid, spare].map(({ port }) => ({
            host: `127.0.0.1:${port}`,
            allowPrivate: true,
          })),
        },
        xrpl: { endpoints: [{ name: 'ledger', url: ledger.url, allowPrivate: true }] },
      },
    });
    // Two withdrawals of unknown outcome, and one that went well.
    const transactions = [1, 2, 3].map(n => signed.evm(n, 1));
    for (const [n, one] of transactions.entries()) {
      for (const node of nodes)
        node.on('eth_sendRawTransaction', n === 2 ? result(one.txId) : { do: 'reset' });
      await gateway.post('/ethereum', one.body());
    }
    const { headers } = await gateway.rpc('ethereum', 'eth_blockNumber');
    for (const [name, value] of [
      ['https://rpc.ankr.com/eth', `${added.url}/eth`],
      ['https://rpc.example.com/v1/key', `${spare.url}/v1/key`],
      ['http://127.0.0.1:8600/ethereum', `${gateway.url}/ethereum`],
      ['41', '1'],
      ['ID', '2'],
      ['0x9f3a…', transactions[2]?.txId ?? ''],
      ['0x…', `0x${'0'.repeat(40)}`],
      ['8f2c-41', headers.get('rpcgw-request-id') ?? ''],
      ['/etc/rpcgw/rpcgw.yaml', join(gateway.dir, 'rpcgw-new.yaml')],
    ] as const)
      here.set(name, value);
    piped.set('pass show rpc-url', `${paid.url}/secret`);
    piped.set(
      'curl -si https://… -d …',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"jsonrpc":"2.0","id":1,"result":"0x1"}',
    );
  });

  it.each(all.filter(({ text }) => !elsewhere.some(one => one.test(text))))(
    '$from: $text',
    async ({ text }) => {
      const { words, input } = wordsOf(text);
      // Every change has a row in the audit, so its newest hash is one of this moment.
      if (words.includes('5f1d…'))
        here.set('5f1d…', (await gateway.json<AuditVerdict>('audit', 'verify')).head ?? '');
      const [program, ...given] = words.map(word => here.get(word) ?? word);
      if (program === 'curl') {
        const url = given.find(word => word.startsWith('http')) ?? '';
        const response = await fetch(url, { method: 'POST', body: given.at(-1) ?? '' });
        expect(await response.json()).toMatchObject({ result: expect.any(String) });
        return;
      }
      const source =
        input === undefined ? undefined : (piped.get(input) ?? readFileSync(join(root, input), 'utf8'));
      const { code, stderr } = await runCommand(given, {
        // There is a config beside the daemon already.
        cwd: given.join() === 'init' ? await mkdtemp(join(gateway.dir, 'new-')) : gateway.dir,
        env: gateway.place.env,
        ...(source === undefined ? {} : { input: source }),
      });
      // Where the answer is no, the command did what it should: the doctor finds the unknown withdrawals.
      expect([0, given[0] === 'doctor' ? 1 : 0], stderr).toContain(code);
    },
  );

  it('names only pages that are there', () => {
    for (const file of globSync(['README.md', 'CHANGELOG.md', 'docs/**/*.md'], { cwd: root })) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const [, target = ''] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g))
        expect(existsSync(join(root, file, '..', target)), `${file}: ${target}`).toBe(true);
    }
  });
});
