import { type ParseArgsConfig, parseArgs } from "node:util";

const NUMBER = /^\d+(\.\d+)?$/;

/**
 * Returns the arguments of a command, parsed by `parseArgs`. `--help` prints the help and ends the command; invalid
 * arguments end it with exit code 2. An option whose default is a number accepts numbers only.
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
    return exitWithUsage(help, (error as Error).message.replace(/\. .*/s, ""));
  }
}

/** Prints the reason and the help, and ends the command with exit code 2. */
export function exitWithUsage(help: string, reason: string): never {
  process.stderr.write(`${reason}\n\n${help}\n`);
  process.exit(2);
}
