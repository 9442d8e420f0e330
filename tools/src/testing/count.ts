/** Number of passed and failed checks of a section, or the reason why it did not run. */
export type Count = {
  passed: number;
  failed: number;
  /** Lines on tests that failed, or passed only on retry. */
  remarks?: string[];
  notRun?: string;
};
