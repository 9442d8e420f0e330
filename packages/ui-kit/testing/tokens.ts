import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The text of tokens.css. */
export const tokens = readFileSync(join(import.meta.dirname, "../src/tokens.css"), "utf8");
