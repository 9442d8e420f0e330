import type { Endpoint } from "@messageoh/contracts/endpoint";

/** Names of the endpoints that a module of the contracts exports. */
export type CallsOf<Module> = {
  [Name in keyof Module]: Module[Name] extends Endpoint ? Name : never;
}[keyof Module];

/** Returns the endpoints that a module of the contracts exports, with their names. */
export function endpointsOf<Module extends object>(module: Module): [name: CallsOf<Module>, endpoint: Endpoint][] {
  return Object.entries(module).filter(isCall) as [CallsOf<Module>, Endpoint][];
}

function isCall([, value]: [string, unknown]): boolean {
  return typeof value === "object" && value !== null && "method" in value && "path" in value;
}
