/** A saved `curl -i` text: status line, headers, an empty line, the body. Undefined when it is not one. */

export interface SavedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function parseCurl(text: string): SavedResponse | undefined {
  const lines = text.split('\n');
  let at = 0;
  let found: { status: number; headers: Record<string, string> } | undefined;
  // `curl -i` shows interim answers (100 Continue) and those before a redirect too; the last head counts.
  for (;;) {
    const status = /^HTTP\/[\d.]+ (\d{3})/.exec(lines[at] ?? '')?.[1];
    if (status === undefined) break;
    const headers: Record<string, string> = {};
    for (at += 1; at < lines.length; at += 1) {
      const line = (lines[at] ?? '').replace(/\r$/, '');
      if (line === '') break;
      const colon = line.indexOf(':');
      if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
    }
    at += 1;
    found = { status: Number(status), headers };
  }
  return found === undefined ? undefined : { ...found, body: lines.slice(at).join('\n') };
}
