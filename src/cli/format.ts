/** Tables and small texts as every command prints them: upper-case headers, two spaces between columns, no borders. */

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  readonly right?: true;
  /** May be cut with `…` when the terminal is narrow; others are kept whole. */
  readonly cut?: true;
  /** Left out when the terminal is too narrow for all of them: the highest number first. */
  readonly drop?: number;
}

/** `width` undefined: not a terminal, so nothing is cut or left out and the last column is not padded. */
export function table<Row>(rows: readonly Row[], all: readonly Column<Row>[], width?: number): string {
  const measured = all.map(column => {
    const texts = rows.map(row => column.value(row));
    return { column, texts, wide: Math.max(column.title.length, ...texts.map(text => [...text].length)) };
  });
  const kept = width === undefined ? measured : narrowed(measured, width);
  const columns = kept.map(({ column }) => column);
  const widths = kept.map(({ wide }) => wide);
  const cells = rows.map((_, row) => kept.map(({ texts }) => texts[row] ?? ''));
  if (width !== undefined) shrink(widths, columns, width);
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, at) => padded(text, widths[at] ?? 0, columns[at]?.right === true, at === texts.length - 1))
      .join('  ')
      .trimEnd();
  return [line(columns.map(column => column.title)), ...cells.map(line)].join('\n');
}

interface Measured {
  readonly column: { readonly cut?: true; readonly drop?: number; readonly title: string };
  readonly wide: number;
}

/** Without as many columns as must go, each counted at the least it can be cut to. */
function narrowed<M extends Measured>(all: readonly M[], width: number): readonly M[] {
  const least = ({ column, wide }: Measured): number =>
    column.cut ? Math.min(wide, Math.max(column.title.length, 8)) : wide;
  let kept = all;
  while (kept.reduce((sum, each) => sum + least(each) + 2, -2) > width) {
    const first = kept.reduce<M | undefined>(
      (best, each) => ((each.column.drop ?? 0) > (best?.column.drop ?? 0) ? each : best),
      undefined,
    );
    if (first === undefined) return kept;
    kept = kept.filter(each => each !== first);
  }
  return kept;
}

function shrink(widths: number[], columns: readonly Measured['column'][], width: number): void {
  let over = widths.reduce((sum, each) => sum + each, 2 * (widths.length - 1)) - width;
  columns.forEach((column, at) => {
    const now = widths[at] ?? 0;
    if (!column.cut || over <= 0) return;
    const next = Math.max(column.title.length, 8, now - over);
    widths[at] = next;
    over -= now - next;
  });
}

function padded(text: string, width: number, right: boolean, last: boolean): string {
  const letters = [...text];
  if (letters.length > width) return `${letters.slice(0, Math.max(0, width - 1)).join('')}…`;
  const pad = ' '.repeat(width - letters.length);
  return right ? pad + text : last ? text : text + pad;
}

/** JSON from elsewhere on a terminal: what would move a cursor, colour or turn a line is written as an escape. */
export function withoutControls(json: string): string {
  return json.replace(/[^\P{Cc}\n\t]|[\p{Cf}\u2028\u2029]/gu, escaped);
}

/** As JSON has it: a letter beyond U+FFFF is two escapes. */
function escaped(letter: string): string {
  return letter
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** `-` for what is not known: tables only, never in JSON. */
export function orDash(value: number | string | null | undefined, digits?: number): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'number' ? (digits === undefined ? String(value) : value.toFixed(digits)) : value;
}

export function ms(value: number | null): string {
  if (value === null) return '-';
  return value < 10
    ? `${value.toFixed(1)}ms`
    : value < 10_000
      ? `${Math.round(value)}ms`
      : `${(value / 1000).toFixed(1)}s`;
}

/** A span as people say it: `42s`, `6m`, `3h`, `2d`. */
export function span(spanMs: number): string {
  const seconds = Math.max(0, Math.round(spanMs / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)}h`;
  return `${Math.round(seconds / 86_400)}d`;
}

export function thousands(value: number | null): string {
  return value === null ? '-' : String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
