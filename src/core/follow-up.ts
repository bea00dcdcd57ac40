/** Looking a transaction up until it is settled: how often, and what a round of looks amounts to (contract 6.9). */

/** What one endpoint shows of a transaction. */
export type Finding =
  | { readonly found: 'pool' }
  /** `block`: its hash, or whatever tells two blocks of one height apart. */
  | { readonly found: 'block'; readonly height: number; readonly block: string }
  | { readonly found: 'not_seen' }
  /** It is not there and can never be. */
  | {
      readonly found: 'impossible';
      readonly why: string;
      /** It counts only if the endpoint keeps the transactions since it was sent, or all there ever were. */
      readonly keeps?: 'since' | 'ever';
    };

export interface Shown {
  readonly endpoint: string;
  readonly finding: Finding;
}

export interface Settlement {
  readonly how: 'final' | 'impossible';
  readonly note: string;
}

const ladderMs = [2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000];
/** After a round in which nobody could be asked: soon, so that the end of an outage is not waited out. */
const unansweredMs = 30_000;
/** How many endpoints must say the same. */
const witnesses = 2;

/** Until the next round. `looks`: rounds that brought an answer so far; `answered`: whether the last one did. */
export function lookAgainMs(looks: number, answered: boolean): number {
  const step = ladderMs[Math.min(looks, ladderMs.length - 1)] ?? 0;
  return answered ? step : Math.min(step, unansweredMs);
}

/** In a block that two endpoints agree on. */
export function inOneBlock(shown: readonly Shown[]): Settlement | undefined {
  for (const { finding } of shown) {
    if (finding.found !== 'block') continue;
    const { height, block } = finding;
    const agree = shown.filter(({ finding: other }) => other.found === 'block' && other.block === block);
    if (agree.length < witnesses) continue;
    const names = agree.map(({ endpoint }) => endpoint).join(' and ');
    return { how: 'final', note: `in block ${height}, as ${names} say` };
  }
  return undefined;
}

/** Of a whole round: one endpoint that sees it outweighs all that say it can never be. */
export function impossible(shown: readonly Shown[]): Settlement | undefined {
  if (shown.some(({ finding }) => finding.found === 'pool' || finding.found === 'block')) return undefined;
  const say = shown.filter(({ finding }) => finding.found === 'impossible');
  const [first] = say;
  if (say.length < witnesses || first?.finding.found !== 'impossible') return undefined;
  return {
    how: 'impossible',
    note: `${first.finding.why}, as ${say.map(({ endpoint }) => endpoint).join(' and ')} say`,
  };
}

const order: readonly Finding['found'][] = ['block', 'pool', 'not_seen', 'impossible'];

/** What a round is remembered by: the best of its findings. */
export function bestShown(shown: readonly Shown[]): Shown | undefined {
  let best: Shown | undefined;
  for (const one of shown) {
    if (best === undefined || order.indexOf(one.finding.found) < order.indexOf(best.finding.found))
      best = one;
  }
  return best;
}
