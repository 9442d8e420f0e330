import { startTestDatastores, type TestDatastores } from "./datastores.ts";

declare global {
  var testDatastores: TestDatastores | undefined;
}

/** Starts the datastores and sets TEST_MONGO_URL and TEST_REDIS_URL. */
export default async function globalSetup(): Promise<void> {
  const datastores = await startTestDatastores();
  globalThis.testDatastores = datastores;
  process.env.TEST_MONGO_URL = datastores.mongoUrl;
  process.env.TEST_REDIS_URL = datastores.redisUrl;
}
