#!/bin/sh
# Installs the npm dependencies if package-lock.json has changed since the last run.
set -eu
cd "$(dirname "$0")/.."
stamp=node_modules/.messageoh-lock
installed() { cmp -s package-lock.json "$stamp"; }
installed && exit 0

# The lock is a folder, because mkdir is atomic. It contains the pid of its holder, so that a killed one does not block.
mkdir -p .cache
lock=.cache/install.lock
until mkdir "$lock" 2>/dev/null; do
  holder=$(cat "$lock/pid" 2>/dev/null || true)
  if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then rm -rf "$lock"; else sleep 1; fi
done
echo $$ >"$lock/pid"
trap 'rm -rf "$lock"' EXIT
trap 'exit 130' INT TERM HUP
installed && exit 0

echo "Installing npm dependencies (about a minute) ..."
# npm ci rejects a lock file without the packages of other platforms; npm install uses the same versions and adds those
# of this platform.
options="--no-audit --no-fund --loglevel=error"
npm ci $options >.cache/npm-ci.log 2>&1 || npm install --no-save $options
cp package-lock.json "$stamp"
