import fc from 'fast-check';
import { type RouteInput, routes } from '../../src/api/contract.ts';
import { OperatorError } from '../../src/core/errors.ts';
import type { ConfigFile } from '../kit/gateway.ts';
import { type Here, startHere } from './here.ts';

/**
 * Any life of a daemon under operators' commands: in any order, several at once, with reloads and restarts in between,
 * against the real handlers over the real socket. What must hold after every step is in `mustHold`.
 */

type Command =
  | { readonly do: 'add'; readonly input: Omit<RouteInput<'endpointAdd'>, 'chain'> }
  | { readonly do: 'set'; readonly input: Omit<RouteInput<'endpointSet'>, 'chain'> }
  | {
      readonly do: 'drain' | 'disable' | 'enable' | 'remove';
      readonly input: Omit<RouteInput<'endpointDrain'>, 'chain'>;
    }
  | { readonly do: 'reload'; readonly file: number };

/** Commands that are given at once, or a restart on one of the files. */
type Step = readonly Command[] | { readonly restart: number };

/** Loopback addresses of the allowlist, and others that must never be in a pool. Nothing listens at any of them. */
const port = 9;
const url = (host: string): string => `http://${host}:${port}/x`;
const wide = ['127.0.0.11', '127.0.0.12', '127.0.0.13'];
const never = ['127.0.0.99', '10.99.0.1'];

const endpoint = (name: string, host: string, weight: number, more: object = {}) => ({
  name,
  url: url(host),
  weight,
  allowPrivate: true,
  ...more,
});

const file = (endpoints: readonly object[], hosts: readonly string[]): ConfigFile => ({
  chains: {
    local: {
      family: 'evm',
      chainId: 31337,
      probes: { interval: '1h' },
      timeouts: { connect: '100ms' },
      endpoints,
      allowedHosts: hosts.map(host => ({ host: `${host}:${port}`, allowPrivate: true })),
    },
  },
});

/** Its names and URLs are those of no endpoint that is ever added. */
const spare = file([endpoint('f3', '127.0.0.3', 40)], wide.slice(1));
/** Files an administrator might write one after the other. */
const files: readonly ConfigFile[] = [
  file([endpoint('f1', '127.0.0.1', 60), endpoint('f2', '127.0.0.2', 50)], wide),
  file([endpoint('f1', '127.0.0.1', 5), endpoint('f2', '127.0.0.2', 3)], wide),
  file([endpoint('f1', '127.0.0.1', 60), endpoint('f2', '127.0.0.2', 50)], wide.slice(0, 1)),
  file([endpoint('f1', '127.0.0.1', 100), endpoint('f2', '127.0.0.2', 0)], [...wide, ...never]),
  file([endpoint('f1', '127.0.0.1', 15, { disabled: true }), endpoint('f2', '127.0.0.2', 1)], wide),
  spare,
];

const name = fc.constantFrom('f1', 'f2', 'r1', 'r2', 'r3');
const weightText = fc.oneof(
  fc.integer({ min: -5, max: 120 }).map(String),
  fc.integer({ min: 0, max: 120 }).map(by => `+${by}`),
  fc.integer({ min: 0, max: 120 }).map(by => `-${by}`),
  fc.integer({ min: 0, max: 999 }).map(share => `${share}%`),
);
// Longer than any life here: what an end brings back is not what a command did.
const forMs = fc.option(fc.constant(3_600_000), { nil: undefined });
const seldom = fc.nat(9).map(n => n === 0);
const flags = { force: fc.boolean(), dryRun: seldom };
const settings = {
  roles: fc.option(fc.subarray(['read', 'broadcast', 'history'] as const, { minLength: 1 }), {
    nil: undefined,
  }),
  broadcast: fc.option(fc.constantFrom('prefer', 'allow', 'never'), { nil: undefined }),
};

/** Absent keys in place of undefined ones. */
function some<T extends object>(value: T): T {
  // Only members without a value go.
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        name,
        url: fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom(...wide).map(url) },
          { weight: 1, arbitrary: fc.constantFrom(...never).map(url) },
          {
            weight: 1,
            arbitrary: fc.constantFrom('http://127.0.0.11:10/x', 'http://127.1:9/', 'https://a@b/'),
          },
        ),
        weight: fc.option(fc.integer({ min: -5, max: 120 }), { nil: undefined }),
        dryRun: flags.dryRun,
        ...settings,
      })
      .map((input): Command => ({ do: 'add', input: some(input) })),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        name,
        weight: fc.option(weightText, { nil: undefined }),
        forMs,
        reset: seldom,
        ...flags,
        ...settings,
      })
      .map((input): Command => ({ do: 'set', input: some(input) })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom('drain', 'disable', 'disable', 'disable', 'enable', 'remove'),
        fc.record({ name, forMs, ...flags }),
      )
      .map(([verb, input]): Command => ({ do: verb, input: some(input) })),
  },
  { weight: 1, arbitrary: fc.nat(files.length - 1).map((at): Command => ({ do: 'reload', file: at })) },
);

export const life: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.array(command, { minLength: 1, maxLength: 5 }) },
    { weight: 2, arbitrary: fc.nat(files.length - 1).map(restart => ({ restart })) },
  ),
  { minLength: 3, maxLength: 14 },
);

