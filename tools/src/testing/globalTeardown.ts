/** Stops the datastores that globalSetup.ts started. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.testDatastores?.stop();
}
