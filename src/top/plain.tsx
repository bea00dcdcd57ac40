import { Box } from 'ink';
import type { ReactElement } from 'react';
import { BroadcastTable } from './broadcast-table.tsx';
import { isOpen } from './broadcast-text.ts';
import { chainColumns } from './chain-columns.ts';
import { endpointColumns, hasReason, reasonSpans } from './endpoint-columns.ts';
import { eventLine } from './event-line.ts';
import { trafficSpans, whoSpans } from './header.tsx';
import { Line, type Spans } from './line.tsx';
import { needsOf, unknownCount, unknownText } from './needs.ts';
import { endpointRows } from './rows.ts';
import type { Scene } from './scene.ts';
import { Table } from './table.tsx';
import { clockText } from './text.ts';

/** One full frame for a pipe or a log: every chain and every endpoint, nothing that only a watched screen can tell. */
export function Plain({ scene }: { scene: Scene }): ReactElement {
  const { status, trail, display, now, events, broadcasts } = scene;
  const needs = needsOf(status, now);
  const unknown = unknownCount(status);
  const chains = status.chains.filter(
    each => scene.view.chain === undefined || each.name === scene.view.chain,
  );
  const line = (spans: Spans): ReactElement => <Line display={display} spans={spans} />;
  return (
    <Box flexDirection="column">
      {line([...whoSpans(status, now, true), { text: `  ${clockText(now)}Z` }])}
      {line(trafficSpans(status, trail.total, display.columns))}
      {unknown > 0 &&
        line([
          {
            text: ` ! ${unknownText(unknown)}: do not sign again; rpcgw broadcasts --unknown`,
            tone: 'shout',
          },
        ])}
      {needs.map(({ text, tone }) => (
        <Line key={text} display={display} spans={[{ text: ` ! ${text}`, tone }]} />
      ))}
      {line([])}
      <Table columns={chainColumns(now, trail).filter(drawn)} rows={chains} display={display} />
      {chains.map(chain => (
        <Box key={chain.name} flexDirection="column" marginTop={1}>
          {line([{ text: `${chain.name}: ${chain.family}, strategy ${chain.strategy}`, tone: 'strong' }])}
          {chain.notes.map(note => (
            <Line key={note} display={display} spans={[{ text: `  ! ${note}`, tone: 'warn' }]} />
          ))}
          <Table
            columns={endpointColumns(now).filter(drawn)}
            rows={endpointRows({ ...scene, view: { ...scene.view, chain: chain.name } })}
            under={row => (hasReason(row) ? reasonSpans(row, now) : undefined)}
            display={display}
          />
        </Box>
      ))}
      {broadcasts.some(isOpen) && (
        <Box flexDirection="column" marginTop={1}>
          {line([{ text: 'broadcasts whose outcome is unknown', tone: 'strong' }])}
          <BroadcastTable scene={scene} rows={broadcasts.filter(isOpen)} />
        </Box>
      )}
      {events.length > 0 && (
        <Box flexDirection="column" marginTop={1}>
          {line([{ text: 'newest events', tone: 'strong' }])}
          {events.slice(-10).map(event => (
            <Line key={event.id} display={display} spans={eventLine(event, display.columns)} />
          ))}
        </Box>
      )}
    </Box>
  );
}

/** Sparklines need a past, and notes have lines of their own here. */
function drawn({ title }: { readonly title: string }): boolean {
  return title !== 'TREND' && title !== 'LATENCY' && title !== '' && title !== 'NOTE';
}
