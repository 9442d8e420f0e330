import { fireEvent, screen, waitFor } from "@testing-library/react";
import { aMessage } from "../../testing/builders.ts";
import { renderChat } from "../../testing/renderChat.tsx";
import { someData, startChatServer } from "../../testing/server.ts";

const mockRequested = new Set<string>();
/** Returns a module. The first load of each fails. */
function mockLoad(path: string): object {
  if (mockRequested.has(path)) return jest.requireActual(path);
  mockRequested.add(path);
  throw new Error("503");
}
const mockBar = "../thread/pinned/PinnedBar.tsx";
const mockOffer = "../notification-settings/NotificationsOffer.tsx";
jest.mock("../thread/pinned/PinnedBar.tsx", () => mockLoad(mockBar));
jest.mock("../notification-settings/NotificationsOffer.tsx", () => mockLoad(mockOffer));

startChatServer(() => ({
  ...someData(),
  messages: [aMessage({ seq: 3, text: "Gladly", pinned: { by: "bob", at: "2024-01-06T00:00:00.000Z" } })],
}));
const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
beforeEach(() => localStorage.clear());
afterEach(() => Reflect.deleteProperty(globalThis, "Notification"));
const failed = (what: string) =>
  waitFor(() => expect(warn).toHaveBeenCalledWith(`${what} are not shown`, new Error("503")));

describe("a part of the page whose code cannot be loaded", () => {
  it("is retried if it is the bar of pinned messages, and leaves Esc to others meanwhile", async () => {
    renderChat({ path: "/home/bob" });
    await failed("Pinned messages");
    expect(screen.queryByRole("button", { name: /^Pinned/ })).toBeNull();
    expect(fireEvent.keyDown(document.body, { key: "Escape" })).toBe(true);
    expect(await screen.findByRole("button", { name: "Pinned message: Gladly" })).toBeTruthy();
  });

  it("is retried if it is the offer of notifications", async () => {
    Object.defineProperty(globalThis, "Notification", { configurable: true, value: { permission: "default" } });
    const { connect, user } = renderChat({ path: "/home/bob", lastSeq: 3 });
    await connect();
    await user.type(await screen.findByPlaceholderText("Message..."), "Hello{Enter}");
    await failed("Notification offers");
    expect(await screen.findByRole("region", { name: "Notifications" })).toBeTruthy();
  });
});
