/** What must hold of every cell, whatever happened in it. */

import { dangers, messageOf, ownFault, type Told } from './answers.ts';
import { type Cell, faultOf, mustSettle } from './cells.ts';
import type { Row } from './record.ts';
import type { Trial } from './trial.ts';
import type { Reach } from './upstream.ts';

export const rules = [
  'sent twice',
  'byte without a row',
  'row after the byte',
  'untrue outcome',
  'left pending',
  'not looked up',
  'not in --unknown',
  'not settled',
  'sent after the restart',
  'repeat sent',
  'answer',
] as const;
export type Rule = (typeof rules)[number];

export interface Violation {
  readonly rule: Rule;
  readonly detail: string;
}

export interface Finding {
  readonly cell: Cell;
  readonly violations: readonly Violation[];
  /** The gateway was not where the cell wanted it killed: it counts for what holds everywhere, not for the place. */
  readonly missed: boolean;
  /** Requests with the transaction that reached upstreams. */
  readonly sends: number;
}

/** `recorded`: the subject keeps a record. */
export function judge(trial: Trial, recorded: boolean): Finding {
  const { cell, seen, reached } = trial;
  const found: Violation[] = [];
  const say = (rule: Rule, detail: string): void => void found.push({ rule, detail });
  const told = reached.map(
    ({ upstream, bytes, length, status, life }) => `${upstream}${life}:${bytes}/${length}→${status ?? '-'}`,
  );

  // What the client itself sends again is looked at below: a proxy without a record cannot know it.
  for (const [at, reach] of reached.slice(0, seen.reachedBefore).entries()) {
    if (!reached.slice(0, at).every(isRefusal)) {
      say('sent twice', told.join(' '));
      break;
    }
    if (reach.rowThere === false) say('row after the byte', `${reach.upstream} of ${told.join(' ')}`);
  }
  if (recorded) {
    withRows(say, trial);
    outcomes(say, trial);
    lookedUp(say, trial);
    answers(say, trial);
  }
  repeat(say, trial, recorded);
  return { cell, violations: found, missed: seen.missed || isLate(trial), sends: reached.length };
}

type Say = (rule: Rule, detail: string) => void;

/** The one refusal that lets another endpoint have the bytes. */
function isRefusal({ status }: Reach): boolean {
  return status === 429 || status === 403;
}

/**
 * On a machine so busy that a row takes longer than a second, or a broadcast has to wait for seconds until it is looked at,
 * nothing is sent, and no second endpoint is tried; and where an upstream takes seconds to read what it got, its answer comes
 * too late. That is how it should be, but it says nothing of the fault.
 */
const isLate = ({ cell, seen, clients, reached }: Trial): boolean =>
  seen.tooBusy ||
  (cell.kill === 'none' && reached.some(({ readMs = Number.POSITIVE_INFINITY }) => readMs > 3_000)) ||
  [...seen.rowsBefore, ...seen.rowsAtEnd].some(
    ({ rule }) => rule === 'gateway.not_sent' || rule === 'store.row_late',
  ) ||
  [seen.repeat, ...clients.map(({ told }) => told)].some(
    told => typeof told === 'object' && busy.test(messageOf(told)),
  );
const busy = /too little time was left|the record of broadcasts could not be/;
const nothingLeft = ({ reached }: Row) => reached === 'not_connected' || reached === 'nothing_handed_over';
const shown = (rows: readonly Row[]) =>
  rows.map(({ endpoint, outcome, reached, rule }) => `${endpoint}:${outcome}/${reached}/${rule}`).join(' ');

function withRows(say: Say, { reached, seen }: Trial): void {
  const enough = (rows: readonly Row[], reaches: readonly Reach[]): boolean =>
    reaches.every(
      ({ upstream }) =>
        rows.filter(({ endpoint }) => endpoint === upstream).length >=
        reaches.filter(one => one.upstream === upstream).length,
    );
  const first = reached.filter(({ life }) => life === 0);
  if (seen.rowsAtDeath !== undefined && !enough(seen.rowsAtDeath, first))
    say('byte without a row', `at the kill: ${shown(seen.rowsAtDeath)}`);
  if (!enough(seen.rowsAtEnd, reached)) say('byte without a row', `at the end: ${shown(seen.rowsAtEnd)}`);
}

