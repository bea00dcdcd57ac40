/** Tables that fit: widths are computed from the rows, and what matters least goes first when there is no room. */

import type { Span, Spans } from './line.tsx';
import { pad, widthOf } from './text.ts';

export interface Column<Row> {
  readonly title: string;
  /** `width` is what the cell may take, for what is drawn and not written. */
  readonly cell: (row: Row, width: number) => Span | string;
  readonly right?: true;
  /** Kept even when the rows need less: columns do not jump with each number. */
  readonly min?: number;
  /** Cut beyond. */
  readonly max?: number;
  /** The smallest goes first; absent: stays. */
  readonly drop?: number;
  /** Takes the room that is left, and is cut when there is none. */
  readonly grow?: true;
}

/** A column with its place in the line. */
interface Laid<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

export interface Layout<Row> {
  readonly laid: readonly Laid<Row>[];
  /** Spaces between two columns. */
  readonly gap: number;
}

/** Columns stand closer before one of them goes. `width` without the mark in front of each row. */
export function lay<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): Layout<Row> {
  const endless = !Number.isFinite(width);
  let laid = columns.map(column => ({ column, width: natural(column, rows, endless) }));
  const gap = total(laid, 2) <= width ? 2 : 1;
  while (total(laid, gap) > width) {
    const next = laid.reduce<Laid<Row> | undefined>(
      (least, each) => ((each.column.drop ?? Infinity) < (least?.column.drop ?? Infinity) ? each : least),
      undefined,
    );
    if (next === undefined) break;
    laid = laid.filter(each => each !== next);
  }
  const spare = width - total(laid, gap);
  return { laid: laid.map(each => (each.column.grow && !endless ? grown(each, spare) : each)), gap };
}

function grown<Row>({ column, width }: Laid<Row>, spare: number): Laid<Row> {
  return { column, width: Math.max(widthOf(column.title), width + spare) };
}

function natural<Row>(column: Column<Row>, rows: readonly Row[], endless: boolean): number {
  const { title, cell, min = 0, max = Infinity, grow } = column;
  const least = Math.max(widthOf(title), min);
  // A column that takes what is left is not measured: else one long note would push others out.
  if (grow && !endless) return least;
  return Math.min(
    endless ? Infinity : max,
    rows.reduce((most, row) => Math.max(most, widthOf(textOf(cell(row, least)))), least),
  );
}

function total(laid: readonly Laid<never>[], gap: number): number {
  return laid.reduce((sum, { width }) => sum + width + gap, -gap);
}

export function heads<Row>({ laid, gap }: Layout<Row>): Spans {
  return laid.map(({ column, width }, at) => ({
    text: pad(column.title, width, column.right) + (at < laid.length - 1 ? ' '.repeat(gap) : ''),
    tone: 'quiet',
  }));
}

export function cells<Row>({ laid, gap }: Layout<Row>, row: Row): Spans {
  return laid.map(({ column, width }, at) => {
    const cell = column.cell(row, width);
    const text = pad(textOf(cell), width, column.right) + (at < laid.length - 1 ? ' '.repeat(gap) : '');
    return typeof cell === 'string' ? { text } : { text, tone: cell.tone };
  });
}

function textOf(cell: Span | string): string {
  return typeof cell === 'string' ? cell : cell.text;
}
