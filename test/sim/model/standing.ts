/**
 * Where an endpoint stands for a request at a moment, by the contract: what surely holds it, what possibly does, and in
 * which place that puts it (section 3, "Gates" and "Last resort"; section 5). Nothing of the gateway's is asked here.
 */

import type { Need } from '../../../src/core/need.ts';
import type { Asked } from './asked.ts';
import type { Shadow } from './endpoint.ts';
import { noticeMs, type ShadowPool } from './pool.ts';

/** A bit a reason. */
export const hold = {
  wrong_network: 1,
  not_verified: 2,
  api_only: 4,
  implausible_head: 8,
  auth: 16,
  cooldown: 32,
  quarantine: 64,
  draining: 128,
  weight_zero: 256,
  disabled: 512,
  role: 1 << 10,
  circuit_read: 1 << 11,
  circuit_heavy: 1 << 12,
  stale: 1 << 13,
  slow: 1 << 14,
  busy: 1 << 15,
  height: 1 << 16,
  method: 1 << 17,
  history: 1 << 18,
  /** Not known whether it keeps that history. */
  may_lack: 1 << 19,
} as const;

export type Reason = keyof typeof hold;

/** "Hard ones are never bypassed." */
export const hard =
  hold.wrong_network |
  hold.not_verified |
  hold.api_only |
  hold.implausible_head |
  hold.auth |
  hold.cooldown |
  hold.quarantine |
  hold.draining |
  hold.weight_zero |
  hold.disabled |
  hold.role;

export interface Standing {
  /** What surely holds it, and what possibly does (the sure ones among them). */
  readonly sure: number;
  readonly may: number;
}

/** What holds it whatever is asked. */
export function standing(pool: ShadowPool, shadow: Shadow, now: number): Standing {
  let sure = 0;
  let may = 0;
  const add = (bit: number, surely: boolean, possibly: boolean): void => {
    if (surely) sure |= bit;
    if (surely || possibly) may |= bit;
  };
  const { cooldown, auth, quarantine, head } = shadow;
  add(hold.wrong_network, shadow.identity === 'wrong', false);
  add(hold.not_verified, shadow.identity === 'unproven', false);
  add(hold.api_only, pool.chain.family === 'tron' && shadow.builds !== true, false);
  const suspected = head.height < 0 ? 'no' : pool.suspected(shadow, now);
  add(hold.implausible_head, suspected === 'yes', suspected === 'maybe');
  add(hold.auth, auth.held, false);
  add(hold.cooldown, now < cooldown.earliest, now < cooldown.latest);
  add(hold.quarantine, quarantine !== undefined && !quarantine.perhapsOver, quarantine !== undefined);
  add(hold.draining, shadow.draining, false);
  add(hold.weight_zero, shadow.weight <= 0, false);
  add(hold.disabled, shadow.disabled, false);
  add(hold.circuit_read, shadow.read.held && !shadow.read.isUnclear, shadow.read.isUnclear);
  add(hold.circuit_heavy, shadow.heavy.held && !shadow.heavy.isUnclear, shadow.heavy.isUnclear);
  addStale(pool, shadow, now, add);
  const slow = slowness(pool, shadow, now);
  add(hold.slow, slow === 'yes', slow === 'maybe');
  return { sure, may };
}

type Add = (bit: number, surely: boolean, possibly: boolean) => void;

/** "lag over the chain's threshold, or no height for 4 probe intervals"; whoever asked to be left alone is not asked. */
function addStale(pool: ShadowPool, shadow: Shadow, now: number, add: Add): void {
  const { head } = shadow;
  const { least, most } = pool.allowedLag(now);
  const silenceMs = 4 * pool.probeEveryMs;
  const heard = Math.max(head.at, shadow.bornAt);
  const alone = Math.max(heard, shadow.quietUntil);
  const silent = now >= heard + silenceMs;
  const surelySilent = now > alone + silenceMs + noticeMs && !shadow.disabled;
  add(hold.stale, head.lagLeast > most || surelySilent, head.lagMost > least || silent);
}

/** "average latency over the chain's maxLatency … under 80 % of it": of how many, the contract does not say. */
function slowness(pool: ShadowPool, shadow: Shadow, now: number): 'yes' | 'no' | 'maybe' {
  const limit = pool.chain.maxLatencyMs;
  if (limit === undefined) return 'no';
  const { least, most, at, isFull } = shadow.readMs;
  if (most < 0.8 * limit) return 'no';
  return isFull && least > limit && now - at < 300_000 - noticeMs ? 'yes' : 'maybe';
}

