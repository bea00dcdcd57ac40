/** What a campaign found, as a table of faults and places. */

import { type FaultName, families, faultNames, type Kill, kills } from './cells.ts';
import { type Finding, rules } from './check.ts';

/** Runs, and how many of them broke a rule: `120`, or `120 ✗7`. */
export function tableOf(findings: readonly Finding[]): string {
  const places = kills.filter(kill => findings.some(({ cell }) => cell.kill === kill));
  const rows = faultNames.map(fault => [fault, ...places.map(kill => cellText(findings, fault, kill)), '']);
  for (const row of rows) row[row.length - 1] = total(findings.filter(({ cell }) => cell.fault === row[0]));
  const sums = [
    'all',
    ...places.map(kill => total(findings.filter(({ cell }) => cell.kill === kill))),
    total(findings),
  ];
  return aligned([['fault \\ killed', ...places, 'all'], ...rows, sums]);
}

function cellText(findings: readonly Finding[], fault: FaultName, kill: Kill): string {
  return total(findings.filter(({ cell }) => cell.fault === fault && cell.kill === kill));
}

function total(findings: readonly Finding[]): string {
  const bad = findings.filter(({ violations }) => violations.length > 0).length;
  return findings.length === 0 ? '·' : bad === 0 ? String(findings.length) : `${findings.length} ✗${bad}`;
}

/** Broken rules by family. */
export function rulesOf(findings: readonly Finding[]): string {
  const broken = (rule: string, family: string) =>
    findings.filter(
      ({ cell, violations }) =>
        cell.family === family && violations.some(violation => violation.rule === rule),
    ).length;
  return aligned([
    ['rule', ...families],
    ...rules.map(rule => [rule, ...families.map(family => String(broken(rule, family)))]),
    ['runs', ...families.map(family => String(findings.filter(({ cell }) => cell.family === family).length))],
  ]);
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map(row => (row[at] ?? '').length)));
  return rows
    .map(row =>
      row
        .map((text, at) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0)))
        .join('  '),
    )
    .join('\n');
}
