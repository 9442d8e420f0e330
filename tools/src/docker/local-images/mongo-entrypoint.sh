#!/bin/bash
# Entry point of the local image of mongo:8. Like the original's, it creates the root user at the first start.
set -euo pipefail
if [ "${1:-}" != mongod ]; then exec "$@"; fi
if [ "$(id -u)" = 0 ]; then
  chown mongodb:mongodb /data/db
  exec setpriv --reuid=999 --regid=999 --clear-groups "$0" "$@"
fi
if [ -n "${MONGO_INITDB_ROOT_USERNAME:-}" ]; then
  if [ ! -e /data/db/WiredTiger ]; then
    mongod --fork --bind_ip 127.0.0.1 --logpath /tmp/first-start.log
    mongosh --quiet admin --eval '
      const { MONGO_INITDB_ROOT_USERNAME: user, MONGO_INITDB_ROOT_PASSWORD: pwd } = process.env;
      db.createUser({ user, pwd, roles: ["root"] })'
    mongod --shutdown
  fi
  set -- "$@" --auth
fi
exec "$@"
