import { Socket } from "node:net";

// A service of a stack with links loads this module before its own code. It sends the connections to each loopback port
// of STACK_LINKS to the port of the link, so that the service keeps its settings, and addresses that a datastore
// advertises go through a link as well.
const links: Record<string, number> = JSON.parse(process.env.STACK_LINKS ?? "{}");

const connect = Socket.prototype.connect;
type Target = { host?: string; port?: number | string };

Socket.prototype.connect = function (this: Socket, ...given: unknown[]): Socket {
  // `net.connect` passes its own arguments as one array, with the options first.
  const list: unknown[] = Array.isArray(given[0]) ? given[0] : given;
  const target = list[0] as Target | undefined;
  const port = typeof target === "object" && target?.port !== undefined ? links[target.port] : undefined;
  if (port !== undefined) list[0] = { ...target, port };
  return Reflect.apply(connect, this, given) as Socket;
} as typeof connect;
