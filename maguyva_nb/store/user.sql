-- What belongs to the user and outlives every index.
CREATE TABLE IF NOT EXISTS meta (key VARCHAR PRIMARY KEY, value VARCHAR NOT NULL);
CREATE TABLE IF NOT EXISTS vectors (text_sha VARCHAR NOT NULL, model VARCHAR NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (text_sha, model));
CREATE TABLE IF NOT EXISTS queries (asked_at TIMESTAMP NOT NULL, source VARCHAR NOT NULL, query VARCHAR NOT NULL, preset VARCHAR NOT NULL, intent VARCHAR NOT NULL);
