/** All there is to ask of one endpoint, one question after the other: what `rpcgw test` looks at. Reads only. */

import type { HeadSeen } from '../chains/family.ts';
import type { HistoryKind } from '../core/chain.ts';
import { type Verdict, verdicts } from '../core/verdict.ts';
import type { Prober } from './probe.ts';
import type { Chain, Member } from './roster.ts';

/** What one kind of question brought. `because`: how the last answer was judged, for people. */
interface Asked<T> {
  readonly told: T | undefined;
  readonly verdict: Verdict;
  readonly because: string;
}

export interface Examined {
  readonly identity: Asked<string>;
  readonly head: Asked<HeadSeen>;
  /** Of height reads that were answered, ms, in the order of asking. */
  readonly latencies: readonly number[];
  /** Height reads that failed. */
  readonly failures: readonly Asked<HeadSeen>[];
  /** Only families that are asked. */
  readonly builds: Asked<boolean> | undefined;
  readonly client: string | undefined;
  /** The lowest height it keeps; undefined: it could not be told. */
  readonly history: readonly { readonly kind: HistoryKind; readonly lowest: number | undefined }[];
}

/** Leaves off early when nobody answers: the rest would say the same. */
export async function examine(
  prober: Prober,
  chain: Chain,
  member: Member,
  samples: number,
): Promise<Examined> {
  const { probes } = chain.family;
  const identity = await firstOf(
    probes.identity.map(probe => () => prober.ask(chain, member, 'identity', probe)),
  );
  const latencies: number[] = [];
  const failures: Asked<HeadSeen>[] = [];
  let head: Asked<HeadSeen> = { told: undefined, verdict: identity.verdict, because: identity.because };
  const answers = identity.told !== undefined || verdicts[identity.verdict].fault !== 'endpoint';
  for (let sample = 0; answers && sample < samples; sample += 1) {
    const asked = await prober.ask(chain, member, 'height', probes.head);
    if (head.told === undefined || asked.told !== undefined) head = asked;
    if (asked.told === undefined) failures.push(asked);
    else latencies.push(asked.ms);
    if (failures.length >= 3 && latencies.length === 0) break;
  }
  if (head.told === undefined) {
    return { identity, head, latencies, failures, builds: undefined, client: undefined, history: [] };
  }
  const builds =
    probes.builds === undefined
      ? undefined
      : await allOf(probes.builds.map(probe => () => prober.ask(chain, member, 'builds', probe)));
  const client = probes.client && (await prober.ask(chain, member, 'facts', probes.client)).told;
  const history: { kind: HistoryKind; lowest: number | undefined }[] = [];
  for (const kind of probes.historyKinds)
    history.push({ kind, lowest: await prober.lowest(chain, member, kind) });
  return { identity, head, latencies, failures, builds, client, history };
}

/** Ways of asking the same, until one tells. */
async function firstOf<T>(ways: readonly (() => Promise<Asked<T>>)[]): Promise<Asked<T>> {
  let last: Asked<T> = { told: undefined, verdict: 'unsupported', because: 'nothing to ask' };
  for (const way of ways) {
    last = await way();
    if (last.told !== undefined) return last;
  }
  return last;
}

/** Parts of one thing: all must be there. */
async function allOf(parts: readonly (() => Promise<Asked<boolean>>)[]): Promise<Asked<boolean>> {
  let last: Asked<boolean> = { told: true, verdict: 'ok', because: 'nothing to ask' };
  for (const part of parts) {
    last = await part();
    if (last.told !== true) return last;
  }
  return last;
}
