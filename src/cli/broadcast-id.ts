import type { ApiClient } from '../api/client.ts';
import { OperatorError } from '../core/errors.ts';

/** The number of an attempt, given as it stands in the list or as the transaction's id. */
export async function broadcastId(api: ApiClient, text: string): Promise<number> {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const { broadcasts } = await api.ask('broadcasts', { tx: text, limit: 1000 });
  const [newest] = broadcasts;
  if (newest === undefined) {
    throw new OperatorError('no_such_transaction', `${text} was never sent through this gateway`, {
      why: ['the record goes back 400 days; an id has its whole length, as the network writes it'],
      next: ['rpcgw broadcasts --since 7d'],
    });
  }
  const chains = [...new Set(broadcasts.map(({ chain }) => chain))];
  if (chains.length === 1) return newest.id;
  throw new OperatorError('conflict', `${text} was sent on ${chains.join(' and ')}`, {
    next: broadcasts.slice(0, 4).map(({ id, chain }) => `rpcgw broadcasts show ${id}   (${chain})`),
  });
}
