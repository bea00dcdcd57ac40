/** A part of a list that fits, around the row that matters: half-open, from `from` to `to`. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

export function shownWindow(total: number, room: number, at: number): Window {
  const size = Math.max(0, Math.min(total, room));
  const from = Math.max(0, Math.min(total - size, at - Math.floor(size / 2)));
  return { from, to: from + size };
}

/** '' when all is shown. */
export function windowNote({ from, to }: Window, total: number): string {
  return to - from >= total ? '' : `${from + 1}-${to} of ${total}`;
}
