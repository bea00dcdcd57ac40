/**
 * The vocabulary of EVM nodes and the gateways in front of them, by what is meant. Written from what kinds of nodes say
 * (geth and its relatives, Parity's line, Besu, Nethermind, Erigon, reth, Substrate's and Cosmos' EVMs, relays), not from
 * single answers: numbers, names and hosts never count. All patterns expect the text of `plain`.
 */

const any = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'));

/** The EVM ran, and this is what came of it: every node would say the same. */
export const execution = any(
  '\\brevert(?:ed|s|ing)?\\b',
  '\\bvm (?:execution error|exception|error)',
  '\\bevm (?:error|exception)',
  '(?:invalid|undefined|bad|unknown|designated invalid) ?(?:opcode|instruction|jump)',
  'opcode \\S+ not defined',
  'stack ?(?:over|under)flow|stack limit',
  'out ?of ?gas|gas exhausted|gas required exceeds|gas (?:uint64 )?overflow',
  'write protection|static ?call (?:state )?(?:change|violation)|state change during static|static context|built-?in failed',
  'return ?data out of bounds',
  'max(?:imum)? (?:call depth|code ?size|init ?code)|init ?code size|code size (?:limit|exceed|too)|call depth',
  'address collision|create ?collision',
  'precompile\\w* (?:\\S+ )?(?:fail|error)|execution fatal',
  'must not begin with 0xef',
  'memory limit exceeded during',
  'always failing transaction',
  'transaction (?:execution|processing) (?:error|failed|could not be completed)',
  'execution (?:halted|failed due to)',
  'out ?of ?funds?\\b',
  'simulation (?:failed|error)|during (?:transaction )?simulation',
  'contract (?:call|execution|validation) (?:failed|error)',
);

/** Money, nonce and gas of a transaction, in a call that only tries it. */
export const transactionFlaw = any(
  'insufficient (?:funds|balance|gas|fee)',
  'not enough (?:funds|balance|gas)',
  'nonce (?:is )?too (?:low|high)|nonce has max value',
  'intrinsic ?gas|floor data gas',
  'underpriced',
  'fee ?per ?(?:blob ?)?gas|fee ?cap|priority fee|gas ?price (?:is )?(?:too|below|less|lower)|base ?fee',
  'gas ?limit (?:is )?(?:too|exceed|reached|higher|provided|above)|(?:exceeds?|over|above) (?:the |allowed )?(?:block |transaction |max\\w* )*gas ?(?:limit|cap|allowance)',
  'gas cap (?:exhausted|exceeded)',
  'gas limit .*exceeds?',
  '(?:not an eoa|sender is(?:n.t| not) an? )',
  'blob(?:less)? (?:transaction|gas|hash|version)',
  'upfront cost|exceeds? (?:\\S+ ){0,4}balance',
  'transaction type not supported|unsupported transaction type',
  "value can't be",
);

/** What stands in the way of an answer; a refusal beside it is not believed. */
export const lost =
  /connect|database|leveldb|pebble|rocksdb|mdbx|i\/o|internal server error|service unavailable|bad gateway|\beof\b|no response/;

/** The network has this very transaction already. */
export const seen = any(
  'already (?:known|imported|exists?|pending|queued|present|received|submitted|mined|included|executed|processed|broadcast|finali[sz]ed)',
  'already in (?:the |our )?(?:\\S+ )?(?:mem|tx|transaction)?[ -]?(?:pool|cache|queue|chain|block)',
  'already been (?:\\S+ )?(?:imported|submitted|processed|included|mined|sent|broadcast|accepted|added|seen|received|executed)',
  'already (?:have|has|had|saw|seen|contains?|holds?|knows?) (?:this|the|that) (?:transaction|tx)',
  'already ?known|already ?in ?(?:tx|mem)? ?pool',
  '(?<!un)known transaction',
  'duplicate (?:transaction|tx)|(?:transaction|tx) (?:is )?(?:a )?duplicate',
  '(?:transaction|txn?) with (?:the )?same hash',
  'replay[ _]attack',
);
export const otherSeen =
  /nonce (?:is |has |was )?already|(?:same|this) nonce|already (?:reserved|used)|(?:account|contract|address|sender|authority) (?:\S+ )?already/;

