import { type ParseArgsConfig, parseArgs } from "node:util";

const NUMBER = /^\d+(\.\d+)?$/;

/**
 * The arguments of a command, as `parseArgs` reads them. `--help` prints the help and ends the command; what cannot be read
 * is refused. An option whose default is a number takes numbers only.
 */
export function readArguments<const T extends ParseArgsConfig>(help: string, config: T) {
  if (process.argv.slice(2).includes("--help")) {
    process.stdout.write(`${help}\n`);
    process.exit(0);
  }
  try {
    const parsed = parseArgs(config);
    for (const [name, value] of Object.entries(parsed.values)) {
      const isNumber = NUMBER.test(String(config.options?.[name]?.default));
      if (isNumber && !NUMBER.test(String(value))) throw new Error(`--${name} takes a number`);
    }
    return parsed;
  } catch (error) {
    return refuse(help, (error as Error).message.replace(/\. .*/s, ""));
  }
}

/** Ends a command whose arguments make no sense: one line that says why, the help, exit code 2. */
export function refuse(help: string, why: string): never {
  process.stderr.write(`${why}\n\n${help}\n`);
  process.exit(2);
}
