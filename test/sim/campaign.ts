/** Many lives, one after the other, until the hours are over or enough is broken. */

import type { Code } from './code.ts';
import { Dice } from './dice.ts';
import type { Violation } from './invariants.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { play } from './simulate.ts';

export interface Broken {
  readonly scenario: string;
  readonly seed: number;
  readonly violation: Violation;
}

export interface Campaign {
  readonly broken: readonly Broken[];
  readonly hours: number;
  readonly lives: number;
  readonly requests: number;
  readonly attempts: number;
  readonly checked: Readonly<Record<string, number>>;
}

export interface CampaignOptions {
  readonly hours: number;
  readonly seed: number;
  readonly only?: string;
  /** Ends with this many broken lives. */
  readonly enough?: number;
}

/** The life of a name and a seed is always the same one. */
export async function campaign(code: Code, options: CampaignOptions): Promise<Campaign> {
  const { hours, only, enough = 10 } = options;
  const names = Object.keys(scenarios).filter(name => only === undefined || name === only);
  if (names.length === 0) throw new Error(`no scenario ${only}`);
  const broken: Broken[] = [];
  const checked: Record<string, number> = {};
  const sum = { hours: 0, lives: 0, requests: 0, attempts: 0 };
  let brokenLives = 0;
  for (let seed = options.seed; sum.hours < hours && brokenLives < enough; seed += 1) {
    for (const name of names) {
      if (sum.hours >= hours || brokenLives >= enough) break;
      const scenario: Scenario = scenarios[name as keyof typeof scenarios];
      if (scenario.seldom && only === undefined && seed % 10 !== 0) continue;
      const life = scenario.draw(new Dice(seed * 7_919 + Object.keys(scenarios).indexOf(name)));
      const played = await play(code, life, seed);
      sum.hours += played.hours;
      sum.lives += 1;
      sum.requests += played.requests;
      sum.attempts += played.attempts;
      for (const [invariant, times] of played.checked) checked[invariant] = (checked[invariant] ?? 0) + times;
      if (played.violations.length > 0) brokenLives += 1;
      for (const violation of played.violations) broken.push({ scenario: name, seed, violation });
    }
  }
  return { broken, checked, ...sum };
}
