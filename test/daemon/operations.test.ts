import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { metricsPage } from '../../src/daemon/metrics.ts';
import { Counters } from '../../src/daemon/telemetry.ts';
import { clock } from '../../src/io/clock.ts';

// The alert rules, the dashboard and the unit file are part of the product: what they name must be there.

function operations(file: string): string {
  return readFileSync(new URL(`../../docs/operations/${file}`, import.meta.url), 'utf8');
}

/** Every metric the page declares, whether it has a sample now or not. */
const page = metricsPage({
  roster: { revision: 1, chains: new Map() },
  counters: new Counters(clock, { emit: () => undefined }),
  clock,
  version: 'test',
  startedAtMs: 0,
  ready: true,
  store: { ok: true, commits: 0, rows: 0, lost: 0, waiting: 0 },
  heldBytes: 0,
  loopDelay: { mean: 0, p99: 0 },
  unknownBroadcasts: () => 0,
});
const declared = new Map(
  [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
);

/** Names in a query, with the suffixes of a histogram's series taken off. */
function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\brpcgw_[a-z0-9_]+/g)].map(([name]) => name))].map(name => {
    const plain = name.replace(/_(bucket|sum|count)$/, '');
    return declared.get(plain) === 'histogram' ? plain : name;
  });
}

describe('the metrics page', () => {
  it('declares each metric once, with a help text', () => {
    const names = [...page.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name);
    expect(names).toEqual([...declared.keys()]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('names counters _total and uses base units', () => {
    for (const [name, type] of declared) {
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
      expect(name, name).not.toMatch(/_(ms|millis|minutes|kb|mb)\b/);
    }
  });
});

describe('what operators load into other tools', () => {
  it.each(['alerts.yaml', 'grafana.json'])('%s asks only for metrics that exist', file => {
    const names = namesIn(operations(file));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter(name => !declared.has(name))).toEqual([]);
  });

  it('every alert has a summary, a severity and a runbook line that is an rpcgw command', () => {
    const { groups } = parse(operations('alerts.yaml'));
    for (const rule of groups[0].rules) {
      expect(rule.labels.severity, rule.alert).toMatch(/^(page|ticket)$/);
      expect(rule.annotations.summary, rule.alert).toBeTruthy();
      expect(rule.annotations.runbook, rule.alert).toMatch(/^rpcgw \w+/);
    }
  });

  it('the dashboard is JSON whose panels all have a query, but for rows', () => {
    const { panels } = JSON.parse(operations('grafana.json'));
    for (const panel of panels)
      if (panel.type !== 'row') expect(panel.targets[0].expr, panel.title).toBeTruthy();
  });

  it('the unit file waits for the daemon’s word, and ends one whose event loop stands still', () => {
    const unit = operations('rpcgw.service');
    for (const line of [/^Type=notify$/m, /^NotifyAccess=all$/m, /^WatchdogSec=30s$/m])
      expect(unit).toMatch(line);
  });

  it('the unit file ends a wrong config, wrong use and a second instance without restarting them', () => {
    expect(operations('rpcgw.service')).toMatch(/^RestartPreventExitStatus=2 4 9$/m);
  });
});
