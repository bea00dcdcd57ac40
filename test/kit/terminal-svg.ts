/** Screens of a terminal as one SVG: a word that stays is written once, words that change take turns. */

export interface Shot {
  /** Since the first, ms. */
  readonly at: number;
  /** The screen as tmux gives it, colours as escape sequences. */
  readonly screen: string;
}

interface Style {
  readonly colour: string | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly inverse: boolean;
}

interface Run {
  readonly column: number;
  readonly text: string;
  readonly style: Style;
}

const cell = { width: 8.4, height: 18 } as const;
const margin = 12;
const paper = '#11151c';
const ink = '#d5dbe3';
/** Told apart by people who do not see red and green as others do; the words say it anyway. */
const palette = [
  '#5c6370',
  '#f0716b',
  '#7fc97f',
  '#e6c35c',
  '#7aa9f7',
  '#c792ea',
  '#56c7d6',
  '#d5dbe3',
] as const;
const plain: Style = { colour: undefined, bold: false, dim: false, inverse: false };

/** `poster`: which shot is seen where nothing moves. */
export function terminalSvg(shots: readonly Shot[], columns: number, poster = shots.length - 1): string {
  const rows = Math.max(...shots.map(({ screen }) => screen.split('\n').length));
  const total = (shots.at(-1)?.at ?? 0) + 1_000;
  const width = round(2 * margin + columns * cell.width);
  const height = round(2 * margin + rows * cell.height);
  // What is drawn, to the shots in which it is seen.
  const drawn = new Map<string, Set<number>>();
  shots.forEach(({ screen }, at) => {
    screen.split('\n').forEach((line, row) => {
      for (const run of runs(line)) {
        const text = runText(run, row);
        if (text !== '') drawn.set(text, (drawn.get(text) ?? new Set()).add(at));
      }
    });
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${ink};white-space:pre}.b{font-weight:bold}.d{opacity:.6}</style>`,
    `<rect width="100%" height="100%" rx="8" fill="${paper}"/>`,
    ...[...drawn].map(([text, seen]) => turn(text, seen, shots, poster, total)),
    '</svg>',
    '',
  ].join('\n');
}

/** Base values are those of the poster, for viewers that move nothing. */
function turn(
  text: string,
  seen: ReadonlySet<number>,
  shots: readonly Shot[],
  poster: number,
  total: number,
): string {
  if (seen.size === shots.length) return text;
  const changes = shots.flatMap(({ at }, index) =>
    index === 0 || seen.has(index) !== seen.has(index - 1)
      ? [{ time: round(at / total, 4), value: seen.has(index) ? 'visible' : 'hidden' }]
      : [],
  );
  const values = changes.map(({ value }) => value).join(';');
  const times = changes.map(({ time }) => time).join(';');
  const animate = `<animate attributeName="visibility" calcMode="discrete" values="${values}" keyTimes="${times}" dur="${total / 1000}s" repeatCount="indefinite"/>`;
  return `<g visibility="${seen.has(poster) ? 'visible' : 'hidden'}">${animate}${text}</g>`;
}

function runText({ column, text, style }: Run, row: number): string {
  const { colour = ink, bold, dim, inverse } = style;
  const x = round(margin + column * cell.width);
  const y = margin + row * cell.height;
  const width = round([...text].length * cell.width);
  const plate = inverse
    ? `<rect x="${x}" y="${y}" width="${width}" height="${cell.height}" fill="${colour}"/>`
    : '';
  if (text.trim() === '') return plate;
  const classes = `${bold ? 'b' : ''}${dim ? ' d' : ''}`.trim();
  const named = classes === '' ? '' : ` class="${classes}"`;
  const shown = inverse ? paper : colour;
  const fill = shown === ink ? '' : ` fill="${shown}"`;
  return `${plate}<text x="${x}" y="${y + 13}" textLength="${width}"${named}${fill}>${escaped(text)}</text>`;
}

// A sequence or a letter. Built from text: a control character has no place in a pattern.
const tokens = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m|([^])`, 'gu');

/** Letters of one style that stand together; signs stand alone, so that another font cannot move what follows. */
function runs(text: string): readonly Run[] {
  const found: { column: number; text: string; style: Style }[] = [];
  let style = plain;
  let column = 0;
  for (const [, codes, letter = ''] of text.matchAll(tokens)) {
    if (codes !== undefined) {
      style = codes.split(';').reduce(styled, style);
      continue;
    }
    const last = found.at(-1);
    const same = last?.style === style && isPlain(last.text) === isPlain(letter);
    if (last !== undefined && same) last.text += letter;
    else found.push({ column, text: letter, style });
    column += 1;
  }
  return found.flatMap(words);
}

/** A plate is one piece; other runs are cut where there is room between words, and blanks are not drawn. */
function words(run: Run): readonly Run[] {
  if (run.style.inverse) return [run];
  return [...run.text.matchAll(/\S+(?: \S+)*/g)].map(match => ({
    ...run,
    column: run.column + [...run.text.slice(0, match.index)].length,
    text: match[0],
  }));
}

function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

function styled(style: Style, code: string): Style {
  const number = Number(code);
  if (number === 0) return plain;
  if (number === 1) return { ...style, bold: true };
  if (number === 2) return { ...style, dim: true };
  if (number === 7) return { ...style, inverse: true };
  if (number === 22) return { ...style, bold: false, dim: false };
  if (number === 27) return { ...style, inverse: false };
  if (number === 39) return { ...style, colour: undefined };
  if (number >= 30 && number <= 37) return { ...style, colour: palette[number - 30] };
  return style;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}
