import { errors } from './errors.ts';

/** The page of every error code in the docs, read from the table. */
export function errorsReference(): string {
  const rows = Object.entries(errors).map(([code, row]) => ({ code, ...row }));
  const client = rows.filter(row => 'rpc' in row);
  const operator = rows.filter(row => 'exit' in row);
  return [
    '# Errors',
    '',
    '<!-- Made by: rpcgw docs errors -->',
    '',
    'Codes are for ever; texts may change. A code is never used for anything else.',
    '',
    '## What a client can get',
    '',
    'In the shape of the chain\'s family, with `source: "rpcgw"`, the `reason` below, the chain, the attempts (endpoint, verdict,',
    'ms) and the request id. A broadcast is always answered under HTTP 200, with the code of its family.',
    '',
    '| reason | JSON-RPC code | HTTP | means |',
    '| --- | --- | --- | --- |',
    ...client.map(row => `| \`${row.code}\` | ${row.rpc} | ${row.http} | ${row.text} |`),
    '',
    '## What a command can end with',
    '',
    '| code | exit | means |',
    '| --- | --- | --- |',
    ...operator.map(row => `| \`${row.code}\` | ${row.exit} | ${row.text} |`),
    '',
  ].join('\n');
}