/** The nonce was used: by another transaction, or by this one, which landed. */
export const spentNonce = any(
  'nonce (?:\\d+ )?(?:is |was |has |value )?(?:too low|already|been used|used|lower|less|stale|expired|consumed|below)',
  'old ?nonce|stale nonce|duplicate nonce|nonce too ?old|pool\\(stale',
  '(?:lower|less) than (?:the )?(?:\\S+ )?nonce',
  'invalid nonce|incorrect nonce|bad nonce|wrong nonce|nonce mismatch|nonce is \\d+ but',
  'sequence mismatch|invalid (?:account )?sequence',
  "(?:does not|doesn't) match (?:the )?(?:sender )?account nonce|correct nonce",
);

/** This node's pool has no room: says nothing of the transaction. */
export const poolFull = any(
  'pools? (?:is |are |was )?(?:currently )?(?:full|overflow\\w*|at capacity|exhausted)',
  'pool ?(?:overflow|full|size constraints|limit)',
  'queue (?:is )?full',
  'too many (?:\\S+ )?transactions',
  'dropped due to limit|immediately dropped',
  '(?<!in-flight )transaction limit reached',
);

/** The node follows the chain no longer, or not yet; a rollup's node has lost its sequencer. */
export const notReady = any(
  'not (?:yet |fully |currently )?(?:in |been )?sync',
  '(?:node|client|server|chain|backend|it|peer|still|is|currently) (?:is )?(?:still )?(?:syncing|synchroni[sz]ing|catching up|bootstrapping|starting|initiali[sz]ing)',
  '^syncing\\b|\\bnode ?is ?syncing|syncing to|no (?:servers?|nodes?) synced',
  'sync (?:is )?(?:still )?in progress',
  'not (?:done |finished )?bootstrap',
  'sequencer (?:is )?(?:\\S+ )?(?:not|un|down|busy|offline|fail)|no sequencer|sequencer \\S+ ?(?:error|timeout)',
  '(?:tx|transaction|mem) ?pool (?:is )?(?:currently )?(?:not enabled|disabled|not available|unavailable|not initiali|not ready)',
  'not (?:ready|healthy) (?:to|yet|for)',
);

