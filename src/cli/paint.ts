import { styleText } from 'node:util';
import type { EndpointStatus } from '../api/contract.ts';

type Style = Parameters<typeof styleText>[0];

/** Colour says nothing that the words do not say too. */
const tones: Readonly<Record<EndpointStatus['state'], Style>> = {
  wrong_network: ['red', 'bold'],
  api_only: 'red',
  not_verified: 'red',
  auth_refused: 'red',
  down: 'red',
  half_open: 'yellow',
  stale: 'yellow',
  cooling: 'yellow',
  quarantine: 'cyan',
  slow: 'yellow',
  busy: 'yellow',
  draining: 'blue',
  disabled: 'dim',
  healthy: 'green',
};

/** The lines of a table under its head, each in the tone of its endpoint's state. */
export function paintRows(text: string, endpoints: readonly EndpointStatus[]): string {
  const [head = '', ...lines] = text.split('\n');
  return [head, ...lines.map((line, at) => paint(line, endpoints[at]))].join('\n');
}

function paint(line: string, endpoint: EndpointStatus | undefined): string {
  // Whether there is colour at all was decided by whoever calls.
  return endpoint === undefined ? line : styleText(tones[endpoint.state], line, { validateStream: false });
}
