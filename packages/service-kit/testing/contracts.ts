import type { Endpoint } from "@messageoh/contracts/endpoint";

/** The names of the calls that a module of contracts describes. */
export type CallsOf<Module> = {
  [Name in keyof Module]: Module[Name] extends Endpoint ? Name : never;
}[keyof Module];

/** The calls that a module of contracts describes, by name. */
export function endpointsOf<Module extends object>(module: Module): [name: CallsOf<Module>, endpoint: Endpoint][] {
  return Object.entries(module).filter(isCall) as [CallsOf<Module>, Endpoint][];
}

function isCall([, value]: [string, unknown]): boolean {
  return typeof value === "object" && value !== null && "method" in value && "path" in value;
}
