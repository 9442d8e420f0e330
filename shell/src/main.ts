import "@messageoh/ui-kit/tokens.css";
import "@messageoh/ui-kit/base.css";
import "./main.css";

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

// The federation runtime, React and the shell are evaluated in a task each, because one task for all would block a slow
// phone for more than 100 ms. "eager" keeps them in this file.
await nextTask();
await import(/* webpackMode: "eager" */ "react-dom/client");
await nextTask();
await import(/* webpackMode: "eager" */ "./start.tsx");
