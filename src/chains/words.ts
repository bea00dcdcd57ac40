/**
 * What providers write when they slow a caller down, when an allowance is used up, and when a credential is refused. They
 * write it alike on every chain, so the families share it; a family's own table decides when these words may count.
 * All patterns expect the text of `plain`.
 */

/** Text as word rules read it: lower case, web addresses gone (their paths hold words that say nothing), single blanks. */
export function plain(text: string): string {
  let words = text.toLowerCase();
  if (words.includes('://')) words = words.replace(/\b[a-z]+:\/\/\S+/g, ' ');
  if (/[\u2018\u2019]/.test(words)) words = words.replace(/[\u2018\u2019]/g, "'");
  return /[^\S ]| {2}/.test(words) ? words.replace(/\s+/g, ' ') : words;
}

/** Too fast: later, and soon, it will answer again. */
export const speedWords = new RegExp(
  [
    'too many (?:\\w+ ){0,2}(?:requests?|calls|queries|connections?|attempts|hits)\\b(?! in (?:a |one |the )?batch)',
    'too many (?:http |rpc |api )?errors',
    'rate.?limit',
    'limit(?:ed|ing)? rate',
    '(?:request|call|query|hit|connection|invocation|message) ?(?:rate|frequency|limit|count)s? (?:is |was |has been |of \\S+ )?(?:too high|limit|exceed|reached|exhausted|hit)',
    '(?:exceed|over|reach|hit|above|surpass)(?:s|ed|ing|es)? (?:\\S+ ){0,5}(?:rate|frequency|throughput|qps|rps|tps|cups|concurrency)\\b',
    '(?:rate|frequency|throughput|concurrency) (?:is |was |has been |limit |of \\S+ )?(?:exceed|reached|hit\\b|too high)',
    '(?:requests?|calls|queries|credits|units|cus?|hits|transactions|times?) ?(?:per|/|a|an|every|each) ?(?:\\d+ ?)?(?:s|sec|secs|second|seconds|m|min|minute|minutes|hour)\\b',
    '\\d ?(?:/|per) ?(?:\\d+ ?)?(?:s|secs?|seconds?|m|mins?|minutes?)\\b',
    '\\bmax(?:imum)? (?:\\S+ ){0,4}(?:requests|calls|queries)\\b(?! in )',
    '\\b(?:requests|calls|queries) (?:exceed|over the|limit)',
    '\\b(?:maximum |max )?(?:qps|rps|tps|cups)\\b',
    'throttl(?:e|ed|ing)\\b',
    'slow(?:ing)? down',
    '(?:reduce|lower|decrease) (?:the |your )?(?:calls|requests?|frequency|rate|number of requests|speed|load)',
    'requests? (?:is |are |were |was |being )?limited',
    '(?:request|call|connection|concurrent requests?) limit\\b',
    'frequency limit|requests? too (?:quickly|fast|often|frequent)',
    'enhance your calm',
    'error code: 1015',
    'flood(?:ed|ing)? (?:protection|control|detected)',
    'burst (?:limit|capacity)',
    '(?:exceed|over|reach|hit)(?:s|ed|ing|es)? (?:\\S+ ){0,5}capacity',
    'concurrent requests? (?:capacity|limit)|concurrent connections',
    'credits? limited',
    'server (?:is )?suspended for',
  ].join('|'),
);

/** Used up: the allowance of a day, a month, a plan. */
export const quotaWords = new RegExp(
  [
    '\\bquotas?\\b',
    '\\b(?:daily|monthly|hourly|weekly|yearly|24.?h(?:our)?s?) (?:\\S+ ){0,3}(?:limit|usage|capacity|requests?|credits?|allowance|cap|count|units|allotment|maximum)',
    '(?:limit|usage|capacity|requests?|credits?|allowance|allotment|cap|units) (?:\\S+ ){0,4}(?:per|for the|for this|this|for your|a|each|of the) (?:day|month|hour|week|billing|current period)',
    '(?:requests?|calls|credits?) ?(?:/|per) ?(?:day|month)\\b',
    'capacity (?:limit|exceeded|has been)',
    '(?:out of|ran out of|run out of|no more|no remaining|insufficient|not enough|exhausted|exceeded) (?:\\S+ ){0,3}(?:credits?|compute units|request units|api units|allowance)\\b(?! (?:per|/) ?(?:s|m))',
    '(?:credits?|compute units?|request units?|allowance|allotment) (?:\\S+ ){0,3}(?:exhausted|exceeded|depleted|used up|ran out|run out|reached|consumed)',
    '(?:max(?:imum)?|api|plan) (?:\\S+ )?usage\\b',
    'usage (?:\\S+ )?(?:limit|cap|exceeded|reached|exhausted)',
    "(?:exceed(?:ed|s)?|reach(?:ed)?|hit) (?:\\S+ ){0,4}(?:free|trial|plan|tier|package|subscription|account|daily|monthly)(?:'s)? ?(?:\\S+ ){0,2}(?:limits?|cap|usage|allowance|capacity|requests?)?\\b",
    "(?:free|trial|plan|tier|package|subscription)(?:'s)? (?:\\S+ ){0,2}(?:limits?|usage|allowance|cap) (?:\\S+ ){0,2}(?:exceeded|reached|exhausted|hit)",
    '(?:limit|requests?|usage) (?:\\S+ ){0,3}for your (?:current )?(?:plan|tier|subscription)',
    'call limit',
    'response units',
  ].join('|'),
);

