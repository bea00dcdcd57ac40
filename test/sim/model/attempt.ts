import type { WorkClass } from '../../../src/core/chain.ts';
import type { Verdict } from '../../../src/core/verdict.ts';
import type { Question, Said, SimCall } from '../family.ts';
import type { Asked } from './asked.ts';
import type { ShadowCircuit } from './circuit.ts';
import type { Shadow } from './endpoint.ts';

/** One upstream try as the referee saw it go out. */
export interface Try {
  readonly shadow: Shadow;
  readonly calls: readonly SimCall[];
  readonly class: WorkClass;
  readonly own: Question | undefined;
  /** The client requests it is for; empty for a question of the gateway's own. */
  readonly asked: readonly Asked[];
  readonly retry: boolean;
  readonly startedAt: number;
  /** Its answer began to stream then. */
  committedAt: number;
  /** Which life of each circuit it began in. */
  readonly epochs: ReadonlyMap<ShadowCircuit, number>;
  /** The half-open circuits it is a trial of. */
  readonly trialOf: readonly ShadowCircuit[];
}

/** What came of it: one of these a call. */
export type Came =
  | { readonly how: 'answer'; readonly said: readonly Said[] }
  | { readonly how: 'fault'; readonly verdict: Verdict; readonly rule: string; readonly gotThere: boolean }
  /** The client went away, or the process ended. */
  | { readonly how: 'abandoned' };
