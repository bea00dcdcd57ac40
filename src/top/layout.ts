/** How many rows each pane gets: trouble first, then endpoints; broadcasts and events shrink first. */

export interface Wants {
  /** Rows of the terminal. */
  readonly rows: number;
  /** Rows of the foot. */
  readonly foot: number;
  readonly chains: number;
  readonly endpoints: number;
  /** Endpoints that have a reason to tell. */
  readonly reasons: number;
  readonly broadcasts: number;
  /** Of these, the ones whose outcome nobody knows. */
  readonly unknown: number;
}

/** Rows of content, titles and heads not counted; 0 for all but endpoints and their reasons: not shown at all. */
export interface Rooms {
  readonly chains: number;
  readonly endpoints: number;
  readonly reasons: number;
  readonly broadcasts: number;
  readonly events: number;
}

const headerRows = 3;
/** The title of a pane, and the heads of its columns. */
const titles = { chains: 2, endpoints: 2, broadcasts: 2, events: 1 } as const;
const fewEvents = titles.events + 2;

export function roomsOf(wants: Wants): Rooms {
  let left = wants.rows - headerRows - wants.foot - titles.endpoints;
  const take = (wanted: number): number => {
    const taken = Math.max(0, Math.min(wanted, left));
    left -= taken;
    return taken;
  };
  // A chain that is not seen may be the one in trouble, but half of the screen belongs to the endpoints; and in a small window what
  // the foot asks and tells is seen whole: a title with no row under it would push the first line out.
  const chainsTitle = left > titles.chains ? take(titles.chains) : 0;
  const chains =
    chainsTitle === 0 ? 0 : take(Math.min(Math.max(1, wants.chains), Math.max(1, Math.floor(left / 2))));
  // What may cost money is reserved before anything else, where a row of it fits; the header counts it anyway.
  const reserved =
    wants.unknown > 0 && left > titles.broadcasts ? take(titles.broadcasts + Math.min(2, wants.unknown)) : 0;
  const kept = left > 12 ? fewEvents : 0;
  const endpoints = take(Math.min(Math.max(1, wants.endpoints), left - kept));
  const reasons = take(Math.min(wants.reasons, left - kept));
  const title = reserved > 0 ? 0 : titles.broadcasts;
  const first = Math.max(0, reserved - titles.broadcasts);
  const more = Math.min(
    Math.max(1, wants.broadcasts) - first,
    Math.floor((left - titles.events - title) / 2),
  );
  const fits = more > 0 && left - title - more >= fewEvents;
  const broadcasts = first + (fits ? take(title + more) - title : 0);
  return { chains, endpoints, reasons, broadcasts, events: Math.max(0, take(left) - titles.events) };
}

/** Rows of text on a page that fills the screen. */
export function textRows(rows: number, foot: number): number {
  return Math.max(0, rows - headerRows - foot - 1);
}
