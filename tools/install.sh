#!/bin/sh
# Installs the npm dependencies when package-lock.json has changed since the last time; else it returns at once.
set -eu
cd "$(dirname "$0")/.."
stamp=node_modules/.messageoh-lock
installed() { cmp -s package-lock.json "$stamp"; }
installed && exit 0

# A folder is the lock, because mkdir is atomic everywhere; it names its holder, so that a killed one does not block.
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
# npm ci refuses a lock file that was written where the packages for other systems could not be looked up. npm install
# takes the same versions from it and adds those for this system.
options="--no-audit --no-fund --loglevel=error"
npm ci $options >.cache/npm-ci.log 2>&1 || npm install --no-save $options
cp package-lock.json "$stamp"
