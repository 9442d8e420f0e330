import { startTestEngines, type TestEngines } from "./engines.ts";

declare global {
  var testEngines: TestEngines | undefined;
}

/** Gives every test file the addresses of the engines in TEST_MONGO_URL and TEST_REDIS_URL. */
export default async function globalSetup(): Promise<void> {
  const engines = await startTestEngines();
  globalThis.testEngines = engines;
  process.env.TEST_MONGO_URL = engines.mongoUrl;
  process.env.TEST_REDIS_URL = engines.redisUrl;
}
