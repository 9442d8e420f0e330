import { waitFor } from "@testing-library/react";

it("leaves the history entries of layers that a reload has removed", async () => {
  history.pushState({ page: "list" }, "");
  history.pushState({ page: "list", layer: "lower", layers: ["lower"] }, "");
  history.pushState({ page: "list", layer: "upper", layers: ["lower", "upper"] }, "");
  const { openLayer } = await import("./backLayers.ts");
  await waitFor(() => expect(history.state).toEqual({ page: "list" }));

  const close = jest.fn();
  openLayer(close);
  history.back();
  await waitFor(() => expect(close).toHaveBeenCalledTimes(1));
  expect(history.state).toEqual({ page: "list" });
});