/** What holds it from this request. */
export function standingFor(pool: ShadowPool, shadow: Shadow, asked: Asked, now: number): Standing {
  const { need } = asked.call;
  const otherCircuit = need.class === 'heavy' ? hold.circuit_read : hold.circuit_heavy;
  const always = standing(pool, shadow, now);
  let sure = always.sure & ~otherCircuit;
  let may = always.may & ~otherCircuit;
  const add: Add = (bit, surely, possibly) => {
    if (surely) sure |= bit;
    if (surely || possibly) may |= bit;
  };
  const busy = isBusy(shadow, now);
  add(hold.busy, busy, busy);
  const { head } = shadow;
  add(hold.height, need.height !== undefined && head.height < need.height, false);
  add(hold.method, (shadow.unsupported.get(need.method) ?? now) > now, false);
  const keeping = keeps(shadow, asked);
  add(hold.history, keeping === 'no', keeping === 'unclear');
  add(hold.may_lack, keeping === 'perhaps', keeping === 'unclear');
  const fits = role(shadow, need);
  add(hold.role, fits === 'no', fits === 'maybe');
  return { sure, may };
}

/** "maxInFlight (256), or rps when set" */
export function isBusy(shadow: Shadow, now: number): boolean {
  const { maxInFlight, rps } = shadow.settings;
  if (shadow.inFlight >= maxInFlight) return true;
  if (rps === undefined) return false;
  const startedWithin = shadow.starts.filter(at => now - at < 1_000).length;
  return startedWithin >= rps;
}

/** How deep every node's history surely reaches, and from where on a request surely names an old block. */
const surelyRecent = 100;
const surelyOld = 200;

/** "known per kind: history: full | recent | auto (cheap probes find the bounds)" */
function keeps(shadow: Shadow, asked: Asked): 'yes' | 'no' | 'perhaps' | 'unclear' {
  const { need, reads } = asked.call;
  if (need.unplaced !== undefined) {
    if (shadow.settings.history === 'full') return 'yes';
    return asked.missing ? 'unclear' : 'yes';
  }
  if (reads === undefined || shadow.settings.history === 'full') return 'yes';
  const { head, node, settings } = shadow;
  if (head.height < 0) return 'unclear';
  const depth = head.height - reads.height;
  if (settings.history === 'recent')
    return depth > surelyOld ? 'no' : depth < surelyRecent ? 'yes' : 'unclear';
  if (!shadow.depthFound) return depth < surelyRecent ? 'yes' : 'unclear';
  if (node.depth === undefined) return 'yes';
  // The bound that probes find is deep enough to be safe, and not exact.
  if (depth < surelyRecent) return 'yes';
  return depth > 12 * node.depth + surelyOld ? 'no' : 'unclear';
}

function role(shadow: Shadow, need: Need): 'yes' | 'no' | 'maybe' {
  const { roles } = shadow.settings;
  const reads = roles.includes('read');
  const old = roles.includes('history');
  if (reads && old) return 'yes';
  if (!reads && !old) return 'no';
  if (need.unplaced !== undefined) return 'yes';
  const depth = need.history === undefined ? 0 : shadow.head.height - need.history.height;
  if (depth < surelyRecent) return reads ? 'yes' : 'no';
  if (depth > surelyOld) return old ? 'yes' : 'no';
  return 'maybe';
}

export const nowhere = 1_000;

/**
 * In what order endpoints may be tried: nothing holds it; "held only by slow, then only by circuit"; "a stale one serves
 * only requests that name a height it has, or any read where the chain says lastResort: stale"; then what the request
 * itself does not fit. More reasons never give a better place. `strictly`: a last resort held by two of them is none.
 */
export function rank(
  pool: ShadowPool,
  shadow: Shadow,
  asked: Asked,
  held: number,
  strictly: boolean,
): number {
  if (asked.only !== undefined) {
    return asked.only === shadow && (held & (hard | hold.busy)) === 0 ? 0 : nowhere;
  }
  if ((held & (hard | hold.busy)) !== 0) return nowhere;
  const misfit =
    ((held & hold.height) === 0 ? 0 : 10) +
    ((held & hold.method) === 0 ? 0 : 20) +
    ((held & hold.history) === 0 ? 0 : 40) +
    ((held & hold.may_lack) === 0 ? 0 : 1);
  const circuit = (held & (hold.circuit_read | hold.circuit_heavy)) !== 0;
  const stale = (held & hold.stale) !== 0;
  const slow = (held & hold.slow) !== 0;
  if (!circuit && !stale && !slow) return misfit;
  const { lastResort } = pool.chain;
  if (lastResort === 'off' || (circuit && stale)) return nowhere;
  if (strictly && slow && (circuit || stale)) return nowhere;
  if (stale) {
    const { need } = asked.call;
    const hasIt = need.height !== undefined && shadow.head.height >= need.height;
    return hasIt || lastResort === 'stale' ? misfit + 6 : nowhere;
  }
  return misfit + (circuit ? 4 : 2);
}
