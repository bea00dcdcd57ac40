/** One endpoint by the contract: what holds it, told from what was sent to it and what it answered. */

import type { EndpointSettings, WorkClass } from '../../../src/core/chain.ts';
import type { NodeState } from '../truth.ts';
import { ShadowCircuit } from './circuit.ts';
import { ShadowAuth, ShadowCooldown } from './holds.ts';
import { Measured } from './measured.ts';

export interface ShadowHead {
  /** -1: none shown yet. */
  height: number;
  at: number;
  /** When the newest block was made that it showed since a probe last told its age. */
  newestBornAt: number;
  /** Behind the median of that moment, between these. */
  lagLeast: number;
  lagMost: number;
  /** Ahead of all reason at that moment. */
  suspect: 'no' | 'maybe' | 'yes';
}

/** Good probes in a row, counted strictly and leniently: some probes the contract leaves unclear. */
export interface ShadowQuarantine {
  least: number;
  most: number;
  /** By the lenient count it was passed once. */
  perhapsOver: boolean;
}

export function newQuarantine(perhapsOver = false): ShadowQuarantine {
  return { least: 0, most: 0, perhapsOver };
}

export interface Remembered {
  readonly identity: 'verified' | 'wrong' | undefined;
  readonly builds: boolean | undefined;
  readonly quarantined: 'yes' | 'no' | 'maybe';
}

export class Shadow {
  readonly name: string;
  readonly node: NodeState;
  settings: EndpointSettings;
  order: number;

  identity: 'unproven' | 'verified' | 'wrong';
  /** Right answers in a row while wrong. */
  rights = 0;
  identityAskedAt: number;
  /** It is as it was before a restart. */
  identityKnown: boolean;
  /** Its height jumped implausibly then, and its identity was not asked since. */
  jumpedAt: number | undefined;
  builds: boolean | undefined;
  quarantine: ShadowQuarantine | undefined;
  /** Whether it has a voice in the median changed then. */
  voiceChangedAt: number;
  readonly read = new ShadowCircuit();
  readonly heavy = new ShadowCircuit();
  readonly broadcast = new ShadowCircuit();
  readonly cooldown = new ShadowCooldown();
  readonly auth = new ShadowAuth();
  readonly head: ShadowHead;
  readonly unsupported = new Map<string, number>();
  /** Latencies of the good reads, and of those that showed a height. */
  readonly readMs = new Measured();
  readonly heightMs = new Measured();
  /** A probe found how deep its history reaches. */
  depthFound = false;

  inFlight = 0;
  readonly starts: number[] = [];
  disabled: boolean;
  draining = false;
  weight: number;
  /** Another config gave it its weight then. */
  weighedAt = Number.NEGATIVE_INFINITY;

  /** Since when the gateway knows it in this process. */
  readonly bornAt: number;
  /** The last height probe began and ended then. */
  heightAskedAt: number | undefined;
  heightAsks = 0;
  heightTurnSince: number;
  ownToday = 0;
  ownDay = 0;
  /** It was asked to be left alone until then, at the latest. */
  quietUntil = Number.NEGATIVE_INFINITY;
  /** It is well and answers well since. */
  wellSince: number | undefined;
  /** It was seen held although well since then, and must be back by. */
  outSince: number | undefined;
  backBy = 0;

  constructor(settings: EndpointSettings, order: number, node: NodeState, known: Remembered, now: number) {
    this.name = settings.name;
    this.settings = settings;
    this.order = order;
    this.node = node;
    this.identity = known.identity ?? 'unproven';
    this.identityKnown = known.identity !== undefined;
    this.builds = known.builds;
    this.quarantine = known.quarantined === 'no' ? undefined : newQuarantine(known.quarantined === 'maybe');
    this.disabled = settings.disabled;
    this.weight = settings.weight;
    this.bornAt = now;
    this.identityAskedAt = now;
    this.voiceChangedAt = now;
    this.heightTurnSince = now;
    const never = Number.NEGATIVE_INFINITY;
    this.head = { height: -1, at: never, newestBornAt: never, lagLeast: 0, lagMost: 0, suspect: 'no' };
  }

  circuit(workClass: WorkClass): ShadowCircuit {
    return this[workClass];
  }
}
