import { beforeAll, describe, expect, it } from 'vitest';
import { runCampaign } from './campaign.ts';
import { everyCell, families, faultNames, type Kill, kills } from './cells.ts';
import type { Finding, Rule } from './check.ts';
import { seeded } from './seed.ts';

/**
 * Every family × fault × place of a kill, once, through the built program. `bench/faults.ts` does the same with thousands
 * of drawn ones.
 */

const places = kills.filter(kill => kill !== 'anywhere');

describe('a broadcast under every fault, with the gateway killed at every place', () => {
  let findings: readonly Finding[] = [];
  const of = (kill: Kill): readonly Finding[] => findings.filter(({ cell }) => cell.kill === kill);

  beforeAll(async () => {
    const cells = places.flatMap(kill => everyCell(kill));
    findings = await runCampaign({ subject: 'gateway', cells, wide: 4, tries: 8, chance: seeded(1) });
  }, 600_000);

  it.each(places)('killed: %s', kill => {
    expect(of(kill)).toHaveLength(everyCell(kill).length);
    const bad = of(kill).flatMap(({ cell: { family, fault }, violations }) =>
      violations.map(({ rule, detail }) => `${family}, ${fault}: ${rule}: ${detail}`),
    );
    expect(bad).toEqual([]);
    // Each was where it had to be when the signal came.
    expect(of(kill).filter(({ missed }) => missed)).toEqual([]);
  });

  it.each(['none', 'before the row', 'after the row'] as const)(
    'has every family × fault, killed: %s',
    kill => {
      const names = new Set(of(kill).map(({ cell }) => `${cell.family}, ${cell.fault}`));
      expect(names.size).toBe(families.length * faultNames.length);
    },
  );
});

describe('the same bench, pointed at a proxy that sends again on any failure', () => {
  it('sees it send twice, for each fault after which bytes may have arrived', async () => {
    // Of two clients at once it knows nothing; that is not what it is accused of here.
    const cells = everyCell('none').map(cell => ({ ...cell, joined: false }));
    const found = await runCampaign({ subject: 'proxy', cells, wide: 2, tries: 1, chance: seeded(1) });
    const broke = (rule: Rule) => found.filter(({ violations }) => violations.some(one => one.rule === rule));
    const twice = new Set(broke('sent twice').map(({ cell }) => cell.fault));
    expect([...twice].sort()).toEqual([
      '200 with a page',
      '200 with a quota',
      '401',
      '5xx',
      'a redirect',
      'another 4xx',
      'answer cut in half',
      'answer past the timeout',
      'closed before headers',
      'headers, then silence',
      'reset after half the body',
      'reset after the body',
    ]);
    expect(broke('sent twice')).toHaveLength(families.length * twice.size);
    expect(broke('repeat sent')).toHaveLength(cells.length);
  });
});
