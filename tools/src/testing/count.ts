/** How many checks of a section passed and failed, or why none was made. */
export type Count = { passed: number; failed: number; notRun?: string };
