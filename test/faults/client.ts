import { request } from 'node:http';
import type { Told } from './answers.ts';

/** One POST on a connection of its own. */
export interface Sent {
  /** Undefined: the connection ended without an answer. */
  readonly over: Promise<Told | undefined>;
  readonly told: Told | undefined;
  /** The client hangs up. */
  leave(): void;
}

export function post(url: string, body: string): Sent {
  let told: Told | undefined;
  let leave = (): void => undefined;
  const over = new Promise<Told | undefined>(resolve => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sending = request(url, { method: 'POST', headers, agent: false }, response => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', chunk => (text += chunk));
      response.on('error', () => resolve(undefined));
      response.on('close', () => {
        if (response.complete) told = { status: response.statusCode ?? 0, text };
        resolve(told);
      });
    });
    // Killed gateways and clients that leave end here.
    sending.on('error', () => resolve(undefined));
    leave = () => void sending.destroy();
    sending.end(body);
  });
  return {
    over,
    get told() {
      return told;
    },
    leave: () => leave(),
  };
}
