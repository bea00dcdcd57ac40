/** `rpcgw broadcasts`: the record of what was sent, and an operator's word on what became of it. */

import type { Broadcast } from '../api/history-shapes.ts';
import type { Handlers } from '../api/server.ts';
import { OperatorError } from '../core/errors.ts';
import { scrub } from '../core/redact.ts';
import { allMembers } from '../gateway/roster.ts';
import type { AnsweredBroadcast } from '../store/broadcast-reads.ts';
import type { BroadcastRecord } from '../store/broadcast-record.ts';
import type { Desk } from './admin-desk.ts';

type Served = 'broadcasts' | 'broadcastShow' | 'broadcastSettle';

const cutAt = 2000;

export function broadcastHandlers(desk: Desk): Pick<Handlers, Served> {
  const { store, clock, roster } = desk.facts;

  /** Without the endpoint's secrets; when it is gone they are not known, and its words are not shown. */
  function answerOf({ answer, identityKey }: AnsweredBroadcast): string | null {
    const member = allMembers(roster()).find(({ record }) => record.identityKey === identityKey);
    if (answer === undefined || member === undefined) return null;
    const text = scrub(Buffer.from(answer).toString('utf8'), member.secrets);
    return text.length > cutAt ? `${text.slice(0, cutAt)}…` : text;
  }

  return {
    async broadcasts({ chain, unknown, outcome, tx, sinceMs, before, limit }) {
      const rows = await store.broadcasts.list({
        limit,
        ...(chain === undefined ? {} : { chain }),
        ...(unknown ? { unsettled: true } : {}),
        ...(outcome === undefined ? {} : { outcome }),
        ...(tx === undefined ? {} : { tx }),
        ...(sinceMs === undefined ? {} : { since: sinceMs }),
        ...(before === undefined ? {} : { before }),
      });
      return { now: iso(clock.wall()), broadcasts: rows.map(broadcastRow) };
    },

    async broadcastShow({ id }) {
      const story = await store.broadcasts.show(id);
      if (story === undefined) throw noSuch(id);
      return {
        now: iso(clock.wall()),
        attempts: story.attempts.map(attempt => ({ ...broadcastRow(attempt), answer: answerOf(attempt) })),
        timeline: story.timeline.map(({ at, row, kind, text }) => ({ time: iso(at), id: row, kind, text })),
      };
    },

    broadcastSettle: ({ id, note, who = 'unknown' }) =>
      desk.oneAtATime(async () => {
        const entry = { who, action: 'broadcasts settle', target: String(id), note };
        const result = await store.broadcasts.settle(id, { how: 'operator', note, who });
        switch (result) {
          case 'no_such':
            throw noSuch(id);
          case 'not_open':
            return desk.refuse(
              new OperatorError('conflict', `broadcast ${id} is not looked up: there is nothing to settle`, {
                next: [`rpcgw broadcasts show ${id}`],
              }),
              entry,
              false,
            );
          case 'already':
            await desk.audit({ ...entry, result: 'already' });
            return { already: true, text: `broadcast ${id} is settled already` };
          case 'settled':
            await desk.audit({ ...entry, result: 'done' });
            for (const { chain, txId } of (await store.broadcasts.show(id))?.attempts ?? []) {
              if (txId !== undefined) desk.facts.unfollow(chain, txId);
            }
            return { already: false, text: `broadcast ${id} is settled: ${note}` };
        }
      }),
  };
}

function noSuch(id: number): OperatorError {
  return new OperatorError('no_such_transaction', `there is no broadcast ${id}`, {
    next: ['rpcgw broadcasts', 'rpcgw broadcasts --tx ID'],
  });
}

function broadcastRow(record: BroadcastRecord): Broadcast {
  const { followUp } = record;
  return {
    id: record.row,
    chain: record.chain,
    method: record.method,
    txId: record.txId ?? null,
    digest: record.digest,
    endpoint: record.endpoint,
    requestId: record.requestId,
    attempt: record.attempt,
    earlier: record.earlier ?? null,
    began: iso(record.began),
    ended: maybeIso(record.ended),
    outcome: record.outcome,
    reached: record.reached ?? null,
    ms: record.ms === undefined ? null : Math.round(record.ms * 10) / 10,
    rule: record.rule ?? null,
    followUp:
      followUp === undefined
        ? null
        : {
            reason: followUp.reason,
            opened: iso(followUp.opened),
            looks: followUp.looks,
            lastLook: maybeIso(followUp.lastLook),
            latest: followUp.latest ?? null,
            height: followUp.height ?? null,
            firstSeen: maybeIso(followUp.firstSeen),
            settled:
              followUp.settled === undefined
                ? null
                : {
                    at: iso(followUp.settled.at),
                    how: followUp.settled.how,
                    note: followUp.settled.note,
                    who: followUp.settled.who ?? null,
                  },
          },
  };
}

function iso(wallMs: number): string {
  return new Date(wallMs).toISOString();
}

function maybeIso(wallMs: number | undefined): string | null {
  return wallMs === undefined ? null : iso(wallMs);
}
