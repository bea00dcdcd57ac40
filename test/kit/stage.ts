import { afterAll } from 'vitest';
import { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts';
import {
  type ConfigFile,
  type Gateway,
  type GatewayOptions,
  type Place,
  preparePlace,
  startGateway,
} from './gateway.ts';
import { startUpstream, type Upstream, type UpstreamOptions } from './upstream.ts';

/** What the tests of one block start; all of it ends after the last of them, newest first. */
export function stage() {
  const ends: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    const faults: unknown[] = [];
    for (const end of ends.reverse()) await end().catch((fault: unknown) => faults.push(fault));
    if (faults.length > 0) throw new AggregateError(faults, 'not everything ended');
  });
  return {
    async anvil(options?: AnvilOptions): Promise<Anvil> {
      const node = await startAnvil(options);
      ends.push(() => node.kill());
      return node;
    },
    async upstream(options?: UpstreamOptions): Promise<Upstream> {
      const upstream = await startUpstream(options);
      ends.push(() => upstream.close());
      return upstream;
    },
    async upstreams(count: number, options?: UpstreamOptions): Promise<Upstream[]> {
      const all: Upstream[] = [];
      for (let n = 0; n < count; n += 1) all.push(await this.upstream(options));
      return all;
    },
    async place(config: ConfigFile): Promise<Place> {
      const place = await preparePlace(config);
      ends.push(place.remove);
      return place;
    },
    async gateway(config: ConfigFile, options: GatewayOptions = {}): Promise<Gateway> {
      // Its folder goes with the rest even when it does not start.
      const place = options.place ?? (await this.place(config));
      const gateway = await startGateway(config, { ...options, place });
      ends.push(() => gateway.remove());
      return gateway;
    },
    /** Ends with the rest. */
    after(end: () => Promise<unknown>): void {
      ends.push(end);
    },
  };
}

/** For tests that wait for what probes find. Served all the same when a busy machine makes an endpoint look silent. */
export const askedOften = { probes: { interval: '500ms' }, lastResort: 'stale' };

/** An EVM chain of id 31337, its endpoints taken in this order. */
export function chainOf(
  endpoints: Readonly<Record<string, { readonly url: string }>>,
  more: Readonly<Record<string, unknown>> = {},
): ConfigFile {
  return {
    family: 'evm',
    chainId: 31337,
    strategy: 'priority',
    endpoints: Object.entries(endpoints).map(([name, { url }]) => ({ name, url, allowPrivate: true })),
    ...more,
  };
}