/** A definite refusal of these bytes. */
export const refusedTransaction = any(
  '(?:insufficient|not enough) (?:\\S+ )?(?:funds|balance|gas|fees?|allowance|intrinsic)',
  'underpriced|under ?priced',
  '(?:fees?|gas ?price|tip|price|cost|feecap|maxfeepergas|priority fee)\\b.{0,60}(?:too (?:low|high|small)|below|less than|lower than|under|exceed|not high enough|minimum|at least|higher than|must be|cannot be)',
  'fee ?too ?low|feecap|fee cap|max ?fee|min(?:imum)? (?:gas ?price|fee|tip)',
  'gas ?limit|gas (?:is )?(?:too (?:low|high)|beyond)|intrinsic ?gas|floor data gas|block gas|unacceptable|too low priority',
  'exceeds? (?:the )?(?:configured|allowed|maximum|max|per-transaction)',
  'nonce (?:is |was |value )?(?:too|gap|must|should|mismatch|higher|greater|invalid|out of|exceed|has max|not|overflow)|nonce ?gap|(?:invalid|expected|future|same|lower|transaction) nonce|gapped|nonce is too|max nonce',
  '\\brlp\\b|decod|unmarshal|deseriali|malformed|serializ|truncated|trailing|not a valid hex|hex string',
  '(?:invalid|wrong|bad|unexpected|missing|incorrect|unsupported|forbidden|empty|no) (?:\\S+ )?(?:shard|sender|signature|signer|chain|network ?id|transaction|tx|raw|v, r, s|y ?parity|sidecar|blobs?|version|type|address|receiver|recipient|input|data|length)\\b',
  'signature|\\bsigner\\b|recover|failed ?to ?resolve ?sender|yparity|public key',
  'chain ?id',
  'replay.?protect|\\bunprotected\\b|\\beip-?\\d+',
  '(?:line|row|step|circuit|trace) (?:count|capacity|limit)s?\\b|(?:above|over|beyond) the (?:\\S+ )?(?:limit|maximum)',
  'oversized|too (?:large|big|long|short)|size (?:limit|exceed)|exceeds? (?:\\S+ )?size',
  'negative value|value (?:too|overflow)|overflow',
  '(?:transaction|tx|of) type\\b.{0,30}(?:not|un|disallow|reject|conflict)|transaction type',
  'blob|\\bkzg\\b|sidecar|commitment',
  'authori[sz]ation (?:list|tuple|nonce|chain|destination|signature)|delegat|authority',
  'not an? (?:eoa|externally)|sender (?:is|not)|sender account not',
  'init ?code|code size|contract creation',
  'black ?list(?:ed)?|deny ?list|spammer|sanction|censor|banned (?:address|account|sender)|is banned in|frozen|is not permitted|not (?:permitted|allowed|authori[sz]ed) to (?:send|deploy|create|transact)',
  '(?:transaction|tx|bundle|operation) (?:was |is |has been |got )?(?:rejected|invalid|refused|discarded|denied|expired|reverted)',
  '\\brejected\\b(?! due to (?:project|access))|marked the transaction',
  'upfront cost|overdraw|overdraft|outdated|exceeds? (?:\\S+ ){0,4}balance',
  'replac|higher priority|already reserved|conflict',
  'conditional|in-flight|account limit|future transaction|\\bgapped|too distant|too far',
  '\\baa\\d\\d\\b|user ?op|paymaster|entry ?point',
  'access list|counters',
  "value can't be|receiver's",
  'account (?:not found|does not exist|unknown)',
);

/** The question is too wide for a cap, and the caller can narrow it. */
export const tooWide = any(
  'rang(?:e|es) (?:is |are |was |of \\S+ )?(?:\\S+ ){0,3}(?:too|exceed|limit|over|greater|larger|wide|big|should|threshold|max|must|cannot|can not|not (?:be )?(?:supported|allowed))',
  '(?:exceed\\w*|limit\\w*|max\\w*|up to|over|large|wide|too|allowed|narrow\\w*|smaller|reduc\\w*|shorter|beyond) (?:\\S+ ){0,6}(?:block |height |slot |log |time |date )?range',
  'ranges over',
  'range of parameters',
  '(?:max(?:imum)?|at most|up to|limit(?:ed)?|exceed(?:s|ed|ing)?|over|more than|greater than|larger than|too many|no more than|less number of|fewer|size) (?:\\S+ ){0,7}(?:blocks?|results?|logs?|log entries|records?|entries|events|address(?:es)?|topics?|filters?|criteria|storage keys|keys|hashes|receipts|traces|bytes|[km]i?b|pages|pagination|duration|days|rows)\\b',
  '(?:blocks?|results?|logs?|records?|entries|events|addresses|topics|filters?|keys|receipts|traces|bytes)\\b\\S* (?:\\S+ ){0,6}(?:exceed|limit|too (?:large|many|big)|max(?:imum)?\\b|distance)',
  'blocks? distance|distance (?:between|of|is) (?:\\S+ ){0,4}blocks?',
  '(?:response|result|output|body|payload|content|message|entity|request|query|answer|reply|data|log|trace)s?(?: (?:data|set|size|length|body|result|payload))? (?:is |was |are |has |would be )?(?:too (?:big|large|long|wide|complex|heavy)|exceed)',
  '(?:response|result|output|body|payload|content|message|request|query|data) ?size',
  'exceeds? (?:the )?(?:max(?:imum)? )?(?:\\S+ )?(?:response|result|output|payload|body|message|buffer) ?(?:size|limit)?',
  'query (?:must be smaller|exceeds|time ?out|timed out|took too long|is too|returned (?:more|over)|limit|would return)',
  '(?:larger|bigger|greater) than max',
  'oversized',
  'narrow (?:down )?(?:your|the)|(?:reduce|limit|shorten|decrease) (?:your|the) (?:block|query|range|filter|search)',
);

