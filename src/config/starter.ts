/** What `rpcgw init` writes: a config that works as it is, and says what to do next. */

import { presets } from '../chains/presets.ts';

const chains = ['ethereum', 'bnb', 'avalanche', 'tron', 'solana', 'xrpl'];

const head = `# rpcgw: configuration. Check it with: rpcgw check
# All keys and their defaults: rpcgw config docs

# Where clients connect: POST http://127.0.0.1:8600/ethereum
# An address that others can reach needs clients: as well, for example
#   clients: { keys: [{ name: app, key: "\${CLIENT_KEY}" }], cidrs: [10.0.0.0/8] }
listen: 127.0.0.1:8600

# The endpoints below are public ones: free, without a key, rate limited, with no promise of anything. Good enough to
# begin with. Put your own beside them; a key never stands in this file:
#   - name: infura
#     url: https://mainnet.infura.io/v3/\${INFURA_KEY}   # also \${file:/path} and \${credential:name}
#     weight: 60            # multiplies the score; 0 takes no traffic
#     history: full         # full | recent | auto
#   - name: own-node
#     url: http://10.0.0.5:8545
#     allowPrivate: true    # plain http and private addresses
chains:
`;

const foot = `
  # Any other EVM chain takes its chain id, for example
  #   gnosis: { family: evm, chainId: 100, endpoints: [{ name: own, url: "https://…" }] }
`;

export function starterConfig(): string {
  const pools = chains.map(name => {
    const endpoints = (presets[name]?.publicEndpoints ?? []).map(
      endpoint => `      - name: ${endpoint.name}\n        url: ${endpoint.url}\n`,
    );
    return `  ${name}:\n    endpoints:\n${endpoints.join('')}`;
  });
  return head + pools.join('') + foot;
}
