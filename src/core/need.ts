import type { HistoryKind, WorkClass } from './chain.ts';

/** What one request needs of the endpoint that is to answer it. Heights are in the family's own unit. */
export interface Need {
  readonly class: WorkClass;
  readonly method: string;
  /** The highest height the request names: an endpoint below it cannot know the answer. */
  readonly height?: number;
  /** The lowest height it names, and what must be kept there. */
  readonly history?: { readonly kind: HistoryKind; readonly height: number };
  /** Names something that cannot be placed in time (a block hash): only full history is sure to have it. */
  readonly unplaced?: HistoryKind;
  /**
   * The answer depends on the newest block. Set where the other members do not tell (a range that ends at the head); see
   * `dependsOnTip`.
   */
  readonly tip?: true;
  /** The same whichever block is the newest (a chain id, a hash of what the call brings): `dependsOnTip` is false. */
  readonly timeless?: true;
  /** What only the endpoint that took a transaction is sure to know: its sender's next nonce, what is pending. */
  readonly own?: true;
  /** Nobody below `height` will do, not even when nobody else is left. */
  readonly strict?: true;
}

/** A read that names no height and no hash is about the newest block, unless its method is about none. */
export function dependsOnTip(need: Omit<Need, 'class' | 'method'>): boolean {
  if (need.timeless) return false;
  if (need.tip) return true;
  return need.height === undefined && need.history === undefined && need.unplaced === undefined;
}
