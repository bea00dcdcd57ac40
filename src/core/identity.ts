/** Whether an endpoint is on the network it should be on. What was proven stands until something else is proven. */

export interface Identity {
  state: 'unproven' | 'verified' | 'wrong';
  since: number;
  /** Right answers in a row while wrong. */
  right: number;
  /** What it last claimed to be, for people. */
  claims: string;
  /** When it last proved to be right; -Infinity: never in this process. */
  provenAt: number;
  /** When to ask next. */
  dueAt: number;
  /** There is a new reason to ask since it was last asked: what is on its way was asked too early. */
  again: boolean;
}

const rightAnswersNeeded = 3;
export const identityRetryMs = 15_000;
export const identityAgainMs = 3_600_000;

/** A result from before a restart stands, and is asked again at once. */
export function newIdentity(
  known: { readonly state: 'verified' | 'wrong'; readonly claims: string } | undefined,
  now: number,
): Identity {
  return {
    state: known?.state ?? 'unproven',
    since: now,
    right: 0,
    claims: known?.claims ?? '',
    provenAt: Number.NEGATIVE_INFINITY,
    dueAt: now,
    again: false,
  };
}

/** Something about the endpoint says that it may be another one now. */
export function doubt(identity: Identity, now: number): void {
  identity.dueAt = now;
  identity.again = true;
}

/**
 * Takes one answer; `claims` undefined: it did not tell, which changes nothing but when to ask next.
 * `cleared`: it was wrong and has now proved itself, so quarantine follows.
 */
export function prove(
  identity: Identity,
  expected: string,
  claims: string | undefined,
  now: number,
): 'cleared' | 'proven' | 'wrong' | 'nothing' {
  identity.dueAt = identity.again ? now : now + identityRetryMs;
  if (claims === undefined) return 'nothing';
  identity.claims = claims;
  if (claims !== expected) {
    if (identity.state !== 'wrong') identity.since = now;
    identity.state = 'wrong';
    identity.right = 0;
    return 'wrong';
  }
  const wasWrong = identity.state === 'wrong';
  if (wasWrong) {
    identity.right += 1;
    if (identity.right < rightAnswersNeeded) return 'nothing';
  }
  if (identity.state !== 'verified') identity.since = now;
  identity.state = 'verified';
  identity.right = 0;
  identity.provenAt = now;
  if (!identity.again) identity.dueAt = now + identityAgainMs;
  return wasWrong ? 'cleared' : 'proven';
}
