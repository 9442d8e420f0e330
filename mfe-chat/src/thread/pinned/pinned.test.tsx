import { pinMessage } from "@messageoh/contracts/changes";
import { listMessages } from "@messageoh/contracts/messages";
import { received, refuse } from "@messageoh/contracts/testing/httpServer";
import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { aMessage } from "../../../testing/builders.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { choose, rowWith } from "../../../testing/rows.ts";
import { someData, startChatServer } from "../../../testing/server.ts";

let data = someData();
const server = startChatServer(() => data);
beforeEach(() => {
  data = someData();
  localStorage.clear();
});

const pinned = { by: "bob", at: "2024-01-06T00:00:00.000Z" };
const bar = (name: RegExp | string) => screen.findByRole("button", { name });
const pinCalls = () =>
  received
    .filter(({ path }) => path.endsWith("/pin"))
    .map(({ path, body }) => [path, (body as { pinned: boolean }).pinned]);

describe("pinning a message", () => {
  it("marks it, shows it above the thread, and says so", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Pin");
    expect(await bar("Pinned message: Gladly")).toBeTruthy();
    const row = await rowWith("Gladly");
    expect(row.getAttribute("aria-label")).toBe("You, pinned");
    expect(screen.getByText("Message pinned for both of you")).toBeTruthy();
    await waitFor(() => expect(pinCalls()).toEqual([["/messages/me/with-bob/2/pin", true]]));
    await choose(user, "Gladly", "Unpin");
    await waitFor(() => expect(screen.queryByRole("button", { name: /^Pinned message/ })).toBeNull());
    expect((await rowWith("Gladly")).getAttribute("aria-label")).toBe("You");
  });

  it("is taken back with the reason if the server refuses it", async () => {
    server.use(refuse(pinMessage, 409, "This thread has three pinned messages"));
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Pin");
    expect(await screen.findByText("This thread has three pinned messages")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Pinned message/ })).toBeNull();
  });
});

describe("the bar of pinned messages", () => {
  beforeEach(() => {
    data.messages = data.messages.map((message) => ({ ...message, pinned }));
  });

  it("begins with the newest, jumps to it and steps to the older ones, by keyboard alone", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    const button = await bar("Pinned message 1 of 3: one two three four five six seven eight nine ten");
    act(() => button.focus());
    await user.keyboard("{Enter}");
    const newest = await rowWith("one two three four five six seven eight nine ten");
    await waitFor(() => expect(newest.dataset.highlighted).toBe("true"));
    expect(button.getAttribute("aria-label")).toBe("Pinned message 2 of 3: Gladly");
    await user.keyboard("{Enter}");
    const second = await rowWith("Gladly");
    await waitFor(() => expect(second.dataset.highlighted).toBe("true"));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(button.getAttribute("aria-label")).toMatch(/^Pinned message 1 of 3/));
    expect(document.activeElement).toBe(button);
  });

  it("unpins from its menu; the focus goes to the composer when it disappears", async () => {
    data.messages = [aMessage({ seq: 1, pinned }), aMessage({ seq: 2 })];
    const { user } = renderChat({ path: "/home/bob" });
    await bar("Pinned message: Text 1");
    await user.click(screen.getByRole("button", { name: "Menu of the pinned message" }));
    await user.click(within(screen.getByRole("menu")).getByRole("menuitem", { name: "Unpin" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: /^Pinned message/ })).toBeNull());
    expect(document.activeElement).toBe(screen.getByLabelText("Message..."));
    await waitFor(() => expect(pinCalls()).toEqual([["/messages/me/with-bob/1/pin", false]]));
  });

  it("follows the friend, who pins and unpins", async () => {
    data.messages = someData().messages;
    const { receive } = renderChat({ path: "/home/bob" });
    await rowWith("Gladly");
    const [first] = data.messages;
    if (!first) throw new Error("No message");
    await receive((handlers) => handlers.message_changed({ message: { ...first, pinned, change: 1 } }));
    expect(await bar("Pinned message: Shall we meet Bobby the Fox tomorrow?")).toBeTruthy();
    await receive((handlers) => handlers.message_changed({ message: { ...first, change: 2 } }));
    expect(screen.queryByRole("button", { name: /^Pinned message/ })).toBeNull();
  });

  it("is loaded again after a failure", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    let requests = 0;
    server.use(
      http.get(`*/messageoh${listMessages.path}`, ({ request }) => {
        if (!new URL(request.url).searchParams.has("pinned")) return;
        requests += 1;
        return requests === 1 ? HttpResponse.json({ error: "busy" }, { status: 503 }) : undefined;
      }),
    );
    const { connect } = renderChat({ path: "/home/bob" });
    await connect();
    await waitFor(() => expect(requests).toBe(2));
    warn.mockRestore();
  });
});
