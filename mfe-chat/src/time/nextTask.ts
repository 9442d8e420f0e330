/** Resolves in a task of its own, after which the browser can react to input. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
