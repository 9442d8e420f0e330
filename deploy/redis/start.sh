#!/bin/sh
# Starts Redis in a container. With REDIS_NODES it is one node of a Redis Cluster, which has the name of its host:
#   REDIS_NODES     names of all nodes, separated by spaces: those that get the slots, then their replicas
#   REDIS_REPLICAS  replicas of each node (0)
# Passes the password in a file, because other processes can read a command line.
set -eu
umask 077
printf 'requirepass %s\nmasterauth %s\n' "$REDIS_PASSWORD" "$REDIS_PASSWORD" >/tmp/redis.conf
password=$REDIS_PASSWORD
unset REDIS_PASSWORD
[ "${REDIS_NODES:-}" ] || exec redis-server /tmp/redis.conf --dir /data --save 300 1

host=$(cat /etc/hostname)
slots=16384
count=0
for node in $REDIS_NODES; do
  case $node in "$host" | "$host".*) name=$node index=$count ;; esac
  count=$((count + 1))
done
masters=$((count / (1 + ${REDIS_REPLICAS:-0})))

# Resolves the id of the node with slots that is at an address, or of the one that has replaced it.
id_of_master() {
  timeout 2 redis-cli -h "$1" cluster nodes | grep myself | { read -r id _ _ master _; [ "$master" = - ] && echo "$id" || echo "$master"; }
}

# Has slots or replicates a node that has some.
has_role() {
  redis-cli cluster nodes | grep myself | grep -Eq 'slave| connected [0-9]'
}

# Joins the other nodes. Addresses change when containers are replaced, so it does so at every start. A node refuses the
# commands that would change its role.
join() {
  until redis-cli ping | grep -q PONG; do sleep 1; done
  if [ "$index" -lt "$masters" ]; then
    redis-cli cluster set-config-epoch $((index + 1))
    redis-cli cluster addslotsrange $((slots * index / masters)) $((slots * (index + 1) / masters - 1))
  fi
  address=$(grep -E "[[:space:]]$host([[:space:]]|$)" /etc/hosts | head -n 1 | cut -f 1)
  position=0
  for node in $REDIS_NODES; do
    # Schedulers place every third node of three in the same zone, so a replica is of the next node.
    [ "$position" = $(((index + 1) % masters)) ] && master=$node
    position=$((position + 1))
    [ "$node" = "$name" ] && continue
    # A node that starts later does this itself.
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      timeout 2 redis-cli -h "$node" cluster meet "$address" 6379 && break || sleep 1
    done
  done
  while [ "$index" -ge "$masters" ] && ! has_role; do
    redis-cli cluster replicate "$(id_of_master "$master")" || true
    sleep 1
  done
}

export REDISCLI_AUTH="$password"
join &
unset REDISCLI_AUTH
# Clients connect to names, because addresses change.
exec redis-server /tmp/redis.conf --dir /data --dbfilename cluster.rdb --save "" \
  --cluster-enabled yes --cluster-node-timeout 5000 --repl-diskless-sync-delay 0 \
  --cluster-announce-hostname "$name" --cluster-preferred-endpoint-type hostname
