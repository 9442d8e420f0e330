/** Number of passed and failed checks of a section and those that passed on retry, or the reason why it did not run. */
export type Count = { passed: number; failed: number; flaky?: string[]; notRun?: string };
