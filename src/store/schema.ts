/**
 * The tables, as ordered steps; `user_version` counts the steps a file has taken. A step that has shipped is never
 * edited: a change is a new step. Times are wall clock ms since 1970.
 */

const first = `
CREATE TABLE meta (one INTEGER PRIMARY KEY CHECK (one = 1), touched INTEGER NOT NULL) STRICT;

-- The only table with secrets: whole URLs and header values.
CREATE TABLE endpoint (
  chain TEXT NOT NULL, name TEXT NOT NULL, url TEXT NOT NULL, headers TEXT NOT NULL, settings TEXT NOT NULL,
  added INTEGER NOT NULL, PRIMARY KEY (chain, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE override (
  chain TEXT NOT NULL, endpoint TEXT NOT NULL, what TEXT NOT NULL, value INTEGER NOT NULL,
  made INTEGER NOT NULL, until INTEGER, PRIMARY KEY (chain, endpoint, what)
) STRICT, WITHOUT ROWID;

CREATE TABLE learned (
  subject TEXT NOT NULL, fact TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (subject, fact)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, kind TEXT NOT NULL, chain TEXT NOT NULL,
  endpoint TEXT, level TEXT NOT NULL, text TEXT NOT NULL, detail TEXT
) STRICT;
CREATE INDEX event_time ON event (time);

CREATE TABLE minute (
  start INTEGER NOT NULL, identity_key TEXT NOT NULL, chain TEXT NOT NULL, endpoint TEXT NOT NULL,
  requests INTEGER NOT NULL, verdicts TEXT NOT NULL, latency TEXT NOT NULL, lag_median REAL, lag_worst REAL,
  out_ms REAL NOT NULL, probes INTEGER NOT NULL, circuit_openings INTEGER NOT NULL,
  PRIMARY KEY (start, identity_key)
) STRICT, WITHOUT ROWID;
CREATE TABLE hour (
  start INTEGER NOT NULL, identity_key TEXT NOT NULL, chain TEXT NOT NULL, endpoint TEXT NOT NULL,
  requests INTEGER NOT NULL, verdicts TEXT NOT NULL, latency TEXT NOT NULL, lag_median REAL, lag_worst REAL,
  out_ms REAL NOT NULL, probes INTEGER NOT NULL, circuit_openings INTEGER NOT NULL,
  PRIMARY KEY (start, identity_key)
) STRICT, WITHOUT ROWID;

-- One row an attempt. tx_key is the transaction id, or the digest where the bytes give no id; hex ids are the same
-- in either case. No outcome yet: pending.
CREATE TABLE broadcast (
  row INTEGER PRIMARY KEY AUTOINCREMENT, chain TEXT NOT NULL, method TEXT NOT NULL, tx_id TEXT,
  tx_key TEXT NOT NULL COLLATE NOCASE, digest TEXT NOT NULL, options TEXT NOT NULL, endpoint TEXT NOT NULL,
  identity_key TEXT NOT NULL, request_id TEXT NOT NULL, attempt INTEGER NOT NULL, earlier INTEGER,
  began INTEGER NOT NULL, outcome TEXT, reached TEXT, ms REAL, rule TEXT, answer BLOB, ended INTEGER
) STRICT;
CREATE INDEX broadcast_tx ON broadcast (tx_key, chain);
CREATE INDEX broadcast_began ON broadcast (began);
CREATE INDEX broadcast_pending ON broadcast (row) WHERE outcome IS NULL;

-- One row a transaction that is, or was, looked up.
CREATE TABLE follow_up (
  chain TEXT NOT NULL, tx_key TEXT NOT NULL COLLATE NOCASE, reason TEXT NOT NULL, opened INTEGER NOT NULL,
  looks INTEGER NOT NULL DEFAULT 0, last_look INTEGER, latest TEXT, height INTEGER, first_seen INTEGER,
  settled INTEGER, how TEXT, note TEXT, who TEXT, PRIMARY KEY (chain, tx_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX follow_up_open ON follow_up (chain, tx_key) WHERE settled IS NULL;

CREATE TABLE timeline (
  id INTEGER PRIMARY KEY AUTOINCREMENT, chain TEXT NOT NULL, tx_key TEXT NOT NULL COLLATE NOCASE,
  row INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE INDEX timeline_tx ON timeline (tx_key, chain);

CREATE TABLE audit (
  id INTEGER PRIMARY KEY, time INTEGER NOT NULL, who TEXT NOT NULL, action TEXT NOT NULL, chain TEXT,
  target TEXT, result TEXT NOT NULL, detail TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit rows are never changed'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'audit rows are never removed'); END;
`;

/** What settling needs to know of the signed bytes, as JSON text of the family's. */
const factsOfBroadcasts = 'ALTER TABLE broadcast ADD COLUMN facts TEXT;';

export const steps: readonly string[] = [first, factsOfBroadcasts];
