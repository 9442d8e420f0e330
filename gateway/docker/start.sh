#!/bin/sh
# Starts the gateway in its container. nginx writes only to /tmp.
set -eu
sh /etc/gateway/settings.sh resolve >/tmp/settings.conf
exec nginx -e stderr -p /tmp -c /etc/gateway/nginx.conf "$@"
