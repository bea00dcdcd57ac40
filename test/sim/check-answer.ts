/** What must be true when a client gets its answer. */

import { saidAbsent } from './check-send.ts';
import type { Said } from './family.ts';
import { type Asked, ended, type Tried } from './model/asked.ts';
import { hold, nowhere, rank, standingFor } from './model/standing.ts';
import type { Referee } from './referee.ts';

/** What reached the client. */
export type Outcome =
  | { readonly is: 'answer'; readonly said: Said; readonly by: string | undefined; readonly attempts: number }
  | { readonly is: 'streamed'; readonly by: string | undefined; readonly attempts: number }
  | { readonly is: 'cut' }
  | {
      readonly is: 'fault';
      readonly reason: string;
      readonly status: number;
      readonly retryAfter: string | undefined;
      readonly attempts: number;
    };

/** The longest wait that is not begun when the deadline is near, ms: a pause with its jitter. */
const longestPauseMs = 960;

export function checkAnswer(referee: Referee, asked: Asked, outcome: Outcome, now: number): void {
  const what = () => `${asked.call.method} ${asked.id} got ${told(outcome)}`;
  // A batch is answered when the last of its items is.
  referee.expect(
    'deadline',
    asked.batched || outcome.is === 'streamed' || outcome.is === 'cut' || now <= asked.deadlineAt + 1e-6,
    now,
    () => `${what()} ${now - asked.deadlineAt} ms late`,
  );
  referee.expect('answer', asked.running === 0, now, () => `${what()} while an attempt runs`);
  switch (outcome.is) {
    case 'answer':
      checkReturned(referee, asked, outcome, now, what);
      return;
    case 'streamed': {
      const last = asked.tries.at(-1);
      referee.expect('answer', last?.try.shadow.name === outcome.by && last?.verdict === 'ok', now, what);
      return;
    }
    case 'cut': {
      const last = asked.tries.at(-1);
      referee.expect('answer', last?.rule === 'cut', now, what);
      return;
    }
    case 'fault':
      checkFault(referee, asked, outcome, now, what);
  }
}

function checkReturned(
  referee: Referee,
  asked: Asked,
  outcome: Outcome & { is: 'answer' },
  now: number,
  what: () => string,
): void {
  const { said } = outcome;
  const source = asked.tries.find(tried => tried.came?.how === 'answer' && tried.came.said.includes(said));
  referee.expect(
    'answer',
    source?.try.shadow.name === outcome.by,
    now,
    () => `${what()}, not of the endpoint it names`,
  );
  referee.expect(
    'answer',
    outcome.attempts === asked.tries.length,
    now,
    () => `${what()} after ${asked.tries.length} attempts, told ${outcome.attempts}`,
  );
  const fine = ['ok', 'app_error', 'missing_history', 'unsupported'].includes(said.verdict);
  referee.expect('failure_seen', fine, now, what);
  if (said.verdict === 'ok') {
    checkNull(referee, asked, said, now, what);
    return;
  }
  if (said.verdict === 'app_error') return;
  checkNobodyElse(referee, asked, now, what);
  if (said.verdict !== 'missing_history') return;
  const failed = ended(asked).find(
    tried => isLast(asked, tried) && tried.verdict !== 'missing_history' && tried.verdict !== 'unsupported',
  );
  referee.expect(
    'history',
    failed === undefined,
    now,
    () => `${what()} though ${failed?.try.shadow.name} failed`,
  );
}

/** "A null for a block at or below the pool's head, or for a transaction … is asked once more of the highest." */
function checkNull(referee: Referee, asked: Asked, said: Said, now: number, what: () => string): void {
  const { pool } = referee;
  const last = asked.tries.at(-1);
  if (said.absent !== true || last === undefined || asked.only !== undefined) return;
  const asks = asked.tries.filter(tried => saidAbsent(tried, asked)).length;
  if (asks > 1 || asked.tries.length >= pool.chain.attempts) return;
  const median = pool.median(now);
  const { need } = asked.call;
  const mine = last.try.shadow.head.height;
  if (need.height !== undefined && (median === undefined || !median.sure || need.height > median.least))
    return;
  const higher = pool.shadows.find(other => {
    if (asked.tries.some(tried => tried.try.shadow === other) || pool.voice(other, now) !== 'yes')
      return false;
    if (need.height === undefined ? other.head.height <= mine : other.head.height < mine) return false;
    return rank(pool, other, asked, standingFor(pool, other, asked, now).may, true) === 0;
  });
  referee.expect(
    'second_question',
    higher === undefined,
    now,
    () =>
      `${what()}: no such thing, from ${last.try.shadow.name} at ${mine}, while ${higher?.name} is at ${higher?.head.height}`,
  );
}