/** Goes through it; throws when something that must hold does not. */
export async function live(steps: readonly Step[]): Promise<void> {
  let atStart = files[0];
  const here = await startHere(files[0] ?? {});
  /** Hosts that some allowlist had when a command could have used them. */
  const known = new Set(hostsOf(atStart));
  let before = await mustHold(here, hostsOf(atStart), known);
  try {
    for (const step of steps) {
      if ('restart' in step) {
        await here.stop();
        atStart = await startOn(here, files[step.restart]);
      } else {
        await Promise.all(step.map(each => give(here, each)));
      }
      for (const host of hostsOf(atStart)) known.add(host);
      const after = await mustHold(here, hostsOf(atStart), known);
      const byCommands = !('restart' in step) && !step.some(each => each.do === 'reload');
      if (byCommands && before.fileServes && !after.fileServes && after.runtimeWants)
        throw new Error('commands switched off what the config has, beside runtime endpoints');
      before = after;
    }
  } finally {
    await here.remove();
  }
}

/** Gives the file it runs with. A file with the name of a runtime endpoint is refused; its operator then takes `spare`. */
async function startOn(here: Here, wanted: ConfigFile | undefined): Promise<ConfigFile | undefined> {
  await here.write(wanted ?? {});
  try {
    await here.start();
    return wanted;
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code !== 'conflict') throw error;
  }
  await here.write(spare);
  await here.start();
  return spare;
}

/** A refusal is an answer; anything else is a fault of the daemon. */
async function give(here: Here, given: Command): Promise<void> {
  const { api } = here;
  try {
    if (given.do === 'reload') {
      await here.write(files[given.file] ?? {});
      await api.ask('reload', {});
    } else if (given.do === 'add') await api.ask('endpointAdd', { chain: 'local', ...given.input });
    else if (given.do === 'set') await api.ask('endpointSet', { chain: 'local', ...given.input });
    else {
      const { forMs: span, ...plain } = given.input;
      const input = { chain: 'local', ...plain };
      if (given.do === 'drain') await api.ask('endpointDrain', { ...input, ...some({ forMs: span }) });
      else if (given.do === 'disable')
        await api.ask('endpointDisable', { ...input, ...some({ forMs: span }) });
      else if (given.do === 'enable') await api.ask('endpointEnable', input);
      else await api.ask('endpointRemove', input);
    }
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code === 'daemon_fault') throw error;
  }
}

/** What the allowlist of the process is, by the file it was started with. */
function hostsOf(config: ConfigFile | undefined): readonly string[] {
  return [...JSON.stringify(config).matchAll(/127\.0\.0\.\d+|10\.99\.0\.1/g)].map(([host]) => host);
}

interface Seen {
  /** An endpoint of the file may get traffic. */
  readonly fileServes: boolean;
  /** So would one added at runtime, if it weighed what it was given. */
  readonly runtimeWants: boolean;
}

async function mustHold(here: Here, allowed: readonly string[], known: ReadonlySet<string>): Promise<Seen> {
  const status = routes.status.output.parse(await here.api.ask('status', {}));
  const [chain] = status.chains;
  if (chain === undefined) throw new Error('the chain is gone');
  const serves = ({ gates }: (typeof chain.endpoints)[number]): boolean =>
    !gates.some(({ name: gate }) => ['disabled', 'draining', 'weight_zero'].includes(gate));
  const names = chain.endpoints.map(each => each.name);
  if (new Set(names).size !== names.length) throw new Error(`one name, two endpoints: ${names.join(', ')}`);
  const ofFile = chain.endpoints.filter(({ origin }) => origin === 'file');
  const added = chain.endpoints.filter(({ origin }) => origin === 'runtime');
  const highest = Math.max(0, ...ofFile.filter(serves).map(({ weight }) => weight));
  for (const { name: who, weight, host } of added) {
    if (weight > 20) throw new Error(`${who} weighs ${weight}, over 20`);
    if (ofFile.length > 0 && weight > 0 && weight >= highest)
      throw new Error(`${who} weighs ${weight}, not below ${highest}`);
    const { hostname, port: at } = new URL(host);
    if (!allowed.includes(hostname) || Number(at) !== port) throw new Error(`${who} is at ${host}`);
  }
  if (ofFile.length > 0 && added.some(serves) && !ofFile.some(serves))
    throw new Error('runtime endpoints are left alone');

  for (const row of here.rows('endpoint')) {
    const { hostname, port: at } = new URL(String(row.url));
    if (!known.has(hostname) || Number(at) !== port) throw new Error(`stored: ${row.name} at ${hostname}`);
    const stored = JSON.parse(String(row.settings));
    if (stored.weight > 20 || stored.origin !== 'runtime' || stored.broadcast === 'prefer')
      throw new Error(`stored: ${row.name} with ${row.settings}`);
    const used = added.find(({ name: who }) => who === row.name);
    if (used !== undefined && used.host !== `http://${hostname}:${at}`)
      throw new Error(`${row.name} is at ${used.host}, stored is ${hostname}`);
    const shown = used !== undefined;
    const told = chain.notes.some(note => note.startsWith(`${row.name}, added at runtime, is not used`));
    if (shown === told)
      throw new Error(`${row.name} is ${shown ? 'used and withheld' : 'neither used nor told of'}`);
  }
  const verdict = await here.api.ask('auditVerify', {});
  if (!verdict.sound) throw new Error('the audit does not hold');
  const wants = await Promise.all(
    added.map(async each => {
      const detail = await here.api.ask('endpointShow', { chain: 'local', name: each.name });
      const given = detail.overrides.find(({ what }) => what === 'weight')?.value ?? detail.settings.weight;
      return given > 0 && !each.gates.some(({ name: gate }) => gate === 'disabled' || gate === 'draining');
    }),
  );
  return { fileServes: ofFile.some(serves), runtimeWants: wants.includes(true) };
}
