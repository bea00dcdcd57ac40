/** What must hold at every moment of every life, in the contract's words. */

export const invariants = {
  hard_gate: 'no request ever goes to an endpoint held by a hard gate',
  last_resort:
    'an endpoint held by a soft gate gets a read only when no open one is left, the slow before the broken',
  out_too_long: 'no endpoint that answers well stays out for longer than its rules allow',
  no_endpoint: 'no request is told -32004 while an endpoint could be tried',
  failure_seen: 'no client sees the failure of an endpoint while another could answer',
  tried_twice: 'no request tries an endpoint twice while an untried one is eligible, and not without a pause',
  attempts: 'no request has more attempts than it may have',
  deadline: 'every request is answered within its deadline, every attempt within its timeout',
  height: 'no read that names a height goes to an endpoint that has not reached it while another has',
  history: 'no read of an old block goes to an endpoint that does not keep it while another does',
  method: 'a method goes to an endpoint that said it does not offer it only when all said so',
  score: 'success is what the outcomes make of it: a throttle leaves it alone, a used-up quota does not',
  gates: 'what is told to hold an endpoint is what holds it',
  standstill: 'a chain that stands still is told once, in time, and makes no endpoint stale',
  cooling: 'when all is cooling the read waits for the earliest end, or is told to come back',
  strategy: 'among the open ones the strategy decides',
  room: 'no endpoint has more in flight, or in a second, than it may have',
  retry_share: 'retries are at most their share of the requests in flight',
  probes: 'every endpoint is asked in its rhythm, identity in its own, and no more often than the cap allows',
  left_alone: 'whoever asked to be left alone, or is switched off, is not asked',
  once: 'what lives on one node is asked once, what stands in no table again only if it never arrived',
  second_question: 'a "no such thing" that the endpoint could not know is asked of the highest',
  told_once: 'an event tells a change, once',
  answer: 'the client gets one answer: the bytes of one endpoint, or an error that names its reason',
  leftovers: 'what is over leaves nothing behind: no request, no attempt, no byte',
} as const;

export type Invariant = keyof typeof invariants;

export interface Violation {
  readonly invariant: Invariant;
  /** Virtual ms. */
  readonly at: number;
  readonly text: string;
}