const credential =
  '(?:api|access|auth\\w*|project|app\\w*|client|account|security|bearer|consumer|subscription|user|request)?[ _-]?(?:api[ _-]?)?(?:keys?|tokens?(?! (?:program|account|mint|address|contract|balance|transfer|owner|amount))|secrets?|credentials?|jwt|app ?id|project ?id|signature header)';

/** The credential, the caller's address or the account is refused. */
export const authWords = new RegExp(
  [
    'unauthori[sz]ed',
    '\\bnot authori[sz]ed',
    'unauthenticated',
    '(?:must|need to|have to|please|should|required? to) (?:be )?authenticat',
    '(?:authentication|authorization(?! (?:list|tuple|nonce|chain|destination|has invalid))|auth) (?:\\S+ ){0,2}(?:required|failed|failure|error|missing|needed|invalid|expired)',
    '(?:missing|invalid|no|failed|bad|wrong|without|requires?) (?:\\S+ )?(?:authentication|authorization)\\b',
    `(?:invalid|missing|unknown|no|bad|wrong|incorrect|expired|revoked|inactive|disabled|deactivated|suspended|unrecogni[sz]ed|malformed|illegal|without|requires?|provide|specify|supply|include|blocked|banned|rejected)(?: an?| your| the| valid| any)* ${credential}\\b`,
    `\\b${credential} (?:\\S+ ){0,3}(?:invalid|missing|required|unknown|not found|not valid|not exists?|doesn't exist|does not exist|expired|revoked|inactive|not active|disabled|deactivated|suspended|blocked|banned|not provided|not recogni[sz]ed|not allowed|not permitted|incorrect|wrong|rejected|on another chain|another network|wrong network|not enabled for)`,
    'project ?id settings',
    '\\b(?:jwt|bearer|access token|credentials?)\\b (?:\\S+ ){0,3}(?:failed|rejected|refused)|verification of (?:\\S+ )?(?:jwt|token|key|credentials?)\\b',
    '\\bapi ?key\\b(?!.*(?:rate|limit))',
    'access (?:is |was |has been )?(?:denied|forbidden|blocked|restricted|disabled|suspended|revoked)',
    'permission denied',
    '\\b(?:insufficient|no|lacks?|missing) permissions?',
    '\\bforbidden\\b',
    '\\b(?:origin|referr?er|user.?agent)(?: header)? (?:\\S+ ){0,3}(?:not|un|dis|forbidden|denied|blocked|required|missing|invalid)',
    '(?:invalid|missing|no|unknown|unspecified) (?:origin|referr?er|user.?agent)\\b|\\buser ?key\\b',
    '\\b(?:illegal|invalid|blocked|banned|blacklisted|restricted|unauthorized|forbidden|your) ip\\b',
    '\\bips?(?: address(?:es)?)? (?:\\S+ ){0,3}(?:not (?:\\S+ )?(?:allow|whitelist|permit|authori)|blocked|banned|denied|blacklisted|restricted|forbidden)',
    'payment (?:is )?required|unpaid|overdue|past due|payment (?:failed|method)',
    '(?:account|tenant|subscription|project|app|application|user|workspace|organi[sz]ation) (?:\\S+ ){0,3}(?:disabled|suspended|inactive|deactivated|expired|cancell?ed|blocked|banned|deleted|locked|not active|terminated|paused)',
    '(?:endpoint|app|dapp|rpc url|node) (?:\\S+ ){0,3}?(?:disabled|paused|suspended|inactive|deleted|deactivated|expired|not active)\\b',
    '(?:log|sign) ?in (?:is )?required|(?:please )?(?:sign|log) ?in to',
    'not (?:on|in|part of) (?:the |your )?(?:white|allow)list',
    "(?:not|isn't) (?:permitted|allowed) to (?:access|use) (?:this|the) (?:endpoint|network|chain|resource|service|api)",
    '\\btop(?:ping)?[ -]?up\\b|\\brecharge (?:your|the|it)|(?:insufficient|low|negative|zero|no|not enough) (?:\\S+ )?(?:balance|funds) (?:\\S+ ){0,4}(?:requests?|api|rpc|service|endpoint)\\b',
    '\\byou (?:have been|are|were) (?:\\S+ )?(?:blocked|banned|denied)|(?:trial|plan|licen[cs]e|membership|subscription) (?:\\S+ ){0,2}(?:ended|expired|lapsed|over)\\b',
    'country|jurisdiction|sanctioned|geo.?(?:blocked|restrict)|in your region',
  ].join('|'),
);

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const spanPart =
  /(\d+(?:\.\d+)?)\s*(milliseconds?|millis|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])/g;

