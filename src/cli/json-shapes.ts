/** What `--json` prints, a shape a name: documented and tested from here. Only for documents and tests: it loads schemas. */

import { z } from 'zod/mini';
import { diagnosis, examination, explanation, gate, plan } from '../api/advice-shapes.ts';
import { endpointStates, errorShape, routes } from '../api/contract.ts';
import { auditList, auditVerdict, broadcastStory, broadcasts, report, trace } from '../api/history-shapes.ts';
import { said } from '../config/fields.ts';

export interface JsonShape {
  readonly shape: z.ZodMiniType;
  /** `lines`: one value a line, each of the shape. */
  readonly form: 'value' | 'lines';
  readonly says: string;
}

/** Parts that stand in several of them. */
export const sharedShapes: Readonly<Record<string, Pick<JsonShape, 'shape' | 'says'>>> = {
  chain: { shape: routes.status.output.shape.chains.def.element, says: 'A chain and its pool.' },
  endpoint: {
    shape: routes.status.output.shape.chains.def.element.shape.endpoints.def.element,
    says: 'An endpoint as it is now.',
  },
  gate: { shape: gate, says: 'A reason that holds an endpoint back.' },
};

const { status, endpointShow, endpointAdd, call, events, broadcastSettle, logLevel } = routes;
const oneEndpoint = status.output.shape.chains.def.element.shape.endpoints.def.element;
const text = z.string();

const problem = z.object({
  path: said(z.string(), 'The key: `chains.ethereum.endpoints[0].url`; empty: the file as a whole.'),
  line: z.int(),
  column: z.int(),
  message: text,
  hint: z.optional(text),
});

export const jsonShapes: Readonly<Record<string, JsonShape>> = {
  error: { shape: errorShape, form: 'value', says: 'What every command prints on stderr when it fails.' },
  status: { shape: status.output, form: 'value', says: 'The pools. With `--watch` a line each time.' },
  scores: {
    shape: z.object({
      now: z.iso.datetime(),
      chains: z.array(
        z.object({
          chain: text,
          strategy: text,
          endpoints: z.array(
            z.pick(oneEndpoint, {
              name: true,
              state: true,
              stateText: true,
              score: true,
              terms: true,
              gates: true,
            }),
          ),
        }),
      ),
    }),
    form: 'value',
    says: 'The score term by term, and every gate.',
  },
  endpointList: {
    shape: z.object({ endpoints: z.array(oneEndpoint) }),
    form: 'value',
    says: `Worst state first, in this order: ${endpointStates.join(', ')}. With \`--watch\` a line an endpoint, then one for each change.`,
  },
  endpointDetail: { shape: endpointShow.output, form: 'value', says: 'One endpoint in full.' },
  done: { shape: endpointAdd.output, form: 'value', says: 'The state reached by a change.' },
  settled: { shape: broadcastSettle.output, form: 'value', says: 'What a settling came to.' },
  logLevel: { shape: logLevel.output, form: 'value', says: 'The level of the log.' },
  examination: { shape: examination, form: 'value', says: 'What a test of a URL found.' },
  callResult: { shape: call.output, form: 'value', says: 'The answer to a request, as it came.' },
  explanation: { shape: explanation, form: 'value', says: 'Where a request would go.' },
  trace: { shape: trace, form: 'value', says: 'The attempts of a request.' },
  report: { shape: report, form: 'value', says: 'Numbers of each endpoint over a span.' },
  event: { shape: events.output.shape.events.def.element, form: 'lines', says: 'Something that happened.' },
  broadcasts: { shape: broadcasts, form: 'value', says: 'Attempts at broadcasts, newest first.' },
  broadcast: {
    shape: broadcasts.shape.broadcasts.def.element,
    form: 'lines',
    says: 'One attempt at a broadcast.',
  },
  broadcastStory: { shape: broadcastStory, form: 'value', says: 'One transaction in full.' },
  auditList: { shape: auditList, form: 'value', says: 'What operators did.' },
  auditVerdict: { shape: auditVerdict, form: 'value', says: 'Whether the audit is whole.' },
  plan: { shape: plan, form: 'value', says: 'Two configs, and what changes between them.' },
  diagnosis: { shape: diagnosis, form: 'value', says: 'What is wrong, most important first.' },
  check: {
    shape: z.object({
      file: text,
      ok: z.boolean(),
      problems: z.array(problem),
      notes: z.array(z.object({ chain: text, text })),
      plan: said(z.nullable(plan), 'Only with `--against-running`.'),
    }),
    form: 'value',
    says: 'What is wrong with a config.',
  },
  init: { shape: z.object({ file: text }), form: 'value', says: 'What was written.' },
  configShow: {
    shape: z.record(text, z.unknown()),
    form: 'value',
    says: 'The config, in the form of the file; see `docs/configuration.md`.',
  },
  configSchema: { shape: z.record(text, z.unknown()), form: 'value', says: 'A JSON Schema.' },
  demoLine: {
    shape: z.object({ seconds: z.number(), who: z.enum(['script', 'daemon', 'client', 'node']), text }),
    form: 'lines',
    says: 'A line of the story.',
  },
  classification: {
    shape: z.object({
      id: text,
      verdict: text,
      txOutcome: z.optional(text),
      retryAfterSeconds: z.optional(z.number()),
      rule: text,
      fault: z.optional(text),
      next: z.optional(text),
      why: z.optional(z.nullable(text)),
    }),
    form: 'lines',
    says: 'A verdict, and the rule that gave it; for a single answer also whose fault it is, what follows, and why the rule is there.',
  },
};
