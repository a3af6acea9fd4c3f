#!/usr/bin/env bash
# Start the service on this machine with settings fit for development.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
cd "$here"

: "${PARCELS_ENV:=development}"
: "${PARCELS_PORT:=8080}"
export PARCELS_ENV

port_is_free() {
    ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

if ! port_is_free "$PARCELS_PORT"; then
    echo "port $PARCELS_PORT is taken, set PARCELS_PORT" >&2
    exit 1
fi

exec python -m parcels serve --settings settings/service.toml --port "$PARCELS_PORT"
