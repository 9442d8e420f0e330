// Preloaded into a measured service: SIGUSR2 collects garbage and releases free pages, so that resident memory is in
// use.
process.on("SIGUSR2", () => {
  gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
});
