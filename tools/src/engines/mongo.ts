import { PlainError } from "../say.ts";
import { hasDebian } from "./apt.ts";
import { documentdbIsCached } from "./documentdb.ts";
import type { Engine, EngineContext } from "./engine.ts";
import { hasFerretData, startFerret } from "./ferretdb.ts";
import { findMongod, hasMongodData, startMongod } from "./mongod.ts";

/**
 * Starts a server that speaks MongoDB's protocol: a real mongod where one is to be had, else FerretDB on PostgreSQL
 * with the DocumentDB extension. A data folder stays with the engine that filled it.
 */
export async function startMongo(context: EngineContext): Promise<Engine> {
  if (hasFerretData(context.dataDir)) return startFerret(context);
  const mongod = await findMongod();
  if (mongod) return startMongod(mongod, context);
  if (hasMongodData(context.dataDir)) {
    throw new PlainError(`${context.dataDir} holds the data of a mongod, which is not to be had now: install mongod.`);
  }
  if (documentdbIsCached() || hasDebian()) return startFerret(context);
  throw new PlainError(
    "A MongoDB server is missing and cannot be fetched on this system: install mongod, or set MONGO_URL to a running one.",
  );
}
