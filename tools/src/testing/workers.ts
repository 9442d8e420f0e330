import { availableParallelism } from "node:os";

/** Number of test files that run at the same time. Tests often wait for datastores, child processes and each other. */
export const TEST_WORKERS = availableParallelism() + 2;
