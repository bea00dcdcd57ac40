/** One row of comma-separated values (RFC 4180). */
export function csvLine(values: readonly (string | number | null)[]): string {
  return values.map(cell).join(',');
}

/** A spreadsheet takes a text that begins like this for a formula, and some of ours are what a client sent. */
const formula = /^[=+\-@\t\r]/;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
