import { type ComponentType, type ReactElement, useEffect, useState } from "react";

/**
 * Renders a component whose code is loaded when it is shown; nothing if that fails, because nobody waits for it.
 * @param load imports the component; it must keep its identity between renders
 */
export function Optional({ load }: { load: () => Promise<ComponentType> }): ReactElement | null {
  const [Loaded, setLoaded] = useState<ComponentType | null>(null);
  useEffect(() => {
    let isGone = false;
    load().then(
      (component) => {
        if (!isGone) setLoaded(() => component);
      },
      (error: unknown) => console.warn("A view could not be loaded", error),
    );
    return () => {
      isGone = true;
    };
  }, [load]);
  return Loaded ? <Loaded /> : null;
}