/** The caller's batch is over a cap, or batches are not taken. */
export const batchCap = any(
  'batch(?:ed)? (?:request |requests |call |calls |rpc )*(?:is |are |was )?(?:too (?:large|long|big)|size|limit|amount|disabled|not (?:supported|allowed|enabled)|exceed|length|count)',
  '(?:calls|requests|items|entries|queries) in (?:a |the |one |your )?(?:\\S+ )?batch',
  'batch(?:es)? of (?:\\S+ ){1,5}(?:(?:calls|requests|items) )?(?:is |are )?(?:not (?:allowed|supported|permitted)|too|exceed)',
  'exceeds? (?:the )?max(?:imum)? batch|max(?:imum)? batch|batch(?:es)? (?:\\S+ ){0,4}(?:exceed|over|limit)',
);

/** What may be remembered of a node: it keeps only the newest. */
export const archive = any(
  '\\barchiv(?:e|al)\\b',
  'historical (?:data|requests?|queries|calls|access)(?: (?:is|are))? (?:not|require|only|unavailable|disabled)',
);

/** Blocks and state that are not here: gone, or not come yet. */
const thing =
  '(?:blocks?|headers?|state|world state|bod(?:y|ies)|block bod(?:y|ies)|receipts|height|epoch|tipset|snapshot|version|root|data|tries?|trie node|ledger|parent|hash)';
const lacking =
  "(?:(?:not|cannot) (?:be |yet |been |currently |fully )*(?:found|available|exist|processed|indexed|stored|kept|known|imported|finali[sz]ed|canonical|maintain\\w*|present|ready|accessible|retained|loaded)|unavailable|inaccessible|(?:does|do|did)(?: not|n't) (?:yet )?(?:exist|maintain)|missing|pruned|purged|discarded|expired|deleted|cleaned up|garbage.?collected|too old|too far|out ?of ?range|out-of-bounds|unknown|evicted|removed)";
const aheadOfHead =
  '(?:greater|higher|larger|newer) than (?:the )?(?:latest|current|head|highest|best|last|chain)';
/** A height that is not there yet is no width. */
export const ahead = new RegExp(aheadOfHead);
export const gone = any(
  'missing trie|trie (?:node )?(?:does not|missing|not found)',
  `\\b${thing}\\b (?:\\S+ ){0,9}?(?:is |was |are |were |has |have |could |can |been |already |in )*${lacking}`,
  `(?:missing|unknown|pruned|no such|unavailable|absent|nonexistent) ?(?:block|header|state|parent|tipset|snapshot|height)\\b`,
  '\\bno (?:block|header|state|world state|receipts?|tx|history|historical|body|snapshot|transactions snapshot)\\b (?:\\S+ )?(?:data|found|available|for|at|file|rpc|state)',
  '\\b(?:prun(?:ed|ing)|purged)\\b',
  'historical (?:state|balance|block|rpc|execution)|unsupported historical|history (?:is |has |not |already )',
  'old(?:er)? (?:data|blocks?|state)',
  '(?:could not|cannot|can not|unable to|failed to|could ?n.t) (?:find|locate|load|compute|retrieve|get|read) (?:\\S+ )?(?:block|header|state|receipts|finalizeblock|tipset|evm iavl store|version|body|snapshot)\\b',
  'loading messages for tipset|load state tree|bad tipset|null round|lookback',
  'retention (?:window|period|policy|limit|horizon)|(?:outside|beyond) (?:of )?(?:the |our )?(?:\\S+ )?retention',
  '(?:does|do)(?: not|n.t) (?:cover|keep|retain|reach back to) (?:\\S+ ){0,3}(?:height|block|state|history)\\b',
  'lowest height|earliest (?:available|block|height|known)|first (?:\\S+ )?(?:available|retained|block)|available only (?:after|from|for)|only available (?:after|from|for)|available only for',
  '(?:before|below|older than|less than|earlier than|prior to) (?:the )?(?:oldest|earliest|first|lowest|minimum) (?:\\S+ )?(?:block|height|state|available|allowed|kept|known|retained)',
  'beyond (?:the )?(?:current )?[\'"]?(?:head|tip|latest|chain)|after last accepted|ahead of (?:the )?(?:head|chain|current)',
  'future (?:block|epoch|height|tipset)|(?:in|at|from) the future|invalid block height|block (?:\\S+ )?(?:is )?too high|(?:block ?number|height) (?:\\S+ )?(?:is )?too high',
  'not (?:currently )?canonical|unfinali[sz]ed',
  aheadOfHead,
  'must be less than or equal to (?:the )?(?:current|latest|head|blockchain)',
  'out ?of ?range ?error|invalid block tag',
  'unsupported block (?:number|height)|block (?:number |height )?\\S+ is not supported',
  'historical limit',
  'unexpected state root|empty reader set|proof window|proofs are available only',
  'pre-bedrock|does not exist on height',
  'indexing is in progress|fully indexed|not (?:yet )?(?:been )?indexed',
  'seekinfiles|but data before|ipld: could not find',
  '\\bstate at block\\b|state for block',
);

