/** What an endpoint does not offer. */

import { malformed, noMethod, noTracer, partOfMethod, trouble } from '../words.ts';
import { type EvmRule, names, says } from './saying.ts';

/** What is away for a while is not what is not offered. */
const passing = /\btemporar|try again|please retry/;

export const offers: readonly EvmRule[] = [
  {
    id: 'evm.tracer',
    stage: 'words',
    signal: 'text: this tracer is not offered; codes -32612, -32613',
    when: f =>
      f.code === -32612 ||
      f.code === -32613 ||
      (f.traces && noTracer.test(f.text) && /not |un|disabled/.test(f.text)),
    verdict: 'unsupported',
    why: 'a tracer, not the method as a whole',
    fixture: 'unsup-custom-tracer-32612',
  },
  {
    id: 'evm.busy_code',
    stage: 'words',
    signal: 'code -32604 and text: busy',
    when: f => f.code === -32604 && says(f, trouble) && !says(f, noMethod),
    verdict: 'node_failure',
    why: 'an overloaded server (older jsonrpsee); elsewhere the code of a disabled method',
    fixture: 'jsonrpsee-busy',
  },
  {
    id: 'evm.part_of_method',
    stage: 'words',
    signal: 'text: a parameter, a type, a part of a namespace is not supported',
    when: f =>
      (((says(f, noMethod) || f.code === -32601) && partOfMethod.test(f.text)) ||
        (/\bdisabled\b|\bnot enabled\b/.test(f.text) && !/\bmethod\b/.test(f.text) && !names(f))) &&
      !/^(?:parse error|invalid request)\b/.test(f.message),
    verdict: 'unsupported',
    why: 'others may support it; the method itself is there',
    fixture: 'unsup-profiling-disabled',
  },
  {
    id: 'evm.no_method',
    stage: 'words',
    signal: 'text: the method or its module is unknown, disabled, not allowed; codes -32004, -32604',
    when: f =>
      (says(f, noMethod) && !passing.test(f.text)) ||
      ((f.code === -32004 || f.code === -32604) && !says(f, malformed)),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'this endpoint does not offer it',
    fixture: 'unsup-nethermind-disabled',
  },
];
