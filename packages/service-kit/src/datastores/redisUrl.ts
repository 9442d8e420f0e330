/** Where Redis is, and the login. */
export interface RedisPlace {
  /** `node`: one server; `cluster`: nodes of a Redis Cluster; `sentinel`: Sentinels that know the current primary. */
  kind: "node" | "cluster" | "sentinel";
  hosts: { host: string; port: number }[];
  /** Name of the primary that the Sentinels watch. */
  name: string;
  username: string | undefined;
  password: string | undefined;
  isTls: boolean;
}

/** Error text for a connection string of another form. */
export const REDIS_URL_FORM =
  "Write it as redis://HOST:PORT, redis://HOST:PORT,HOST:PORT for a cluster, or redis+sentinel://HOST:PORT,HOST:PORT/NAME";
const PATTERN = /^redis(s?)(\+sentinel)?:\/\/(?:(.*)@)?([^@/?]+)(?:\/([^?]*))?(?:\?.*)?$/;

/**
 * Parses a connection string: `redis://` or `rediss://` with one address, or with several of a cluster, or
 * `redis+sentinel://` with Sentinels and the name of their primary.
 * @throws Error if it has another form
 */
export function parseRedisUrl(url: string): RedisPlace {
  const [, tls, sentinel, login, addresses = "", path = ""] = PATTERN.exec(url) ?? [];
  const urls = addresses.split(",").map((address) => URL.parse(`redis://${login ? `${login}@` : ""}${address}`));
  const kind = sentinel ? "sentinel" : urls.length > 1 ? "cluster" : "node";
  const hasPath = path !== "";
  if (!urls.every((each) => each?.hostname) || (kind === "sentinel" && !hasPath) || (kind === "cluster" && hasPath)) {
    throw new Error(REDIS_URL_FORM);
  }
  const { username, password } = urls[0] as URL;
  return {
    kind,
    hosts: urls.map((each) => ({
      host: (each?.hostname ?? "").replace(/^\[|\]$/g, ""),
      port: Number(each?.port || (sentinel ? 26_379 : 6_379)),
    })),
    name: decodeURIComponent(path),
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    isTls: tls === "s",
  };
}

export function isRedisUrl(url: string): boolean {
  try {
    parseRedisUrl(url);
    return true;
  } catch {
    return false;
  }
}