/** A transaction, filter or account nobody knows: what `null` says elsewhere. */
export const unknownThing = any(
  '\\b(?:transactions?|tx|txn|receipt|traces?|user ?operations?|preimage) (?:\\S+ )?(?:(?:with|by|for) (?:\\S+ ){1,2})?(?:\\S+ )?(?:is |was |with \\S+ )?(?:not (?:be |yet )?found|not exist|unknown|does not exist|doesn.t exist)',
  '(?:cannot|can not|could not|unable to) find (?:the )?transaction|no (?:such )?transaction\\b(?!s)|unknown transaction(?! type)|(?:no|unknown) preimage',
  '\\bfilters? (?:\\S+ ){0,3}?(?:is |was )?(?:not (?:be )?found|not exist|unknown|does not exist|expired)|unknown filter|no such filter|invalid filter id',
  'subscription not found',
  'non.?exist(?:ing|ent) (?:contract|account|address)|account not found',
  'genesis (?:is )?not traceable|no transaction in genesis',
  'no (?:mining )?work available',
  'not an ancestor|tracing on top of pending',
);

/** The request itself is malformed. */
export const malformed = any(
  '(?:invalid|bad|malformed|wrong|incorrect|illegal|unexpected|ambiguous) (?:\\S+ ){0,2}(?:arguments?|params?|parameters?|inputs?|request|json|hex|address|topic|value|type|number|length|format|encoding|syntax|character|block|method parameters?|reward percentiles?|percentiles?|data|quantity|bytecode|tracer config|range)',
  'invalid_params|invalid_argument|invalid ?input',
  '(?:missing|required|requires?|expected?|expecting|needs?|too (?:few|many)|not enough|number of|without) (?:\\S+ ){0,4}(?:arguments?|params?|parameters?|argument|fields?|fromblock|method)\\b',
  'missing value for|without specifying|must (?:be|specify|have|contain|provide|start)|(?:is|are) required|cannot (?:specify|be) both|cannot specify|both \\S+ and',
  'unmarshal|deseriali|(?:un(?:able to )?|(?:failed|could not|cannot) (?:to )?)(?:parse|decode)|parse error|parsing|not valid json|not parse',
  'hex (?:string|number|has)|odd length|leading zero|0x prefix|without 0x|non-array args|needs to (?:come after|be different)',
  'no method specified|method (?:name )?(?:is )?(?:missing|empty|required)|invalid request|bad request|empty batch',
  '\\b(?:end|to)\\w* (?:\\S+ )?(?:<|is less than|is before|is smaller than|precedes) (?:begin|start|from)\\w*\\b',
  'checksum|json-?rpc (?:protocol )?(?:version )?(?:is )?not supported|must be less than end|start block|end block|\\brlp:|(?:duplicate|unknown|unexpected) field',
  'index (?:\\S+ )?(?:is )?out of|not specified|tracer function|server-side tracer|larger than (?:u?int|max)',
  '(?:negative|empty|non-string|non-hex) (?:\\S+ )?(?:block|address|value|number|transaction)',
);

