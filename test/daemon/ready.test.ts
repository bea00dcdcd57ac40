import { describe, expect, it } from 'vitest';
import { tellWhenReady } from '../../src/daemon/ready.ts';
import { HandClock, settle } from '../kit/fake-world.ts';

/** The line `ready` over a round of questions that the test ends, or never ends. */
function start() {
  const clock = new HandClock();
  const round = Promise.withResolvers<void>();
  const lines: string[] = [];
  const ready = tellWhenReady({
    clock,
    prober: { firstRound: round.promise },
    logger: { info: message => void lines.push(message) },
    roster: () => ({ revision: 1, chains: new Map() }),
    url: 'http://127.0.0.1:8600',
  });
  let told = false;
  void ready.told.then(() => {
    told = true;
  });
  return { clock, round, lines, ready, told: () => told };
}

describe('ready is told', () => {
  it('when the first round of questions is over, and once', async () => {
    const { clock, round, lines, told } = start();
    await settle();
    expect(lines).toEqual([]);
    round.resolve();
    await settle();
    expect([lines, told()]).toEqual([['ready'], true]);
    await clock.pass(60_000);
    await settle();
    expect(lines).toEqual(['ready']);
  });

  it('after ten seconds when an endpoint does not answer', async () => {
    const { clock, round, lines, told } = start();
    await clock.pass(9_999);
    await settle();
    expect(lines).toEqual([]);
    await clock.pass(1);
    await settle();
    expect([lines, told()]).toEqual([['ready'], true]);
    round.resolve();
    await settle();
    expect(lines).toEqual(['ready']);
  });

  it('not by a daemon that stops before', async () => {
    const { clock, round, lines, ready } = start();
    ready.stop();
    round.resolve();
    await clock.pass(60_000);
    await settle();
    expect(lines).toEqual([]);
  });
});
