/** One attempt at a broadcast: its bytes to one endpoint on a connection of its own, and what came of it. */

import type { Call } from '../chains/family.ts';
import { type Ending, outcomeOf } from '../core/broadcast.ts';
import type { EndpointRecord } from '../core/endpoint.ts';
import type { TransportFault } from '../core/transport-fault.ts';
import type { Judgement } from '../core/verdict.ts';
import { judge } from './judge.ts';
import type { AnswerHeaders, Exchange } from './ports.ts';
import { type Ended, Relay } from './relay.ts';
import { shownAnswer, withoutSecrets } from './replies.ts';
import { type Chain, memberOf } from './roster.ts';
import type { Errand } from './sending.ts';
import type { World } from './session.ts';

export interface Try extends Ending {
  readonly record: EndpointRecord;
  readonly row: number;
  readonly judgement: Judgement;
  /** Secrets masked. */
  readonly answer: { readonly headers: AnswerHeaders; readonly body: Uint8Array } | undefined;
  readonly fault: TransportFault | undefined;
  /** The id it was taken under, when that is not the one the bytes give. */
  readonly otherId: string | undefined;
}

/** `ms`: for all of it. Given up, it never starts late: the line sees to that. */
export function sendAlone(
  world: World,
  chain: Chain,
  call: Call,
  record: EndpointRecord,
  ms: number,
): Promise<Ended> {
  const { clock, budget, inflate, limits } = world;
  const { line } = memberOf(chain, record);
  return new Promise(resolve => {
    const relay = new Relay({
      clock,
      budget,
      inflate,
      collectBytes: limits.errorBodyBytes,
      onEnd: ended => {
        timer.cancel();
        resolve(ended);
      },
    });
    const { verb, path, text } = call;
    const exchange = line.send({ verb, path, body: text, gzip: false, alone: true }, relay);
    relay.attach(exchange);
    // A line tells nothing before `send` has returned.
    const timer = clock.after(ms, () => relay.timeout(lateness(exchange, relay, Math.round(ms))));
  });
}

/** Connecting has a time of its own, which may be longer than what is left of the broadcast's. */
function lateness({ begun }: Exchange, { answered }: Relay, ms: number): TransportFault {
  return begun
    ? {
        kind: 'timeout',
        reached: answered ? 'answered' : 'handed_over',
        message: `no whole answer within ${ms} ms`,
      }
    : { kind: 'connect_timeout', reached: 'not_connected', message: `no connection within ${ms} ms` };
}

export function readTry(
  world: World,
  errand: Errand,
  record: EndpointRecord,
  row: number,
  ended: Ended,
): Try {
  const { chain, call } = errand;
  const judged = judge(chain, call, ended, world.clock.wall());
  const fault = ended.how === 'fault' ? ended.fault : undefined;
  const reached = fault?.reached ?? 'answered';
  const otherId = otherIdIn(errand, ended, judged);
  const outcome = otherId === undefined ? outcomeOf(reached, judged.txOutcome) : 'unknown';
  const judgement: Judgement =
    otherId === undefined
      ? { ...judged, txOutcome: outcome }
      : { verdict: 'node_failure', rule: 'gateway.other_id', txOutcome: outcome };
  const made = { record, row, judgement, outcome, reached, fault, otherId };
  if (ended.how !== 'whole') return { ...made, answer: undefined };
  const { status, headers, plain } = ended;
  if (judgement.unclassified) {
    world.telemetry.unclassified({
      chain: chain.settings.name,
      endpoint: record.settings.name,
      method: call.method,
      answer: shownAnswer(memberOf(chain, record).secrets, plain),
    });
  }
  const asCame = { record, judgement, status, headers, body: plain, plain };
  const body = judgement.verdict === 'ok' ? plain : withoutSecrets(chain, asCame);
  return { ...made, status, answer: { headers, body } };
}

function otherIdIn(
  { chain, call, signed }: Errand,
  ended: Ended,
  { txOutcome }: Judgement,
): string | undefined {
  if (ended.how !== 'whole' || signed.id === undefined) return undefined;
  if (txOutcome !== 'accepted' && txOutcome !== 'known') return undefined;
  const named = chain.family.answeredId(call, ended.plain);
  return named === signed.id ? undefined : named;
}