/** The method, as such, is not offered. */
const denied =
  "(?:not (?:be |yet |currently |been )*(?:found|supported|available|allowed|enabled|implemented|exist|whitelisted|white-listed|allowlisted|permitted|recogni[sz]ed|known|registered|exposed|included|accessible|provided|offered|handled|part of)|(?:does|do)(?: not|n't) (?:exist|support)|isn't (?:supported|available|enabled|allowed)|unavailable|disabled|unknown|unsupported|restricted|blocked|forbidden|prohibited|deprecated|removed|turned off)";
export const noMethod = any(
  `\\bmethods?\\b (?:\\S+ ){0,3}?(?:is |are |was |has been )?(?:currently )?${denied}`,
  `\\b(?:eth|net|web3|debug|trace|arbtrace|txpool|ots|erigon|bor|zks|alchemy|parity|engine|admin|personal)_\\w+\\b(?: method| call| requests?)?(?: is| are| was)? (?:currently )?${denied}`,
  '(?:unsupported|unknown|unrecogni[sz]ed|unimplemented|disabled|forbidden|no such|disallowed|unhandled) (?:\\S+ )?(?:method|function|rpc call)',
  '(?:not|un) ?(?:yet )?implemented|^(?:\\S+ )?unsupported$',
  'containing module is disabled',
  `\\b(?:module|namespace|apis?(?![ -]?(?:keys?|tokens?))|debug|trac(?:e|es|ing)|mempool|txpool|profiling|feature|functionality|operation|operations)\\b (?:\\S+ ){0,4}?(?:is |are |has been )?${denied}`,
  'disabled in the \\S+ namespace',
  'unsupported (?:operation|feature|subscription)',
  '(?:publish|send|sending|submit|broadcast|relay|writ)\\w* (?:\\S+ )?(?:transactions? )?(?:is |are )?(?:not (?:supported|allowed|enabled|available)|disabled)',
  'read.?only (?:node|endpoint|mode|replica)|not supported (?:by|on|in) this (?:endpoint|node|network|chain|provider)',
  '(?:notifications|subscriptions?|filters?) (?:are |is )?(?:not (?:supported|allowed|enabled|available)|disabled)',
  'permission to (?:call|use) (?:\\S+ )?method|not allowed to (?:access|call|use) (?:\\S+ )?method',
  '(?:discovery|p2p) has been disabled',
  '(?:needs|requires?) (?:an? |the )?(?:\\S+ ){0,3}add-?on\\b',
);
/** A refusal of something about the call, not of the method as a whole. */
export const partOfMethod =
  /tracer|parameter|argument|\brange|override|block tag|\btag\b|type \d|transaction type|address|\bsize\b|pending|option|subscription|profiling/;
export const noTracer =
  /(?:custom|javascript|js|unsupported|unknown|native) ?(?:javascript |js |native )?trac(?:er|e)s?(?: code)?\b|trac(?:er|es?) (?:\S+ ){0,3}(?:not (?:found|supported|allowed|enabled|available|whitelisted)|disabled)/;

