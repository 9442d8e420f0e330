#!/bin/bash
# Entry point of the stand-in for mongo:8: FerretDB on PostgreSQL with DocumentDB, started as the real image starts
# mongod. Of its options only the root user's name and password matter here: there is no replica set behind it.
set -euo pipefail
if [ "${1:-}" != mongod ]; then exec "$@"; fi
if [ "$(id -u)" = 0 ]; then
  chown mongodb:mongodb /data/db
  exec setpriv --reuid=999 --regid=999 --clear-groups "$0" "$@"
fi

prefix=/opt/documentdb
sockets=$(mktemp -d)
data=/data/db/postgres
is_new=
if [ ! -e "$data" ]; then
  is_new=1
  rm -rf "$data.partial"
  cp -r "$prefix/cluster" "$data.partial"
  chmod -R go-rwx "$data.partial"
  mv "$data.partial" "$data"
fi
rm -f "$data/postmaster.pid"

"$prefix/usr/lib/postgresql/18/bin/postgres" -D "$data" -k "$sockets" \
  -c "documentdb.localhost_connection_string=host='$sockets'" &
postgres=$!
trap 'kill -INT $postgres; wait $postgres; exit 0' TERM INT
libraries=$(echo "$prefix"/usr/lib/*-linux-gnu)
sql() { "$(echo "$prefix"/usr/lib*/ld-linux-*.so.*)" --library-path "$libraries" "$prefix/usr/lib/postgresql/18/bin/psql" -qAt -h "$sockets" -U postgres postgres "$@"; }
until sql -c "select 1" >/dev/null 2>&1; do sleep 0.1; done

auth=--no-auth
if [ -n "${MONGO_INITDB_ROOT_USERNAME:-}" ]; then
  auth=--auth
  roles='[{"role":"readWriteAnyDatabase","db":"admin"},{"role":"clusterAdmin","db":"admin"}]'
  user="{\"createUser\":\"$MONGO_INITDB_ROOT_USERNAME\",\"pwd\":\"$MONGO_INITDB_ROOT_PASSWORD\",\"roles\":$roles}"
  if [ -n "$is_new" ]; then sql -v "user=$user" <<<"select documentdb_api.create_user(:'user')" >/dev/null; fi
fi

ferretdb "--postgresql-url=postgres://postgres@/postgres?host=${sockets//\//%2F}" --listen-addr=:27017 "$auth" \
  --state-dir=/data/db --debug-addr=- --telemetry=disable --log-level=error &
wait -n
