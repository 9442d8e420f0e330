// Loaded when it is needed, which keeps it out of the first load.
export { createDevice } from "./database.ts";
export { createDeviceFiles } from "./files.ts";
export { startSaving } from "./saving.ts";
export { searchStored } from "./searchStored.ts";
export { fromStored } from "./storedThread.ts";
