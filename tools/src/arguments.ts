import { type ParseArgsConfig, parseArgs } from "node:util";

const NUMBER = /^\d+(\.\d+)?$/;

/**
 * The arguments of a command, as `parseArgs` reads them. `--help` prints the help and ends the command; so does what cannot
 * be read, with exit code 2. An option whose default is a number takes numbers only.
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
    const [message] = (error as Error).message.split(". ");
    process.stderr.write(`${message}\n\n${help}\n`);
    process.exit(2);
  }
}
