/** A message on the screen of a page. */
export interface ShownRow {
  text: string;
  isMine: boolean;
  /** Name of the send state; empty for a message of the friend. */
  state: string;
}

declare global {
  interface Window {
    /** Gets the messages on the screen. */
    showRows: (rows: ShownRow[]) => Promise<void>;
  }
}

/** Runs in a page: reports the messages on the screen after each change, and presses Retry as a person does. */
export function reportRows(): void {
  const REPORT_MS = 100;
  const RETRY_MS = 1_000;
  let last = "";
  setInterval(() => {
    const rows = [...document.querySelectorAll("[role=log] article")].map((row) => ({
      text: row.querySelector("[data-stamp]")?.textContent ?? "",
      isMine: row.ariaLabel === "You",
      state: row.querySelector("[role=img]")?.ariaLabel ?? "",
    }));
    const now = JSON.stringify(rows);
    if (now === last) return;
    last = now;
    void window.showRows(rows);
  }, REPORT_MS);
  setInterval(() => {
    for (const button of document.querySelectorAll("button")) if (button.textContent === "Retry") button.click();
  }, RETRY_MS);
}
