/** The known name that a mistyped one most likely meant. */

/** Undefined when nothing is near enough to be meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name);
  let best: string | undefined;
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const steps = distance(wanted, plain(candidate));
    if (steps < least) {
      least = steps;
      best = candidate;
    }
  }
  return best;
}

/** `max_latency`, `max-latency` and `MaxLatency` are all meant to be `maxLatency`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Letters added, lost, changed, or two neighbours swapped. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        cell(last, j) + 1,
        cell(row, j - 1) + 1,
        cell(last, j - 1) + (same ? 0 : 1),
        swapped ? cell(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = row;
  }
  return cell(last, b.length);
}

function cell(row: readonly number[], at: number): number {
  return row[at] ?? Number.POSITIVE_INFINITY;
}
