import { type ParseArgsConfig, parseArgs } from "node:util";

type Option = readonly [
  fallback: number | string | boolean | readonly string[] | undefined,
  takes: string,
  help: string,
];
type Value<T> = T extends number
  ? number
  : T extends boolean
    ? boolean
    : T extends readonly unknown[]
      ? string[]
      : T extends string
        ? string
        : string | undefined;

/**
 * Returns the options of a command, and a function that rejects an invalid value as `readArguments` does. The default
 * decides what an option takes: a number (`NaN` is a number without a default), a text, nothing (`false`), or several
 * texts (`[]`).
 */
export function readOptions<const T extends Record<string, Option>>(usage: string, options: T) {
  const all = Object.entries(options);
  const labels = all.map(([name, [, takes]]) => `--${name} ${takes}`.trimEnd());
  const width = Math.max(...labels.map(({ length }) => length));
  const lines = all.map(([, [fallback, , help]], index) => {
    const shown = fallback && String(fallback) ? ` (${fallback})` : "";
    return `  ${labels[index]?.padEnd(width)}  ${help}${shown}`;
  });
  const help = `${usage} -- [options]\n${lines.join("\n")}`;
  const reject = (reason: string): never => exitWithUsage(help, reason);
  const config = all.map(([name, [fallback]]) => {
    const type = typeof fallback === "boolean" ? "boolean" : "string";
    return [name, { type, multiple: Array.isArray(fallback) }] as const;
  });
  const given = readArguments(help, { options: Object.fromEntries(config) }).values;
  const entries = all.map(([name, [fallback]]) => {
    const value = given[name] ?? fallback;
    if (typeof fallback !== "number") return [name, value];
    if (given[name] !== undefined && !/^\d+(\.\d+)?$/.test(String(value))) reject(`--${name} takes a number`);
    return [name, Number(value)];
  });
  return { values: Object.fromEntries(entries) as { [Name in keyof T]: Value<T[Name][0]> }, reject };
}

/**
 * Returns the arguments of a command, parsed by `parseArgs`. `--help` prints the help and ends the command; invalid
 * arguments end it with exit code 2.
 */
export function readArguments<const T extends ParseArgsConfig>(help: string, config: T) {
  if (process.argv.slice(2).includes("--help")) {
    process.stdout.write(`${help}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return exitWithUsage(help, (error as Error).message.replace(/\. .*/s, ""));
  }
}

/** Prints the reason and the help, and ends the command with exit code 2. */
export function exitWithUsage(help: string, reason: string): never {
  process.stderr.write(`${reason}\n\n${help}\n`);
  process.exit(2);
}
