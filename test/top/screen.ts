/** What a terminal shows of what was written to it: as much of one as the dashboard uses. */

export interface Shown {
  write(text: string): void;
  resize(columns: number, rows: number): void;
  readonly text: () => string;
}

// Text and sequences, one at a time. Built from text: a control character has no place in a pattern.
const tokens = new RegExp(`${String.fromCharCode(27)}\\[([?\\d;]*)([A-Za-z])|([^])`, 'gu');

export function shownScreen(columns: number, rows: number): Shown {
  let width = columns;
  let height = rows;
  let lines: string[][] = [];
  let x = 0;
  let y = 0;

  function down(): void {
    y += 1;
    if (y < height) return;
    y = height - 1;
    lines.shift();
  }

  function put(letter: string): void {
    // A terminal wraps when the letter after the last column comes.
    if (x >= width) {
      x = 0;
      down();
    }
    const line = lines[y] ?? [];
    lines[y] = line;
    while (line.length < x) line.push(' ');
    line[x] = letter;
    x += 1;
  }

  function obey(given: string, final: string): void {
    const count = Number(given === '' ? 1 : given);
    if (given.startsWith('?') || final === 'm') {
      if (given === '?1049h') lines = [];
      return;
    }
    switch (final) {
      case 'A':
        y = Math.max(0, y - count);
        return;
      case 'B':
        y = Math.min(height - 1, y + count);
        return;
      case 'C':
        x += count;
        return;
      case 'E':
        y = Math.min(height - 1, y + count);
        x = 0;
        return;
      case 'G':
        x = count - 1;
        return;
      case 'H': {
        const [row = 1, column = 1] = given.split(';').filter(Boolean).map(Number);
        y = row - 1;
        x = column - 1;
        return;
      }
      case 'J':
        lines = lines.slice(0, y + 1);
        lines[y] = (lines[y] ?? []).slice(0, x);
        return;
      case 'K':
        lines[y] = given === '2' ? [] : (lines[y] ?? []).slice(0, x);
        return;
      default:
        throw new Error(`the dashboard wrote a sequence that is not known here: ${given}${final}`);
    }
  }

  return {
    write(text) {
      for (const [, given = '', final, letter] of text.matchAll(tokens)) {
        if (final !== undefined) obey(given, final);
        else if (letter === '\n') {
          x = 0;
          down();
        } else if (letter === '\r') x = 0;
        else put(letter ?? '');
      }
    },
    resize(nextColumns, nextRows) {
      width = nextColumns;
      height = nextRows;
      lines = lines.slice(-nextRows);
      y = Math.min(y, nextRows - 1);
    },
    text: () => Array.from({ length: height }, (_, at) => (lines[at] ?? []).join('').trimEnd()).join('\n'),
  };
}