/** "5 s", "1m30s", "250ms", "2 minutes" as ms; undefined when it is no span. A bare number is read in seconds. */
function spanMs(text: string): number | undefined {
  const spaced = text.trim().replace(/(\d[a-z]+)(?=\d)/g, '$1 ');
  if (/^\d+(?:\.\d+)?$/.test(spaced)) return Number(spaced) * 1000;
  let total: number | undefined;
  for (const [, amount, unit] of spaced.matchAll(spanPart)) {
    if (amount === undefined || unit === undefined) continue;
    const short = /^m(?:s|illi)/.test(unit) ? 'ms' : unit.charAt(0);
    total = (total ?? 0) + Number(amount) * (unitMs[short] ?? 0);
  }
  return total;
}

const span =
  '\\d+(?:\\.\\d+)?\\s*(?:milliseconds?|millis|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])';

const waitPhrase = new RegExp(
  `(?:retry|try|again|wait|back ?-?off|suspended|blocked|banned|paused|reset\\w*|available|come back|next request|cool(?:ing)? ?-?down)\\b[^\\d]{0,30}?((?:${span}\\s*(?:and\\s*)?)+)`,
);
const barePhrase = /retry[ _-]?after(?: \(?seconds\)?)?["':= ]{1,4}(\d+(?:\.\d+)?)(?![\w.])/;

/** How long the words ask us to wait, ms. Expects `plain` text. */
export function waitInText(text: string): number | undefined {
  const named = waitPhrase.exec(text)?.[1];
  const bare = named ?? barePhrase.exec(text)?.[1];
  return bare === undefined ? undefined : positive(spanMs(bare));
}

const waitKey = /^(?:retry|try|back|wait|reset|cool)/;
const waitKeys = new Set([
  'retryafter',
  'retryin',
  'retryafterseconds',
  'retryaftersec',
  'retryafters',
  'retryafterms',
  'retryaftermillis',
  'retryaftermilliseconds',
  'retrydelay',
  'retrydelayms',
  'retryinseconds',
  'retryinms',
  'retryms',
  'retryseconds',
  'tryagainin',
  'tryagainafter',
  'tryagaininseconds',
  'tryagaininms',
  'backoff',
  'backoffseconds',
  'backoffms',
  'wait',
  'waitseconds',
  'waitms',
  'waittime',
  'waitfor',
  'resetin',
  'resetafter',
  'resetsin',
  'cooldown',
  'cooldownseconds',
]);

/** How long the members of an error's `data` ask us to wait, ms; looks four levels deep. */
export function waitInData(data: unknown, depth = 4): number | undefined {
  if (typeof data !== 'object' || data === null || depth === 0) return undefined;
  let longest: number | undefined;
  for (const [name, value] of Object.entries(data)) {
    const key = name.toLowerCase();
    const found =
      waitKey.test(key) && waitKeys.has(key.replace(/[^a-z]/g, ''))
        ? memberMs(key, value)
        : waitInData(value, depth - 1);
    longest = later(longest, found);
  }
  return longest;
}

function memberMs(key: string, value: unknown): number | undefined {
  if (typeof value === 'number') return positive(/m(?:s|illi\w*)$/.test(key) ? value : value * 1000);
  if (typeof value !== 'string') return undefined;
  const text = value.toLowerCase();
  return positive(/m(?:s|illi\w*)$/.test(key) && /^[\d.]+$/.test(text) ? Number(text) : spanMs(text));
}

/** `Retry-After` as ms from now: seconds, a float among them, or a date, held against the server's own clock when it tells it. */
export function waitInHeaders(
  headers: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return positive(seconds * 1000);
  const until = Date.parse(value);
  if (Number.isNaN(until)) return positive(spanMs(value.toLowerCase()));
  const told = Date.parse(headers.date ?? '');
  return positive(until - (Number.isNaN(told) ? nowMs : told));
}

/** The longer of two spans. */
export function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.max(a, b);
}

function positive(ms: number | undefined): number | undefined {
  return ms !== undefined && Number.isFinite(ms) && ms > 0 ? Math.round(ms * 1000) / 1000 : undefined;
}
