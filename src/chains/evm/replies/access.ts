/** Who is kept out, and what cannot be read for an answer. */

import { authWords } from '../../words.ts';
import { noMethod, noTracer } from '../words.ts';
import {
  type EvmRule,
  gatewayFault,
  isError,
  names,
  ofRefusal,
  refusesCaller,
  says,
  speaks,
} from './saying.ts';

export const access: readonly EvmRule[] = [
  {
    id: 'evm.refused_method',
    stage: 'words',
    signal: 'status or code 403, or the word forbidden, and text: the method is not allowed',
    when: f =>
      speaks(f) &&
      (refusesCaller(f.status) ||
        ofRefusal(f) ||
        /\bmethods? (?:is )?forbidden|forbidden method/.test(f.text)) &&
      (says(f, noMethod) || noTracer.test(f.text)) &&
      !/key|token|project|origin/.test(f.text),
    verdict: 'unsupported',
    why: 'about the method, not about the caller',
    fixture: 'unsup-custom-trace-403',
  },
  {
    id: 'evm.credential',
    stage: 'words',
    signal: 'text of a key, a token, a project, an origin, an address, a bill',
    when: f => speaks(f) && !gatewayFault(f.status) && says(f, authWords) && !(says(f, noMethod) && names(f)),
    verdict: 'auth_refused',
    why: 'our credential or our address is refused',
    fixture: 'auth-invalid-api-key-200',
  },
  {
    id: 'evm.refused_text',
    stage: 'words',
    signal: 'status 401, 402, 403, 407, 451 and a text of no other meaning',
    when: f => (f.shape === 'text' || f.shape === 'no_result') && refusesCaller(f.status),
    verdict: 'auth_refused',
    why: 'the caller is kept out',
    fixture: 'auth-403-invalid-host',
  },
  {
    id: 'evm.text',
    stage: 'words',
    signal: 'a text or JSON of another form',
    when: f => !isError(f),
    verdict: 'node_failure',
    why: 'no answer of the protocol',
    fixture: 'not-json-200',
  },
];
