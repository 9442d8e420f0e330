/** Ends the engines that globalSetup.ts started. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.testEngines?.stop();
}
