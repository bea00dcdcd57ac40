import { type StateWord, stateWords } from '../core/state.ts';
import { actionNames, actions } from './actions.ts';
import type { Spans } from './line.tsx';
import { signs } from './signs.ts';
import { pad } from './text.ts';

const keys: readonly (readonly [key: string, says: string])[] = [
  ['↑↓ j k  PgUp PgDn  g G', 'move, by a third of the screen, to the ends'],
  ['Tab  1 2 3 4', 'the pane that has the keys; 3 or 4 twice opens it in full'],
  ['Enter  Esc', 'details, and back again; Esc never quits'],
  ['c C  a', 'next and previous chain; all of them'],
  ['/', 'filter: state:stale p95>200 provider:infura !healthy any text; all must hold'],
  ['s S', 'sort by the next column; turned around'],
  ['p', 'pause: the screen stands still, the daemon does not'],
  ['+ -', 'fewer and more values a second'],
  ['q  Ctrl-C  Ctrl-Z', 'quit, quit, and to the shell until fg'],
];

// Its keys are the words.
const states = Object.keys(stateWords) as StateWord[];

/** Every key, every sign. */
export function helpLines(): readonly Spans[] {
  return [
    ...keys.map(([key, says]) => row(key, says)),
    [{ text: ' ' }],
    ...actionNames.map(name =>
      row(actions[name].key, `${actions[name].word}: ${actions[name].says}; asks first`),
    ),
    [{ text: ' ' }],
    ...states.map(
      (state): Spans => [
        { text: `  ${signs[state].sign} ${pad(stateWords[state], 16)}`, tone: signs[state].tone },
        { text: meaning[state], tone: 'quiet' },
      ],
    ),
  ];
}

function row(key: string, says: string): Spans {
  return [{ text: `  ${pad(key, 24)}`, tone: 'strong' }, { text: says }];
}

const meaning: Readonly<Record<StateWord, string>> = {
  wrong_network: 'it proved another identity: no traffic, ever',
  api_only: 'it cannot build transfers (TRON)',
  not_verified: 'it never proved its identity yet',
  auth_refused: 'it refuses our key or plan',
  down: 'too many failures in a row, or too few successes',
  half_open: 'was down, is being tried by our own probes',
  stale: 'behind the pool, or no height lately',
  cooling: 'it asked to slow down',
  quarantine: 'new: 20 good probes before traffic',
  slow: 'slower than the chain allows',
  busy: 'as many requests in flight as it may have',
  draining: 'an operator lets it run empty',
  disabled: 'switched off by an operator',
  healthy: 'nothing holds it',
};
