#!/bin/sh
# Prints settings.conf, the part of the gateway's configuration that depends on the environment:
#   PUBLIC_ORIGIN    origin that browsers use, such as https://chat.example.com; required if a proxy terminates TLS
#   TRUSTED_PROXIES  addresses or networks of such proxies, separated by commas; only their forwarded headers count
#   S3_URL           S3 server that stores the files of messages, such as https://s3.example.com; without it, a folder does
# The argument `resolve` makes nginx follow changes of the S3 server's address.
set -eu

fail() {
  echo "Setting $1" >&2
  exit 1
}

# Splits the address in a setting into $scheme, $host, with the port if it is not the default, and $name. Empty without one.
split() {
  address=$(printf %s "${2%/}" | tr '[:upper:]' '[:lower:]')
  scheme=${address%%://*}
  host=${address#*://}
  case $address in
    "") ;;
    http://?* | https://?*)
      case $host in *[!a-z0-9.:_[\]-]*) fail "$1 must be an origin such as $3" ;; esac
      # Clients omit the default port, also in what they sign.
      case $scheme in http) host=${host%:80} ;; https) host=${host%:443} ;; esac
      ;;
    *) fail "$1 must begin with https:// or http://" ;;
  esac
  case $host in
    \[*) name=${host%%]*}] ;;
    *) name=${host%%:*} ;;
  esac
}

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

split PUBLIC_ORIGIN "${PUBLIC_ORIGIN:-}" https://chat.example.com
if [ -z "$address" ]; then
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

split S3_URL "${S3_URL:-}" https://s3.example.com
echo "upstream s3 {"
if [ -z "$address" ]; then
  scheme=http
  echo "  server 127.0.0.1:9 down;"
else
  port=
  if [ "$host" = "$name" ]; then case $scheme in http) port=:80 ;; https) port=:443 ;; esac fi
  echo "  zone s3 64k;"
  # There is no other server.
  echo "  server $host$port ${1:-} max_fails=0;"
  echo "  keepalive 16;"
  echo "  keepalive_timeout 4s;"
fi
echo "}"
echo "map \"\" \$s3_scheme { default $scheme; }"
echo "map \"\" \$s3_host { default \"$host\"; }"
echo "map \"\" \$s3_name { default \"$name\"; }"
certificates=/etc/ssl/certs/ca-certificates.crt
if [ "$scheme" = https ]; then
  [ -r "$certificates" ] || fail "S3_URL needs the certificates in $certificates"
  echo "proxy_ssl_trusted_certificate $certificates;"
  echo "proxy_ssl_verify on;"
  # As in svc-media. By default, nginx accepts one intermediate certificate only.
  echo "proxy_ssl_verify_depth 100;"
fi
