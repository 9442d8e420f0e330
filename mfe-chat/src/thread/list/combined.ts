type Handlers = Record<string, (event: never) => void>;

/** Returns the handlers of both; those of the first run first. */
export function combined<A extends Handlers, B extends Handlers>(first: A, second: B): A & B {
  const both: Handlers = { ...first };
  for (const [name, handle] of Object.entries(second)) {
    const before = first[name];
    both[name] = (event) => {
      before?.(event);
      handle(event);
    };
  }
  return both as A & B;
}
