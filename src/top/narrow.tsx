import { Box } from 'ink';
import type { ReactElement } from 'react';
import { ms } from '../cli/format.ts';
import { Foot } from './foot.tsx';
import { footRows } from './foot-lines.ts';
import { whoSpans } from './header.tsx';
import { cutSpans, ends, Line, type Spans } from './line.tsx';
import { isLost, linkText } from './link-text.ts';
import { needsOf, needsSpans, unknownSpans } from './needs.ts';
import { chosenChain, type EndpointRow, endpointRows, selectedRow } from './rows.ts';
import type { Scene } from './scene.ts';
import { signs } from './signs.ts';
import { pad, until } from './text.ts';
import { shownWindow, windowNote } from './window.ts';

/** Under 60 columns: who, what is unknown, and one line an endpoint. */
export function Narrow({ scene }: { scene: Scene }): ReactElement {
  const { status, view, display, now } = scene;
  const { columns } = display;
  const said = linkText(scene);
  const unknown = unknownSpans(status);
  const rows = endpointRows(scene);
  const selected = selectedRow(rows, view.endpoint);
  const room = display.rows - 3 - (unknown.length > 0 ? 1 : 0) - footRows(scene);
  const window = shownWindow(rows.length, room, selected === undefined ? 0 : rows.indexOf(selected));
  const right: Spans = said === undefined ? [] : [{ text: said.text, tone: said.lost ? 'shout' : 'good' }];
  return (
    <Box flexDirection="column" height={display.rows} justifyContent="space-between">
      <Box flexDirection="column">
        <Line display={display} spans={ends(whoSpans(status, now, !isLost(scene)), right, columns)} />
        {unknown.length > 0 && <Line display={display} spans={unknown} />}
        <Line
          display={display}
          spans={cutSpans(needsSpans(needsOf(status, now), status, columns), columns)}
        />
        <Line
          display={display}
          spans={ends(
            [{ text: ` ${chosenChain(scene)?.name ?? 'all chains'}`, tone: 'strong' }, ...usableSpans(scene)],
            [{ text: windowNote(window, rows.length), tone: 'quiet' }],
            columns,
          )}
        />
        {rows.slice(window.from, window.to).map(row => (
          <Line key={row.label} display={display} spans={rowSpans(row, row === selected, now, columns)} />
        ))}
      </Box>
      <Foot scene={scene} />
    </Box>
  );
}

function usableSpans(scene: Scene): Spans {
  const chains = scene.status.chains.filter(
    each => scene.view.chain === undefined || each.name === scene.view.chain,
  );
  const usable = chains.reduce((sum, each) => sum + each.usable, 0);
  const all = chains.reduce((sum, each) => sum + each.total, 0);
  return [
    { text: `  ${usable}/${all} usable`, tone: usable === all ? 'good' : usable === 0 ? 'alarm' : 'warn' },
  ];
}

/** The state is never cut; the name gives way. */
function rowSpans({ endpoint, label }: EndpointRow, selected: boolean, now: number, columns: number): Spans {
  const { sign, tone } = signs[endpoint.state];
  const left = endpoint.until === null ? '' : ` ${until(endpoint.until, now)}`;
  const state = `${sign} ${endpoint.stateText}${left}`;
  const numbers = `${ms(endpoint.latencyMs.p95).padStart(6)} `;
  const room = Math.max(6, columns - 2 - numbers.length - 1 - Math.max(20, state.length));
  return [
    { text: selected ? '▸ ' : '  ', tone: 'strong' },
    { text: pad(label, room) },
    { text: ' ' },
    { text: pad(state, Math.max(20, state.length)), tone },
    { text: numbers, tone: 'quiet' },
  ];
}
