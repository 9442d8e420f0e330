import { configure } from "@testing-library/react";
import { installDialogs } from "./dialogs.ts";
import { installLayout } from "./layout.ts";

// A busy machine may take longer than the default second to render.
configure({ asyncUtilTimeout: 5_000 });
installDialogs();
installLayout();

// jsdom does not know the element <search>, and React reports every unknown element.
const report = console.error;
console.error = (...entries: unknown[]) => {
  if (!entries.some((entry) => entry === "search")) report(...entries);
};
