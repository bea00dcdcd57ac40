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
}
