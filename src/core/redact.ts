/**
 * What may be shown of a URL, and how an endpoint's own secrets are taken out of a text that came from elsewhere. A key
 * may stand in the path, the query, the credentials or a header; nodes and libraries like to repeat it in their errors.
 */

const shownProtocols = ['http:', 'https:', 'ws:', 'wss:'];

/** Scheme, host and port, nothing else. Never throws: what is no URL is not shown at all. */
export function shownUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !shownProtocols.includes(parsed.protocol)) return '(not a URL)';
  return `${parsed.protocol}//${parsed.host}`;
}

/**
 * A text with every URL in it cut to its host: what somebody typed may be told back to them, but whole URLs come into
 * wrong places by mistake, and from there into logs.
 */
export function withoutUrls(text: string): string {
  return text.replace(
    /(?<![a-z0-9+.-])([a-z0-9+.-]+:\/\/)([^\s/?#\\"'<>]*)([^\s"<>]*)/gi,
    (whole, scheme: string, host: string) => scheme + (whole.includes('@') ? '***' : host),
  );
}

/**
 * Path segments are often plain words (`/v3`, `/ext/bc/C/rpc`), the other places seldom: the shorter a text, the surer
 * it must be that it is a secret before it is taken out of a node's answer.
 */
const shortest = { path: 8, elsewhere: 6 };

/** Words that stand in URLs and headers and in honest answers alike. Names made only of these are no secrets. */
const plainWords = new Set(
  (
    'account api app application archive arbitrum avalanche base bearer blockchain broadcast bsc chain charset close confirmed ' +
    'content devnet endpoint ethereum evm execution ext finalized full gateway gzip holesky http https identity json jsonrpc ' +
    'latest ledger mainnet main beta network node nodes octet optimism plain polygon processed provider public read receipt ' +
    'region ripple sepolia service solana stream testnet text transaction tron utf validated version wallet walletsolidity xrpl'
  ).split(' '),
);

function isSecret(value: string, least: number): boolean {
  if (value.length < least) return false;
  // A short number stands in many answers as a number, which a mask would break.
  if (value.length < 12 && /^\d+$/.test(value)) return false;
  const words = value
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word.length > 2);
  return words.length === 0 || words.some(word => !plainWords.has(word));
}

/**
 * Everything in an endpoint's URL and headers that may be a secret, in each form in which it may come back. Ready for
 * `scrub`; never to be shown.
 */
export function secretsOf(url: string, headers: Readonly<Record<string, string>>): readonly string[] {
  const found = new Set<string>();
  const add = (value: string, least: number): void => {
    for (const form of forms(value)) if (isSecret(form, least)) found.add(form);
  };

  const { target, segments, values } = urlParts(url);
  for (const whole of target) add(whole, shortest.path);
  for (const segment of segments) add(segment, shortest.path);
  for (const value of values) add(value, shortest.elsewhere);

  for (const value of Object.values(headers)) {
    add(value, shortest.elsewhere);
    // `Bearer <key>`, `key=<key>; …`: the parts come back alone.
    for (const part of value.split(/[\s,;=]+/)) add(part, shortest.elsewhere);
    const basic = /^basic\s+([a-z0-9+/]+={0,2})$/i.exec(value)?.[1];
    for (const part of basic === undefined ? [] : fromBase64(basic).split(':')) add(part, shortest.elsewhere);
  }
  return [...found].sort((a, b) => b.length - a.length);
}

/** Takes every secret out of a text. Letter case does not matter: keys in hex come back in either. */
export function scrub(text: string, secrets: readonly string[]): string {
  const ranges = secrets.flatMap(secret => occurrences(text, secret)).sort((a, b) => a.from - b.from);
  if (ranges.length === 0) return text;
  // Ranges may overlap (a key and the path that holds it); only what lies outside all of them is kept.
  let clean = '';
  let end = -1;
  for (const { from, to } of ranges) {
    if (from > end) clean += `${text.slice(Math.max(end, 0), from)}***`;
    end = Math.max(end, to);
  }
  return clean + text.slice(end);
}

/**
 * What an endpoint says, as it may be shown and kept: without its secrets, on one line, cut. `more`: the text goes on where
 * nobody has looked, so that its end may be the beginning of a secret.
 */
export function saidText(text: string, secrets: readonly string[], most: number, more = false): string {
  const longest = more ? Math.max(0, ...secrets.map(secret => secret.length)) : 0;
  const clean = scrub(text, secrets);
  const sure = clean.slice(0, Math.max(0, clean.length - longest));
  // Text from elsewhere must not move a cursor, colour a screen, or turn a line around.
  const line = sure.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length > most || sure.length < clean.length ? `${line.slice(0, most)}…` : line;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function occurrences(text: string, secret: string): Range[] {
  const pattern = new RegExp(secret.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'), 'gi');
  const found: Range[] = [];
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found.push({ from: match.index, to: match.index + match[0].length });
    pattern.lastIndex = match.index + 1;
  }
  return found;
}

function urlParts(url: string): { target: string[]; segments: string[]; values: string[] } {
  if (!URL.canParse(url)) return { target: [url], segments: [], values: url.split(/[\s/?&=#@:]+/) };
  const { pathname, search, hash, username, password } = new URL(url);
  const query = search
    .slice(1)
    .split('&')
    .flatMap(pair => {
      const at = pair.indexOf('=');
      // `?<key>` without a value: the name is the key.
      return at < 0 ? [pair] : [pair.slice(at + 1)];
    });
  return {
    target: [pathname + search + hash, pathname, search],
    segments: pathname.split(/[/;]/),
    values: [...query, username, password, hash.slice(1)],
  };
}

/** As it stands, decoded, encoded, and as JSON writes these. */
function forms(value: string): string[] {
  const plain = [value, decoded(value), decoded(value.replaceAll('+', ' '))];
  const encoded = plain.flatMap(form => [
    form,
    encodeURIComponent(form.toWellFormed()),
    encodeURI(form.toWellFormed()),
  ]);
  return encoded.flatMap(form => {
    const json = JSON.stringify(form).slice(1, -1);
    return [form, json, json.replaceAll('/', '\\/')];
  });
}

function decoded(value: string): string {
  // Malformed escapes are left as they stand, as a URL leaves them.
  return value.replace(/(?:%[0-9a-f]{2})+/gi, escapes => {
    const bytes = Uint8Array.from(escapes.slice(1).split('%'), hex => Number.parseInt(hex, 16));
    return new TextDecoder().decode(bytes);
  });
}

function fromBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    // Not base64 after all: the value as it stands is taken out anyway.
    return '';
  }
}
