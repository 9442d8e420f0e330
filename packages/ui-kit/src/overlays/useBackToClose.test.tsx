import { render, waitFor } from "@testing-library/react";
import { type ReactElement, type ReactNode, useLayoutEffect } from "react";
import { openLayer } from "./backLayers.tsx";
import { useBackToClose } from "./useBackToClose.tsx";

function Layer(): null {
  useBackToClose(true, () => {});
  return null;
}

/** Calls `onCommit` when its children are in the page, before they are painted. */
function AtCommit({ onCommit, children }: { onCommit: () => void; children: ReactNode }): ReactElement {
  useLayoutEffect(onCommit);
  return <>{children}</>;
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