/** What only a better plan has. */
export const plan = any(
  '(?:your|current|this|free|the|a|paid|higher|growth|premium|enterprise|dedicated|discover|starter|basic|public|pro|business|developer) (?:\\S+ )?(?:plan|tier|subscription|package)\\b',
  'free ?-?tier|paid ?-?tier|upgrade\\b|pay as you go|\\bpayg\\b|order a dedicated|contact (?:sales|support) to',
);
export const offered =
  /not (?:\S+ )?(?:available|included|supported|enabled|allowed|offered|accessible|part of|permitted)|unavailable|disabled|requires?\b|only (?:available|on|for|supported)|does(?: not|n't) (?:include|have access|support)|upgrade (?:to|from|your)/;

/** A whole chain that the key or plan does not have. */
export const foreignChain = any(
  '\\b(?:chain|network|blockchain)s?\\b (?:\\S+ ){0,4}?(?:is |are )?(?:not (?:available|supported|included|enabled|allowed|active|accessible|part of)|unavailable|disabled|restricted|locked) (?:\\S+ ){0,4}(?:plan|tier|freetier|key|app|project|account|subscription|package)',
  '(?:key|token|app|project|account) (?:\\S+ ){0,4}(?:another|other|different|wrong) (?:chain|network)',
  "(?:key|token|app|project|account|plan|tier) (?:\\S+ )?(?:does not|doesn't|is not|not) (?:\\S+ ){0,3}(?:include|cover|support|have access to|allowed (?:on|for)|enabled for|valid for) (?:\\S+ ){0,3}(?:chain|network|blockchain)",
  'not enabled for (?:this|your|the) (?:app|key|project|account)',
);

export const addressRequired =
  /(?:specify|provide|include|supply|require[sd]?|must (?:have|contain|include|specify)|need|missing|without|no|add) (?:\S+ ){0,3}(?:contract )?address(?:es)?\b|address(?:es)? (?:is |are |filter |field )*(?:required|mandatory|must)/;

export const nodeTime = /time[ds]?[ -]?out|deadline exceeded|took too long|context cancel|timeoutexception/;

/** What a gateway says when a node behind it answered rubbish: the caller's JSON is not meant. */
export const rubbish =
  /(?:backend|upstream|node|server|provider|endpoint) (?:returned|sent|gave|answered|responded)(?: with)? (?:an? )?(?:malformed|invalid|bad|unexpected|empty|garbled|broken)|(?:invalid|wrong|bad|incorrect|unexpected|malformed|empty|garbled|no) (?:json-?rpc |json |rpc |http )?(?:response|reply|answer)|(?:decode|parse|unmarshal|read) (?:the )?(?:\S+ )?(?:body|response|reply)|invalid json|invalid character '<'|looking for beginning of value|unexpected end of json/;

/** The program itself failed. */
export const crash =
  /\bpanic|nil pointer|null pointer|runtime error|segmentation|stack trace|goroutine|unhandled|crashed/;

/** What stands before the node, or the node itself, is out: no code of a refusal is believed beside it. */
export const outage =
  /time[ds]?[ -]?out|deadline|unavailable|backend|upstream|gateway|internal|overload|busy|offline|try again|retry|connect/;

/** Trouble of the node or of what stands before it. */
export const trouble = any(
  'internal|server error|\\bpanic|crash|exception|bug\\b|unexpected error|unknown error|something went wrong|fatal',
  'time[ds]?[ -]?out|deadline|cancel',
  'unavailable|not available|try again|retry|overload|busy|capacity|exhausted|too (?:busy|much load)|resource',
  'upstream|backend|dependent service|gateway|proxy|relay|provider|cluster|mirror node|consensus node',
  'connect|socket|network|dns|\\beof\\b|reset|broken pipe|handshake|unreachable|no route|dial|transport|websocket',
  'no (?:\\S+ )?(?:node|server|rpc|endpoint|peer|host|response|block)s?\\b|not enough rpcs|servers? synced|lagg(?:ed|ing)|\\bstale\\b|behind',
  'sync|closed|closing|shut|stopp|maintenance|restart|draining|unhealthy|not healthy|offline|\\bdown\\b',
  'database|leveldb|pebble|rocksdb|mdbx|badger|corrupt|\\bdisk|i/o|memory',
  'failed|failure|unable|could not|cannot|can.t|error (?:\\S+ )?(?:invoking|retriev|fetching|reading|creating)|incorrect response|invalid (?:json )?response',
);
