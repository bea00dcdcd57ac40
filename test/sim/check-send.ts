/** What must be true when a request leaves for an endpoint. */

import { checkStrategy } from './check-strategy.ts';
import type { SimCall } from './family.ts';
import type { Invariant } from './invariants.ts';
import { type Asked, ended, type Tried } from './model/asked.ts';
import type { Shadow } from './model/endpoint.ts';
import { hard, hold, isBusy, nowhere, type Reason, rank, standing, standingFor } from './model/standing.ts';
import type { Referee } from './referee.ts';

export function checkSend(
  referee: Referee,
  shadow: Shadow,
  call: SimCall,
  asked: readonly Asked[],
  retry: boolean,
  now: number,
): void {
  if (call.own !== undefined) {
    checkOwn(referee, shadow, call, now);
    return;
  }
  for (const one of asked) checkOne(referee, shadow, one, now);
  if (!retry) return;
  // Requests that are older than the config have their share in the pool they began with.
  if ([...referee.asked].some(one => one.startedAt < referee.configuredAt)) return;
  const { retryShare } = referee.pool.chain;
  const most = Math.max(1, Math.floor(retryShare * referee.asked.size));
  referee.expect(
    'retry_share',
    referee.retries < most,
    now,
    () => `${referee.retries + 1} retries at once, of ${referee.asked.size} requests in flight`,
  );
}

function checkOne(referee: Referee, shadow: Shadow, asked: Asked, now: number): void {
  const { pool } = referee;
  const stands = standingFor(pool, shadow, asked, now);
  const to = () => `${asked.call.method} ${asked.id} to ${shadow.name}`;
  referee.expect(
    'hard_gate',
    (stands.sure & hard) === 0,
    now,
    () => `${to()}: ${reasons(stands.sure & hard)}`,
  );
  referee.expect('room', !isBusy(shadow, now), now, () => `${to()}: no room`);
  referee.expect('answer', !asked.over && !asked.gone, now, () => `${to()} after its end`);
  referee.expect('deadline', now <= asked.deadlineAt, now, () => `${to()} after its deadline`);
  const most = pool.chain.attempts;
  referee.expect(
    'attempts',
    asked.tries.length < most,
    now,
    () => `${to()}: attempt ${asked.tries.length + 1}`,
  );
  const past = ended(asked);
  const last = past.at(-1);
  if (last !== undefined) checkGoesOn(referee, asked, last, now, to);
  if (last?.verdict === 'ok') {
    checkSecondQuestion(referee, shadow, asked, now, to);
    return;
  }
  if (asked.startedAt < referee.configuredAt) return;
  const before = past.filter(tried => tried.try.shadow === shadow);
  if (before.length > 0) checkAgain(referee, asked, before, now, to);
  else checkPlace(referee, shadow, asked, stands, now, to);
}

/** Only the failure of an endpoint, or what another might know better, leads on. */
function checkGoesOn(referee: Referee, asked: Asked, last: Tried, now: number, to: () => string): void {
  const { verdict } = last;
  const secondQuestion = verdict === 'ok' && saidAbsent(last, asked);
  referee.expect(
    'answer',
    secondQuestion || (verdict !== 'ok' && verdict !== 'app_error'),
    now,
    () => `${to()} although it was answered: ${verdict}`,
  );
  if (asked.only !== undefined) {
    referee.expect('once', false, now, () => `${to()} again, though it lives on one node`);
  } else if (asked.call.spec.unknown) {
    const arrived = !(last.came?.how === 'fault' && !last.came.gotThere);
    referee.expect('once', !arrived, now, () => `${to()} again, though the first got it`);
  }
}

function checkSecondQuestion(
  referee: Referee,
  shadow: Shadow,
  asked: Asked,
  now: number,
  to: () => string,
): void {
  const { pool } = referee;
  const higher = pool.shadows.find(other => {
    if (other.head.height <= shadow.head.height || asked.tries.some(tried => tried.try.shadow === other))
      return false;
    return rank(pool, other, asked, standingFor(pool, other, asked, now).may, true) === 0;
  });
  referee.expect(
    'second_question',
    higher === undefined,
    now,
    () => `${to()} at ${shadow.head.height}, while ${higher?.name} is at ${higher?.head.height}`,
  );
}

