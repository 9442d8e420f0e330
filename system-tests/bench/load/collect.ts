// Loaded into a service that is measured: SIGUSR2 collects garbage and gives free pages back, so that what is left is in use.
process.on("SIGUSR2", () => {
  gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
});
