-- The index file. Read by everybody, written once by the indexer, then swapped in whole.
-- Lines are 1-based and inclusive. fields of trigrams and terms: 0 name, 1 path, 2 doc, 3 body.
CREATE TABLE meta (key VARCHAR NOT NULL, value VARCHAR NOT NULL);
CREATE TABLE files (
    file_id UINTEGER NOT NULL, path VARCHAR NOT NULL, language VARCHAR, bytes UBIGINT NOT NULL,
    lines UINTEGER NOT NULL, sha256 VARCHAR NOT NULL, mtime_ns BIGINT NOT NULL,
    status VARCHAR NOT NULL, reason VARCHAR);
CREATE TABLE chunks (
    chunk_id UINTEGER NOT NULL, file_id UINTEGER NOT NULL, kind VARCHAR NOT NULL, name VARCHAR NOT NULL,
    start_line UINTEGER NOT NULL, end_line UINTEGER NOT NULL, text VARCHAR NOT NULL, is_test BOOLEAN NOT NULL);
CREATE TABLE symbols (
    symbol_id UINTEGER NOT NULL, file_id UINTEGER NOT NULL, chunk_id UINTEGER NOT NULL, parent_id UINTEGER,
    name VARCHAR NOT NULL, qualified_name VARCHAR NOT NULL, kind VARCHAR NOT NULL, signature VARCHAR NOT NULL,
    doc VARCHAR NOT NULL, line UINTEGER NOT NULL, start_line UINTEGER NOT NULL, end_line UINTEGER NOT NULL,
    exported BOOLEAN NOT NULL, is_test BOOLEAN NOT NULL);
CREATE TABLE trigrams (trigram UINTEGER NOT NULL, chunk_id UINTEGER NOT NULL, field UTINYINT NOT NULL, count UINTEGER NOT NULL);
CREATE TABLE terms (term VARCHAR NOT NULL, chunk_id UINTEGER NOT NULL, field UTINYINT NOT NULL, count UINTEGER NOT NULL);
-- Token counts per chunk and field: the length normalisation of BM25.
CREATE TABLE lengths (chunk_id UINTEGER NOT NULL, field UTINYINT NOT NULL, tokens UINTEGER NOT NULL);
CREATE TABLE call_sites (
    site_id UINTEGER NOT NULL, file_id UINTEGER NOT NULL, caller_id UINTEGER NOT NULL, name VARCHAR NOT NULL,
    receiver VARCHAR, line UINTEGER NOT NULL, resolution VARCHAR NOT NULL);
CREATE TABLE edges (
    src UINTEGER NOT NULL, dst UINTEGER NOT NULL, kind VARCHAR NOT NULL, confidence FLOAT NOT NULL,
    provenance VARCHAR NOT NULL, line UINTEGER NOT NULL, site_id UINTEGER);
CREATE TABLE centrality (symbol_id UINTEGER NOT NULL, pagerank DOUBLE NOT NULL, in_degree UINTEGER NOT NULL, out_degree UINTEGER NOT NULL);
-- One row a distinct embedded text; chunk_vectors says which chunk has which.
CREATE TABLE embeddings (text_sha VARCHAR NOT NULL, model VARCHAR NOT NULL, vector BLOB NOT NULL);
CREATE TABLE chunk_vectors (chunk_id UINTEGER NOT NULL, text_sha VARCHAR NOT NULL, model VARCHAR NOT NULL);
