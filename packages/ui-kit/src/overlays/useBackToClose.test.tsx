import { render, waitFor } from "@testing-library/react";
import { type ReactElement, type ReactNode, useEffect, useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { openLayer } from "./backLayers.ts";
import { useBackToClose } from "./useBackToClose.ts";

function Layer(): null {
  useBackToClose(true, () => {});
  return null;
}

/** Calls `onCommit` when its children are in the page, before they are painted. */
function AtCommit({ onCommit, children }: { onCommit: () => void; children: ReactNode }): ReactElement {
  useLayoutEffect(onCommit);
  return <>{children}</>;
}

/** Goes to another page, as a redirect of the router does. */
function Redirect(): null {
  useEffect(() => history.replaceState({ page: "login" }, ""), []);
  return null;
}

const layerHere = (): string | undefined => history.state?.layer;

describe("useBackToClose", () => {
  it("adds the history entry of a layer before the layer is painted", async () => {
    const seen: unknown[] = [];
    const { unmount } = render(
      <AtCommit onCommit={() => void seen.push(layerHere())}>
        <Layer />
      </AtCommit>,
    );
    expect(seen).toEqual([expect.any(String)]);
    unmount();
    await waitFor(() => expect(layerHere()).toBeUndefined());
  });

  it("does not go back from the page to which a redirect leads that closes the layer", async () => {
    const back = jest.spyOn(History.prototype, "back");
    const wait = setTimeout;
    const nextTask = () => new Promise((resolve) => wait(resolve));
    // As early as a timer can be: between the commit and its effects, which a busy browser runs later.
    const timers = jest.spyOn(globalThis, "setTimeout").mockImplementation(((callback: () => void) => {
      queueMicrotask(callback);
      return 0;
    }) as typeof setTimeout);
    const global = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
    global.IS_REACT_ACT_ENVIRONMENT = false;
    const root = createRoot(document.createElement("div"));
    try {
      root.render(<Layer />);
      while (!layerHere()) await nextTask();
      root.render(<Redirect />);
      while (layerHere()) await nextTask();
      expect(history.state).toEqual({ page: "login" });
      expect(back).not.toHaveBeenCalled();
    } finally {
      root.unmount();
      global.IS_REACT_ACT_ENVIRONMENT = true;
      timers.mockRestore();
      back.mockRestore();
    }
  });

  it("takes the entry of a layer back once that closes while that of the layer above it is taken back", async () => {
    history.pushState({ page: "list" }, "");
    const closeLower = openLayer(() => {});
    const closeUpper = openLayer(() => {});
    const back = jest.spyOn(History.prototype, "back");
    // Between the return of the browser to the lower layer's entry and the removal of that entry.
    window.addEventListener("popstate", closeLower, { capture: true, once: true });
    closeUpper();
    await waitFor(() => expect(back).toHaveBeenCalledTimes(2));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(back).toHaveBeenCalledTimes(2);
    expect(history.state).toEqual({ page: "list" });
    back.mockRestore();
  });

  it("keeps a layer that opens while the browser takes the entry of another one back", async () => {
    history.pushState({ page: "list" }, "");
    const goBack = history.back.bind(history);
    const onBack = jest.fn();
    const back = jest.spyOn(History.prototype, "back").mockImplementationOnce(() => {
      goBack();
      openLayer(onBack);
    });
    const landed = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
    openLayer(() => {})();
    await landed;
    await waitFor(() => expect(history.state).toMatchObject({ page: "list", layers: [expect.any(String)] }));
    expect(back).toHaveBeenCalledTimes(1);
    expect(onBack).not.toHaveBeenCalled();

    back.mockRestore();
    history.back();
    await waitFor(() => expect(onBack).toHaveBeenCalledTimes(1));
    expect(history.state).toEqual({ page: "list" });
  });
});
