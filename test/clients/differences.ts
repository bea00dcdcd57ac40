import type { Row } from './session.ts';

export function differencesText(rows: readonly Row[]): string {
  return rows
    .flatMap(row => row.differences)
    .map(
      ({ client, call, what, direct, through }) =>
        `${client}: ${call}: ${what}\n  direct:  ${direct}\n  through: ${through}`,
    )
    .join('\n');
}
