/**
 * Which of the endpoints that operators added may be in a pool now. The rules they were added by are asked again at every
 * start and reload, because the file may have changed since: what it allows no more is kept in the store and used for
 * nothing, not even a question.
 */

import { headerFaults } from '../config/headers.ts';
import { urlFaults } from '../config/url.ts';
import type { EndpointSettings } from '../core/chain.ts';
import { shownUrl } from '../core/redact.ts';
import { runtimeWeightCap } from '../core/weight.ts';
import type { Events } from '../gateway/ports.ts';
import type { RuntimeEndpoint } from '../store/endpoints.ts';
import type { Allowlist } from './allowlist.ts';

export interface Withheld {
  readonly chain: string;
  readonly name: string;
  /** Shows its host at most. */
  readonly why: string;
}

export interface Lowered {
  readonly chain: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface Admission {
  readonly admitted: readonly RuntimeEndpoint[];
  readonly withheld: readonly Withheld[];
  /** Admitted, but with less weight than they were given. */
  readonly lowered: readonly Lowered[];
}

/** `fileEndpoints`: of the chain, as the file has them now; undefined when it has no such chain. */
export function admission(
  added: readonly RuntimeEndpoint[],
  allowed: Allowlist,
  fileEndpoints: (chain: string) => readonly EndpointSettings[] | undefined,
): Admission {
  const admitted: RuntimeEndpoint[] = [];
  const withheld: Withheld[] = [];
  const lowered: Lowered[] = [];
  for (const each of added) {
    const { chain, settings } = each;
    const ofFile = fileEndpoints(chain);
    // It waits for its chain, and is asked again when that comes back.
    if (ofFile === undefined) continue;
    const { name, url, weight } = settings;
    const permitted = URL.canParse(url) ? allowed.permits(chain, new URL(url)) : undefined;
    const allowPrivate = settings.allowPrivate && permitted?.allowPrivate === true;
    const [fault] = [...urlFaults(url, allowPrivate), ...headerFaults(settings.headers)];
    if (permitted === undefined || fault !== undefined) {
      const why =
        permitted === undefined ? `${shownUrl(url)} is not on the allowlist any more` : (fault ?? '');
      withheld.push({ chain, name, why });
      continue;
    }
    const cap = runtimeWeightCap(ofFile);
    if (weight > cap) lowered.push({ chain, name, from: weight, to: cap });
    admitted.push({ ...each, settings: held(settings, allowPrivate, cap) });
  }
  return { admitted, withheld, lowered };
}

/** Whatever stands in the store, it is no more than a command could have given. */
function held(settings: EndpointSettings, allowPrivate: boolean, cap: number): EndpointSettings {
  const { weight, broadcast } = settings;
  return {
    ...settings,
    origin: 'runtime',
    allowPrivate,
    weight: Number.isInteger(weight) ? Math.min(Math.max(weight, 0), cap) : 0,
    broadcast: broadcast === 'prefer' ? 'allow' : broadcast,
  };
}

/** As alarms: whoever added them counts on them. `before`: what was told already. */
export function tellAdmission(events: Events, now: Admission, before?: Admission): void {
  const told = new Set([...(before?.withheld ?? []), ...(before?.lowered ?? [])].map(keyOf));
  const fresh = (each: { readonly chain: string; readonly name: string }): boolean => !told.has(keyOf(each));
  for (const { chain, name, why } of now.withheld.filter(fresh)) {
    const text = `an endpoint added at runtime is not used: ${why}`;
    events.emit({ kind: 'withheld', chain, endpoint: name, level: 'alarm', text });
  }
  for (const { chain, name, from, to } of now.lowered.filter(fresh)) {
    const text = `its weight of ${from} is over the bound for endpoints added at runtime, in force is ${to}`;
    events.emit({ kind: 'weight_lowered', chain, endpoint: name, level: 'alarm', text });
  }
}

/** For the status of one chain. */
export function admissionNotes({ withheld, lowered }: Admission, chain: string): string[] {
  return [
    ...withheld
      .filter(each => each.chain === chain)
      .map(({ name, why }) => `${name}, added at runtime, is not used: ${why}`),
    ...lowered
      .filter(each => each.chain === chain)
      .map(({ name, from, to }) => `${name}, added at runtime, weighs ${to} in place of ${from}: the bound`),
  ];
}

function keyOf({ chain, name }: { readonly chain: string; readonly name: string }): string {
  return `${chain}/${name}`;
}
