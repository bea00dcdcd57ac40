/** How it stands with the daemon, on its own clock, ms. */
export type Link =
  | { readonly is: 'live'; readonly back?: Back }
  | { readonly is: 'lost'; readonly since: number; readonly why: string };

/** After a loss. */
export interface Back {
  readonly at: number;
  readonly afterMs: number;
  /** Another process than before: its counters began anew. */
  readonly restarted: boolean;
}
