import type { BroadcastStory } from '../api/history-shapes.ts';
import { broadcastId } from './broadcast-id.ts';
import { sinceThen } from './broadcasts.ts';
import { arg, type CommandContext } from './context.ts';
import { ms, table } from './format.ts';

export async function run(context: CommandContext): Promise<number> {
  const id = await broadcastId(context.api, arg(context, 0));
  const story = await context.api.ask('broadcastShow', { id });
  context.out(context.json ? JSON.stringify(story) : text(story, context.width));
  return 0;
}

function text({ attempts, timeline }: BroadcastStory, width: number | undefined): string {
  const [first] = attempts;
  if (first === undefined) return 'no attempt';
  const settled = first.followUp?.settled;
  const found = sinceThen(first);
  const head = [
    `${first.chain} ${first.method}`,
    `  id        ${first.txId ?? 'the bytes give none'}`,
    `  digest    ${first.digest}`,
    ...(found === '' ? [] : [`  since     ${found}`]),
    ...(settled == null
      ? []
      : [`            ${settled.note}${settled.who === null ? '' : ` (${settled.who})`}, ${settled.at}`]),
  ];
  const lines = table(
    attempts,
    [
      { title: 'ID', value: row => String(row.id), right: true },
      { title: 'BEGAN', value: row => row.began },
      { title: 'ENDPOINT', value: row => row.endpoint },
      { title: 'OUTCOME', value: row => row.outcome },
      { title: 'REACHED', value: row => row.reached?.replaceAll('_', ' ') ?? '-' },
      { title: 'TIME', value: row => ms(row.ms), right: true, drop: 2 },
      { title: 'RULE', value: row => row.rule ?? '-', drop: 1 },
    ],
    width,
  );
  const answers = attempts.flatMap(({ id, answer }) => (answer === null ? [] : [`  ${id}: ${answer}`]));
  const told = timeline.map(({ time, id, kind, text: says }) => `  ${time}  ${id}  ${kind}  ${says}`);
  return [
    ...head,
    '',
    lines,
    ...(answers.length === 0 ? [] : ['', 'answers:', ...answers]),
    ...(told.length === 0 ? [] : ['', 'what happened:', ...told]),
  ].join('\n');
}
