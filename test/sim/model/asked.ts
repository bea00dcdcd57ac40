import type { SimCall } from '../family.ts';
import type { Came, Try } from './attempt.ts';
import type { ShadowCircuit } from './circuit.ts';
import type { Shadow } from './endpoint.ts';

/** One client request as the referee sees it: what it asked for, what was tried for it, what it got. */
export interface Asked {
  readonly id: string;
  readonly call: SimCall;
  readonly startedAt: number;
  readonly deadlineAt: number;
  /** It lives on the endpoint that made it. */
  readonly only: Shadow | undefined;
  /** An item of a batch: it is placed together with the others. */
  readonly batched: boolean;
  readonly tries: Tried[];
  /** Where items of its batch failed. */
  readonly failedAt: { readonly shadow: Shadow; readonly circuit: ShadowCircuit }[];
  /** Its attempts are in flight. */
  running: number;
  gone: boolean;
  over: boolean;
  /** What `standing` sees: an endpoint answered that it does not keep it. */
  missing: boolean;
}

export interface Tried {
  readonly try: Try;
  came: Came | undefined;
  /** What it means for this request: its own item of the answer. */
  verdict: string | undefined;
  rule: string | undefined;
  endedAt: number;
}

/** The tries that came to something. */
export function ended(asked: Asked): readonly Tried[] {
  return asked.tries.filter(tried => tried.verdict !== undefined);
}