function outcomes(say: Say, trial: Trial): void {
  const { cell, reached, seen } = trial;
  for (const row of seen.rowsAtEnd) {
    const { endpoint, outcome, rule } = row;
    const got = reached.filter(({ upstream }) => upstream === endpoint);
    const refusal = ({ status, act }: Reach) =>
      isRefusal({ status } as Reach) || status === 401 || (act.at === 'whole' && act.does === 'quota');
    const taken = ({ status, act }: Reach) =>
      status === 200 &&
      (act.at === 'door' || (act.at === 'whole' && (act.does === 'takes' || act.does === 'late')));
    const true_ =
      outcome === 'unknown'
        ? rule === 'store.interrupted' || got.length > 0
        : outcome === 'refused'
          ? nothingLeft(row)
            ? got.length < seen.rowsAtEnd.filter(one => one.endpoint === endpoint).length
            : got.some(refusal)
          : outcome === 'accepted'
            ? got.some(taken)
            : false;
    if (outcome === null) say('left pending', shown(seen.rowsAtEnd));
    else if (!true_) say('untrue outcome', `${endpoint} of ${shown(seen.rowsAtEnd)}`);
  }
  if (cell.kill !== 'none' || isLate(trial)) return;
  // Nothing disturbed it: the record says exactly what the fault amounts to.
  const fault = faultOf(cell.fault);
  const [first, second] = seen.rowsBefore;
  const asTold = (row: Row | undefined, { outcome, reached }: typeof fault): boolean =>
    row?.outcome != null && outcome.includes(row.outcome) && row.reached === reached;
  if (!asTold(first, fault))
    say('untrue outcome', `expected ${fault.outcome}/${fault.reached}: ${shown(seen.rowsBefore)}`);
  if ((second !== undefined) !== (fault.turnsAway === true))
    say('untrue outcome', `a second attempt: ${shown(seen.rowsBefore)}`);
  if (second !== undefined && !asTold(second, faultOf(cell.second)))
    say('untrue outcome', `the second: ${shown(seen.rowsBefore)}`);
  if (seen.rowsBefore.length > 2) say('untrue outcome', `a third attempt: ${shown(seen.rowsBefore)}`);
}

function lookedUp(say: Say, { cell, seen }: Trial): void {
  if (!seen.rowsBefore.some(({ outcome }) => outcome === 'unknown')) return;
  if (!seen.followed) say('not looked up', shown(seen.rowsBefore));
  if (!seen.listed) say('not in --unknown', shown(seen.rowsBefore));
  if (mustSettle(cell) && !seen.settled) say('not settled', shown(seen.rowsBefore));
}

function answers(say: Say, trial: Trial): void {
  const { cell, clients } = trial;
  for (const [at, { told }] of clients.entries()) {
    const left = at === 0 && faultOf(cell.fault).clientGoes === true;
    if (told === undefined) {
      if (cell.kill === 'none' && !left) say('answer', 'the connection ended without one');
      continue;
    }
    for (const danger of dangers(cell.family, told)) say('answer', danger);
    if (cell.kill === 'none') truth(say, trial, told, trial.seen.rowsBefore, at === 0 ? '1' : '"other"');
  }
}

/** The client is told what the record says. */
function truth(say: Say, { cell, network }: Trial, told: Told, rows: readonly Row[], id: string): void {
  const fault = ownFault(told);
  if (rows.some(({ outcome }) => outcome === 'accepted')) {
    const accepted = network.tx.accepted(id);
    const same =
      JSON.stringify(sorted(JSON.parse(told.text))) === JSON.stringify(sorted(JSON.parse(accepted)));
    if (!same) say('answer', `not the node's own: ${told.text.slice(0, 200)}`);
    return;
  }
  const expected = rows.some(({ outcome }) => outcome === 'unknown')
    ? 'broadcast_unknown'
    : rows.every(nothingLeft)
      ? 'not_sent'
      : 'broadcast_refused';
  if (fault?.reason !== expected) say('answer', `${fault?.reason} in place of ${expected} for ${cell.fault}`);
  else if (fault.transaction?.id !== network.tx.txId) say('answer', `of ${fault.transaction?.id}`);
}

/** The order of members is nobody's business. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  );
}

/** Who asks for the same again gets what is known, and nothing leaves, unless nothing had left before. */
function repeat(say: Say, trial: Trial, recorded: boolean): void {
  const { cell, seen, reached } = trial;
  const byItself = reached.slice(0, seen.reachedBefore).filter(({ life }) => life === 1);
  if (byItself.length > 0) say('sent after the restart', `${byItself.length} times`);
  if (seen.repeat === undefined) return;
  const fresh = reached.length - seen.reachedBefore;
  const before = shown(seen.rowsBefore);
  const left = recorded
    ? seen.rowsBefore.some(row => row.outcome !== 'refused' || !nothingLeft(row))
    : seen.reachedBefore > 0;
  if (left && fresh > 0) say('repeat sent', `${fresh} times: ${before}, then ${shown(seen.rowsAtEnd)}`);
  if (!recorded) return;
  if (seen.repeat === 'none') {
    say('answer', 'the repeat got none');
    return;
  }
  for (const danger of dangers(cell.family, seen.repeat)) say('answer', `of the repeat: ${danger}`);
  if (!left && fresh !== 1 && !isLate(trial)) {
    say('answer', `a repeat of what never left was sent ${fresh} times: ${seen.repeat.text.slice(0, 300)}`);
  }
}