/** "no endpoint twice while an untried one is eligible; after that the same one again after 200 ms, then 800 ms, with jitter" */
function checkAgain(
  referee: Referee,
  asked: Asked,
  before: readonly Tried[],
  now: number,
  to: () => string,
): void {
  const { pool } = referee;
  const untried = pool.shadows.find(
    other =>
      !asked.tries.some(tried => tried.try.shadow === other) &&
      rank(pool, other, asked, standingFor(pool, other, asked, now).may, true) < nowhere,
  );
  referee.expect(
    'tried_twice',
    untried === undefined,
    now,
    () => `${to()} again, ${untried?.name} is untried`,
  );
  const last = before.at(-1);
  const mayPass = last?.verdict === 'transport' || last?.verdict === 'node_failure';
  const cooled = last?.verdict === 'rate_limited';
  referee.expect('tried_twice', mayPass || cooled, now, () => `${to()} again after ${last?.verdict}`);
  const pause = now - Math.max(...ended(asked).map(tried => tried.endedAt));
  const leastPause = asked.tries.some(tried => isAfterPause(asked, tried)) ? 640 : 160;
  referee.expect('tried_twice', cooled || pause >= leastPause, now, () => `${to()} again after ${pause} ms`);
}

/** It went to one that had failed it before, after a pause; one that had been cooling was waited for, and longer. */
function isAfterPause(asked: Asked, tried: Tried): boolean {
  const earlier = asked.tries.slice(0, asked.tries.indexOf(tried));
  const there = earlier.findLast(each => each.try.shadow === tried.try.shadow);
  return there !== undefined && tried.try.startedAt - there.endedAt < 1_000;
}

/** None that is left stands surely better than the chosen one. */
function checkPlace(
  referee: Referee,
  shadow: Shadow,
  asked: Asked,
  stands: { readonly sure: number; readonly may: number },
  now: number,
  to: () => string,
): void {
  const { pool } = referee;
  const mine = rank(pool, shadow, asked, stands.sure, false);
  const invariant = invariantOf(stands.sure);
  let equals = 0;
  for (const other of pool.shadows) {
    if (other === shadow || asked.tries.some(tried => tried.try.shadow === other)) continue;
    const theirs = rank(pool, other, asked, standingFor(pool, other, asked, now).may, true);
    referee.expect(
      invariant,
      theirs >= mine,
      now,
      () => `${to()} (${reasons(stands.sure) || 'open'}), while ${other.name} stands better`,
    );
    if (theirs === mine) equals += 1;
    if ((stands.sure & hold.height) !== 0 && theirs < nowhere && theirs === mine) {
      referee.expect(
        'height',
        other.head.height <= shadow.head.height,
        now,
        () => `${to()} at ${shadow.head.height}, while ${other.name} is higher: ${other.head.height}`,
      );
    }
  }
  referee.expect('last_resort', mine < nowhere, now, () => `${to()}: ${reasons(stands.sure)}`);
  if (mine === 0 && stands.may === 0 && equals > 0) checkStrategy(referee, shadow, asked, now, to);
}

function invariantOf(sure: number): Invariant {
  if ((sure & hold.height) !== 0) return 'height';
  if ((sure & hold.method) !== 0) return 'method';
  if ((sure & (hold.history | hold.may_lack)) !== 0) return 'history';
  return 'last_resort';
}

function checkOwn(referee: Referee, shadow: Shadow, call: SimCall, now: number): void {
  const { pool } = referee;
  const alone = standing(pool, shadow, now).sure & (hold.cooldown | hold.disabled);
  const refused = shadow.auth.held && now < shadow.auth.until ? hold.auth : 0;
  referee.expect(
    'left_alone',
    (alone | refused) === 0,
    now,
    () => `asks ${shadow.name} for its ${call.own}: ${reasons(alone | refused)}`,
  );
  countOwn(shadow, now);
  const cap = pool.chain.probesMaxPerDay ?? Number.POSITIVE_INFINITY;
  const nth = shadow.ownToday;
  referee.expect('probes', nth <= cap, now, () => `own request ${nth} of a day to ${shadow.name}`);
  if (call.own !== 'height') return;
  shadow.heightAsks += 1;
  // The second comes anywhere in the interval, so that neighbours are not in step.
  if (shadow.heightAskedAt === undefined || shadow.heightAsks === 2) return;
  const gap = now - shadow.heightAskedAt;
  referee.expect('probes', gap >= 999, now, () => `asks ${shadow.name} for its height again after ${gap} ms`);
}

function countOwn(shadow: Shadow, now: number): void {
  const day = Math.floor((now - shadow.bornAt) / 86_400_000);
  if (day !== shadow.ownDay) shadow.ownToday = 0;
  shadow.ownDay = day;
  shadow.ownToday += 1;
}

/** What is sent next is no retry: nothing failed, another may know better. */
export function isSecondQuestion(asked: Asked): boolean {
  const last = ended(asked).at(-1);
  return last?.verdict === 'ok' && saidAbsent(last, asked);
}

export function saidAbsent(tried: Tried, asked: Asked): boolean {
  if (tried.came?.how !== 'answer') return false;
  return tried.came.said[tried.try.calls.indexOf(asked.call)]?.absent === true;
}

function reasons(bits: number): string {
  return (Object.keys(hold) as Reason[]).filter(name => (bits & hold[name]) !== 0).join(', ');
}