function checkFault(
  referee: Referee,
  asked: Asked,
  outcome: Outcome & { is: 'fault' },
  now: number,
  what: () => string,
): void {
  const { reason, status } = outcome;
  const tries = asked.tries.length;
  referee.expect(
    'answer',
    outcome.attempts === tries,
    now,
    () => `${what()} after ${tries} attempts, told ${outcome.attempts}`,
  );
  const statuses: Readonly<Record<string, number>> = { no_endpoint: 503, all_cooling: 429 };
  // An item of a batch has no status of its own; of a lost filter the table says none.
  const asItIs = status === -1 || reason === 'filter_lost' || status === (statuses[reason] ?? 502);
  referee.expect('answer', asItIs, now, () => `${what()} under ${status}`);
  if (asked.only !== undefined) {
    referee.expect('once', reason === 'filter_lost', now, what);
    return;
  }
  const fits =
    tries === 0
      ? ['no_endpoint', 'all_cooling', 'deadline']
      : ['all_failed', 'all_cooling', 'deadline', 'missing_history'];
  referee.expect('answer', fits.includes(reason), now, () => `${what()} after ${tries} attempts`);
  if (reason === 'all_cooling') {
    const { retryAfter } = outcome;
    referee.expect(
      'cooling',
      retryAfter === undefined || /^0[1-9]\d*$/.test(retryAfter),
      now,
      () => `${what()}: Retry-After ${retryAfter}`,
    );
    const other = asked.tries.find(tried => isLast(asked, tried) && tried.verdict !== 'rate_limited');
    referee.expect(
      'cooling',
      other === undefined,
      now,
      () => `${what()} though ${other?.try.shadow.name} said ${other?.verdict}`,
    );
  }
  const last = asked.tries.at(-1);
  const finalOne =
    asked.call.spec.unknown && last !== undefined && !(last.came?.how === 'fault' && !last.came.gotThere);
  if (finalOne) return;
  checkNobodyElse(referee, asked, now, what);
  checkCooling(referee, asked, now, what);
}

/** When an item of a batch ended does not show, nor does the pool of a request that is older than the config. */
function isUnseen(referee: Referee, asked: Asked): boolean {
  return asked.batched || asked.startedAt < referee.configuredAt;
}

/** Nobody is left that could have been tried. */
function checkNobodyElse(referee: Referee, asked: Asked, now: number, what: () => string): void {
  const { pool } = referee;
  if (asked.tries.length >= pool.chain.attempts || isUnseen(referee, asked)) return;
  if (asked.tries.length > 0 && (now >= asked.deadlineAt - 25 || pool.chain.retryShare <= 0)) return;
  const left = pool.shadows.find(
    other =>
      !asked.tries.some(tried => tried.try.shadow === other) &&
      rank(pool, other, asked, standingFor(pool, other, asked, now).may, true) < nowhere,
  );
  const invariant = asked.tries.length === 0 ? 'no_endpoint' : 'failure_seen';
  referee.expect(invariant, left === undefined, now, () => `${what()} while ${left?.name} could be tried`);
  if (left !== undefined || now >= asked.deadlineAt - longestPauseMs) return;
  const again = asked.tries.findLast(tried => {
    const passes = tried.verdict === 'transport' || tried.verdict === 'node_failure';
    const { shadow } = tried.try;
    return passes && rank(pool, shadow, asked, standingFor(pool, shadow, asked, now).may, true) < nowhere;
  });
  const passed = again !== undefined && isLast(asked, again);
  referee.expect(
    'failure_seen',
    !passed,
    now,
    () => `${what()} while ${again?.try.shadow.name} could be tried again`,
  );
}

function isLast(asked: Asked, tried: Tried): boolean {
  return asked.tries.findLast(each => each.try.shadow === tried.try.shadow) === tried;
}

/** "When all is cooling, the read waits for the earliest end if that is within its deadline, else 429." */
function checkCooling(referee: Referee, asked: Asked, now: number, what: () => string): void {
  const { pool } = referee;
  if (asked.tries.length >= pool.chain.attempts || isUnseen(referee, asked)) return;
  if (asked.tries.length > 0 && pool.chain.retryShare <= 0) return;
  const warm = pool.shadows.find(other => {
    const { latest, earliest } = other.cooldown;
    if (now >= earliest || latest >= asked.deadlineAt - 25) return false;
    const held = standingFor(pool, other, asked, now).may & ~(hold.cooldown | hold.busy);
    if (rank(pool, other, asked, held, true) >= nowhere) return false;
    const mine = asked.tries.filter(tried => tried.try.shadow === other);
    return mine.length === 0 || mine.at(-1)?.verdict === 'rate_limited';
  });
  referee.expect(
    'cooling',
    warm === undefined,
    now,
    () => `${what()} while ${warm?.name} cools only for ${(warm?.cooldown.latest ?? now) - now} ms more`,
  );
}

function told(outcome: Outcome): string {
  switch (outcome.is) {
    case 'answer':
      return `${outcome.said.rule} (${outcome.said.verdict}) of ${outcome.by}`;
    case 'fault':
      return `the error ${outcome.reason}`;
    default:
      return outcome.is;
  }
}
