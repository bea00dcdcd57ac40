/** `rpcgw explain`: where a request would go, and why not to the others. Read from the choice itself (`core/why`). */

import type { Handlers } from '../api/server.ts';
import { OperatorError } from '../core/errors.ts';
import { why } from '../core/why.ts';
import { requestOf } from './admin-call.ts';
import type { Desk } from './admin-desk.ts';
import { gateStatus, timeFrom } from './status.ts';

const encoder = new TextEncoder();

export function explainHandlers(desk: Desk): Pick<Handlers, 'explain'> {
  const { limits } = desk.facts.config().gateway;
  return {
    explain({ chain: name, method, params }) {
      const chain = desk.chain(name);
      const { family, pool, settings } = chain;
      const { target, body } = requestOf(chain, method, params);
      const opened = family.open(
        { verb: 'POST', target, body: encoder.encode(body) },
        { maxDepth: limits.depth, maxBatch: limits.batchItems, development: settings.development },
      );
      if (opened.form !== 'single') {
        const why = opened.form === 'refused' ? [opened.message] : [];
        throw new OperatorError('usage', `this is no request for ${name}`, { why });
      }
      const { call } = opened;
      const { kind, why: reason, unknown = false } = call.spec;
      const need = family.need(call);
      const nowhere = kind === 'local' || kind === 'refused';
      const time = timeFrom(desk.facts.clock);
      const all = nowhere ? [] : why(pool, need, desk.facts.clock.now());
      const chosen = all.find(({ place }) => place === 'chosen')?.record.settings.name ?? null;
      return {
        chain: name,
        method: call.method,
        kind,
        class: need.class,
        height: need.height ?? null,
        history: need.history ?? null,
        unplaced: need.unplaced ?? null,
        unknownMethod: unknown,
        chosen,
        endpoints: all.map(({ record, place, reason: because, score, gates }) => ({
          name: record.settings.name,
          place,
          reason: because,
          score: Math.round(score.score * 100) / 100,
          gates: gates.map(gate => gateStatus(gate, record, time)),
        })),
        text:
          kind === 'refused'
            ? `never forwarded: ${reason ?? 'it is not for a gateway'}`
            : kind === 'local'
              ? 'answered by the gateway itself'
              : chosen === null
                ? 'nobody could take it now'
                : null,
      };
    },
  };
}
