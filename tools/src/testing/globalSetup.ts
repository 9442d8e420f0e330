import type { Config } from "@jest/types";
import { startTestDatastores, type TestDatastores } from "./datastores.ts";

declare global {
  var testDatastores: TestDatastores | undefined;
}

/** Starts the datastores, with a Redis per worker, and sets TEST_MONGO_URL and TEST_REDIS_URLS. */
export default async function globalSetup({ maxWorkers }: Config.GlobalConfig): Promise<void> {
  const datastores = await startTestDatastores(maxWorkers);
  globalThis.testDatastores = datastores;
  process.env.TEST_MONGO_URL = datastores.mongoUrl;
  process.env.TEST_REDIS_URLS = datastores.redisUrls.join(" ");
}
