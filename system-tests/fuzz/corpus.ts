import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";

/** Hostile input that needs no code, by kind. */
interface Corpus {
  /** Malformed ids, as text. */
  texts: string[];
  /** Frames below the level of events, which engine.io and Socket.IO must handle. */
  frames: string[];
  /** Requests that no HTTP library sends: invalid framing, invalid lines, two lengths. */
  requests: string[];
  headers: Record<string, string>[];
  contentTypes: string[];
  /** Bodies that are no JSON. */
  bodies: string[];
}

export const CORPUS: Corpus = JSON.parse(readFileSync(join(repoRoot(), "system-tests/fuzz/corpus.json"), "utf8"));
