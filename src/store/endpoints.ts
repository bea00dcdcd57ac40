import type { Database } from 'better-sqlite3';
import type { EndpointSettings } from '../core/chain.ts';
import type { Put } from './group-commit.ts';

/** An endpoint that an operator added while the gateway ran. */
export interface RuntimeEndpoint {
  readonly chain: string;
  readonly settings: EndpointSettings;
  /** Wall clock, ms. */
  readonly addedAt: number;
}

/** One switch an operator has set on an endpoint of the file or of the store; `value` is 0 or 1 but for a weight. */
export interface Override {
  readonly chain: string;
  readonly endpoint: string;
  readonly what: 'weight' | 'disabled' | 'draining';
  readonly value: number;
  /** Wall clock, ms. */
  readonly madeAt: number;
  /** Wall clock, ms, when it ends by itself. */
  readonly until?: number;
}

/** `all` answers from memory; a change resolves when it is on disk. */
export interface EndpointStore {
  all(): readonly RuntimeEndpoint[];
  put(endpoint: RuntimeEndpoint): Promise<void>;
  /** With its overrides, so that a later endpoint of that name starts without them. */
  remove(chain: string, name: string): Promise<void>;
}

export interface OverrideStore {
  all(): readonly Override[];
  put(override: Override): Promise<void>;
  remove(chain: string, endpoint: string, what: Override['what']): Promise<void>;
}

interface EndpointRow {
  chain: string;
  name: string;
  url: string;
  headers: string;
  settings: string;
  added: number;
}

interface OverrideRow {
  chain: string;
  endpoint: string;
  what: Override['what'];
  value: number;
  made: number;
  until: number | null;
}

export function endpointWrites(db: Database) {
  const put = db.prepare(
    `INSERT INTO endpoint VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
      url = excluded.url, headers = excluded.headers, settings = excluded.settings, added = excluded.added`,
  );
  const remove = db.prepare('DELETE FROM endpoint WHERE chain = ? AND name = ?');
  const removeOverrides = db.prepare('DELETE FROM override WHERE chain = ? AND endpoint = ?');
  const putOverride = db.prepare(
    `INSERT INTO override VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
      value = excluded.value, made = excluded.made, until = excluded.until`,
  );
  const removeOverride = db.prepare('DELETE FROM override WHERE chain = ? AND endpoint = ? AND what = ?');
  return {
    putEndpoint({ chain, settings, addedAt }: RuntimeEndpoint): void {
      const { name, url, headers, ...rest } = settings;
      put.run(chain, name, url, JSON.stringify(headers), JSON.stringify(rest), addedAt);
    },
    removeEndpoint({ chain, name }: { chain: string; name: string }): void {
      remove.run(chain, name);
      removeOverrides.run(chain, name);
    },
    putOverride({ chain, endpoint, what, value, madeAt, until }: Override): void {
      putOverride.run(chain, endpoint, what, value, madeAt, until ?? null);
    },
    removeOverride({ chain, endpoint, what }: Pick<Override, 'chain' | 'endpoint' | 'what'>): void {
      removeOverride.run(chain, endpoint, what);
    },
  };
}

export function allEndpoints(db: Database): RuntimeEndpoint[] {
  const rows = db.prepare<[], EndpointRow>('SELECT * FROM endpoint ORDER BY added, chain, name').all();
  return rows.map(({ chain, name, url, headers, settings, added }) => ({
    chain,
    settings: { ...JSON.parse(settings), name, url, headers: JSON.parse(headers) },
    addedAt: added,
  }));
}

export function allOverrides(db: Database): Override[] {
  const rows = db.prepare<[], OverrideRow>('SELECT * FROM override').all();
  return rows.map(({ made, until, ...row }) => ({
    ...row,
    madeAt: made,
    ...(until === null ? {} : { until }),
  }));
}

export function endpointStores(
  put: Put,
  known: { endpoints: readonly RuntimeEndpoint[]; overrides: readonly Override[] },
): { endpoints: EndpointStore; overrides: OverrideStore } {
  let endpoints = known.endpoints;
  let overrides = known.overrides;
  return {
    endpoints: {
      all: () => endpoints,
      async put(endpoint) {
        await put('putEndpoint', endpoint);
        endpoints = [
          ...endpoints.filter(other => !isCalled(other, endpoint.chain, endpoint.settings.name)),
          endpoint,
        ];
      },
      async remove(chain, name) {
        await put('removeEndpoint', { chain, name });
        endpoints = endpoints.filter(other => !isCalled(other, chain, name));
        overrides = overrides.filter(other => other.chain !== chain || other.endpoint !== name);
      },
    },
    overrides: {
      all: () => overrides,
      async put(override) {
        await put('putOverride', override);
        overrides = [...overrides.filter(other => !isSameSwitch(other, override)), override];
      },
      async remove(chain, endpoint, what) {
        await put('removeOverride', { chain, endpoint, what });
        overrides = overrides.filter(other => !isSameSwitch(other, { chain, endpoint, what }));
      },
    },
  };
}

function isCalled(endpoint: RuntimeEndpoint, chain: string, name: string): boolean {
  return endpoint.chain === chain && endpoint.settings.name === name;
}

function isSameSwitch(a: Override, b: Pick<Override, 'chain' | 'endpoint' | 'what'>): boolean {
  return a.chain === b.chain && a.endpoint === b.endpoint && a.what === b.what;
}
