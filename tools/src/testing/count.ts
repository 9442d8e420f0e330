/** Number of passed and failed checks of a section, or the reason why it did not run. */
export type Count = { passed: number; failed: number; notRun?: string };
