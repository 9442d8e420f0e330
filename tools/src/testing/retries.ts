// In CI, run a failed test once more and report it as flaky, like the browser tests.
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
