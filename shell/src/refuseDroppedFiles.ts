/** Keeps the page when a file is dropped on it: the browser would leave the page to show the file. */
export function refuseDroppedFiles(): void {
  for (const type of ["dragover", "drop"] as const) {
    window.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    });
  }
}
