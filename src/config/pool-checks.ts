/** What the endpoints of a pool say together, and with the rules for URLs, headers and hosts. */

import { headerFindings } from './headers.ts';
import { isPrivate, parseAllowedHost } from './hosts.ts';
import type { Finding, PathPart } from './problem.ts';
import { isTable } from './table.ts';
import { urlFaults } from './url.ts';

type Path = readonly PathPart[];

export function poolFindings(at: Path, endpoints: readonly unknown[]): Finding[] {
  const found: Finding[] = [];
  const names = new Map<string, number>();
  const targets = new Map<string, number>();
  for (const [index, endpoint] of endpoints.entries()) {
    if (!isTable(endpoint)) continue;
    const path = [...at, index];
    const { name, url, headers } = endpoint;
    if (typeof name === 'string') {
      const first = names.get(name);
      if (first === undefined) names.set(name, index);
      else found.push({ path: [...path, 'name'], message: `endpoints[${first}] has this name already` });
    }
    if (isTable(headers)) found.push(...headerFindings([...path, 'headers'], Object.keys(headers)));
    if (typeof url !== 'string' || url === '') continue;
    for (const message of urlFaults(url, endpoint.allowPrivate === true))
      found.push({ path: [...path, 'url'], message });
    const target = `${URL.parse(url)?.href ?? url} ${headerKey(headers)}`;
    const twin = targets.get(target);
    if (twin === undefined) targets.set(target, index);
    else
      found.push({
        path: [...path, 'url'],
        message: `endpoints[${twin}] has the same URL and headers already`,
      });
  }
  return found;
}

function headerKey(headers: unknown): string {
  if (!isTable(headers)) return '[]';
  return JSON.stringify(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value])
      .sort(),
  );
}

export function hostFindings(at: Path, hosts: readonly unknown[]): Finding[] {
  return hosts.flatMap((entry, index): Finding[] => {
    const host = isTable(entry) ? entry.host : entry;
    const parsed = typeof host === 'string' ? parseAllowedHost(host) : '';
    if (typeof parsed === 'string' || !isPrivate(parsed.host)) return [];
    if (isTable(entry) && entry.allowPrivate === true) return [];
    const message = 'a private address needs allowPrivate: true';
    return [{ path: [...at, index], message, hint: 'in the form { host: …, allowPrivate: true }' }];
  });
}
