#!/bin/sh
# Prints settings.conf, the part of the gateway's configuration that depends on the environment:
#   PUBLIC_ORIGIN    origin that browsers use, such as https://chat.example.com; required if a proxy terminates TLS
#   TRUSTED_PROXIES  addresses or networks of such proxies, separated by commas; only their forwarded headers count
set -eu

fail() {
  echo "Setting $1" >&2
  exit 1
}

origin=${PUBLIC_ORIGIN:-}
origin=$(printf %s "${origin%/}" | tr '[:upper:]' '[:lower:]')
scheme=${origin%%://*}
host=${origin#*://}
case $origin in
  "") ;;
  http://?* | https://?*)
    case $host in *[!a-z0-9.:_[\]-]*) fail "PUBLIC_ORIGIN must be an origin such as https://chat.example.com" ;; esac
    # Browsers omit the default port.
    case $scheme in http) host=${host%:80} ;; https) host=${host%:443} ;; esac
    ;;
  *) fail "PUBLIC_ORIGIN must begin with https:// or http://" ;;
esac
case $host in
  \[*) name=${host%%]*}] ;;
  *) name=${host%%:*} ;;
esac

proxies=$(printf %s "${TRUSTED_PROXIES:-}" | tr ',' ' ')
for proxy in $proxies; do
  case $proxy in
    *[!0-9a-fA-F.:/]*) fail "TRUSTED_PROXIES must be addresses or networks, separated by commas" ;;
  esac
done

echo "# Written by settings.sh at every start."
echo 'geo $realip_remote_addr $is_trusted_proxy {'
echo '  default 0;'
for proxy in $proxies; do echo "  $proxy 1;"; done
echo '}'
echo 'real_ip_header X-Forwarded-For;'
echo 'real_ip_recursive on;'
for proxy in $proxies; do echo "set_real_ip_from $proxy;"; done

if [ -z "$origin" ]; then
  echo 'map "$is_trusted_proxy $http_x_forwarded_proto" $public_scheme { default $scheme; "1 https" https; }'
  echo 'map "" $public_host { default $http_host; }'
  echo 'map "" $is_known_host { default 1; }'
  echo 'map "" $came_unencrypted { default 0; }'
else
  echo "map \"\" \$public_scheme { default $scheme; }"
  echo "map \"\" \$public_host { default \"$host\"; }"
  echo "map \$host \$is_known_host { default 0; \"$name\" 1; }"
  echo "map \"\$is_trusted_proxy \$http_x_forwarded_proto $scheme\" \$came_unencrypted { default 0; \"1 http https\" 1; }"
fi
