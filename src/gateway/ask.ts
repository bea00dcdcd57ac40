import type { Call } from '../chains/family.ts';
import type { Told } from '../chains/follow-up.ts';
import { abandon, begin, observe } from '../core/observe.ts';
import { count } from '../core/stats.ts';
import { judge } from './judge.ts';
import { noAnswerWithin, Relay } from './relay.ts';
import type { Chain, Member } from './roster.ts';
import type { World } from './session.ts';
import { tookIn } from './silence.ts';

/** A question of the gateway's own that is under way. */
export interface Asked {
  /** Undefined: no whole answer came. */
  readonly told: Promise<Told | undefined>;
  abort(): void;
}

/** One question to one endpoint. What it shows of the endpoint's health counts as for a probe. */
export function ask(world: World, chain: Chain, member: Member, call: Call): Asked {
  const { clock, chance, budget, inflate, events, limits } = world;
  const { record, line, stats } = member;
  const startedAt = clock.now();
  const attempt = begin(chain.pool, record, 'read', 'facts', startedAt);
  let abort = (): void => undefined;
  const told = new Promise<Told | undefined>(resolve => {
    const relay = new Relay({
      clock,
      budget,
      inflate,
      collectBytes: limits.errorBodyBytes,
      onEnd: ended => {
        timer.cancel();
        const judgement = judge(chain, call, ended, clock.wall());
        const ms = clock.now() - startedAt;
        const height =
          judgement.verdict === 'ok' && ended.how === 'whole'
            ? chain.family.headOf(call, ended.plain)
            : undefined;
        const seen = { judgement, method: call.method, ms, height };
        tookIn({ events, clock }, chain, observe(attempt, seen, clock.now(), chance.next()));
        count(stats, { class: 'read', verdict: judgement.verdict, ms, probe: true }, clock.wall());
        resolve(ended.how === 'whole' ? { verdict: judgement.verdict, body: ended.plain } : undefined);
      },
    });
    const { readTimeoutMs } = chain.settings;
    const timer = clock.after(readTimeoutMs, () => relay.timeout(noAnswerWithin(readTimeoutMs)));
    abort = () => {
      timer.cancel();
      relay.abort();
      abandon(attempt, clock.now(), chance.next());
      resolve(undefined);
    };
    const { verb, path, text } = call;
    const body = verb === 'GET' ? undefined : text;
    relay.attach(line.send({ verb, path, body, gzip: false, alone: false }, relay));
  });
  return { told, abort };
}
