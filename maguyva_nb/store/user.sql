-- What belongs to the user and outlives every index.
CREATE TABLE IF NOT EXISTS meta (key VARCHAR PRIMARY KEY, value VARCHAR NOT NULL);
CREATE TABLE IF NOT EXISTS vectors (text_sha VARCHAR NOT NULL, model VARCHAR NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (text_sha, model));
CREATE TABLE IF NOT EXISTS runs (id VARCHAR PRIMARY KEY, created_at TIMESTAMP NOT NULL, source VARCHAR NOT NULL, "commit" VARCHAR, model VARCHAR NOT NULL, config VARCHAR NOT NULL, query_set VARCHAR NOT NULL, metrics JSON NOT NULL, per_query JSON NOT NULL);
