import { configure } from "@testing-library/react";
import { installDialogs } from "./dialogs.ts";
import { installLayout } from "./layout.ts";

// A busy machine can take longer than the default of one second to render.
configure({ asyncUtilTimeout: 5_000 });
installDialogs();
installLayout();
// jsdom has no performance entries to observe.
globalThis.PerformanceObserver ??= class implements PerformanceObserver {
  static readonly supportedEntryTypes = [];
  observe() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
};

// jsdom does not know the element <search>, and React warns about unknown elements.
const report = console.error;
console.error = (...entries: unknown[]) => {
  if (!entries.some((entry) => entry === "search")) report(...entries);
};
