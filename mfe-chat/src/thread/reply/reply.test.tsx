import { listMessages } from "@messageoh/contracts/messages";
import { received } from "@messageoh/contracts/testing/httpServer";
import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { aMessage, fromMe, messagesBetween } from "../../../testing/builders.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { choose, rowWith } from "../../../testing/rows.ts";
import { someData, startChatServer } from "../../../testing/server.ts";

let data = someData();
const server = startChatServer(() => data);
beforeEach(() => {
  data = someData();
  localStorage.clear();
});

const composer = () => screen.findByLabelText<HTMLTextAreaElement>("Message...");
const form = async () => {
  const element = (await composer()).closest("form");
  if (!element) throw new Error("No composer");
  return within(element);
};

describe("replying to a message", () => {
  it("quotes it above the composer, and sends its number", async () => {
    const { user, connect, payloads } = renderChat({ path: "/home/bob", lastSeq: 3 });
    await connect();
    await choose(user, "Gladly", "Reply");
    expect((await form()).getByText("You")).toBeTruthy();
    expect((await form()).getByText("Gladly")).toBeTruthy();
    expect(document.activeElement).toBe(await composer());
    await user.keyboard("See you{Enter}");
    await waitFor(() => expect(payloads("send_message")).toMatchObject([{ text: "See you", reply_to: 2 }]));
    const quote = within(await rowWith("See you")).getByRole("button", { name: "You Gladly" });
    expect((await form()).queryByText("Gladly")).toBeNull();
    await user.click(quote);
    const [gladly] = await screen.findAllByRole("article", { name: "You" });
    await waitFor(() => expect(gladly?.dataset.highlighted).toBe("true"));
  });

  it.each(["{Escape}", "button"])("is cancelled by %s", async (how) => {
    const { user, shell } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Reply");
    if (how === "button") await user.click(screen.getByRole("button", { name: "Cancel reply" }));
    else await user.keyboard(how);
    expect((await form()).queryByText("Gladly")).toBeNull();
    expect(shell.path).toBe("/home/bob");
    expect(document.activeElement).toBe(await composer());
  });

  it("goes on when its thread was left", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Reply");
    await user.click(screen.getByRole("link", { name: /^Cleo/ }));
    await screen.findByText("No messages here yet...");
    expect((await form()).queryByText("Gladly")).toBeNull();
    await user.click(screen.getByRole("link", { name: /^Bob/ }));
    await rowWith("Gladly");
    expect((await form()).getByText("Gladly")).toBeTruthy();
  });

  it("begins with a double click on the bubble", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await user.dblClick(await screen.findByText("Gladly"));
    expect((await form()).getByText("Gladly")).toBeTruthy();
  });

  it("begins with a swipe in the direction of reading, but not while scrolling", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    const target = await rowWith("Gladly");
    const at = (x: number, y: number) => ({ target, coords: { clientX: 100 + x, clientY: 10 + y } });
    const swipe = (x: number, y: number) =>
      user.pointer([
        { keys: "[TouchA>]", ...at(0, 0) },
        { pointerName: "TouchA", ...at(x / 2, y / 2) },
        { pointerName: "TouchA", ...at(x, y) },
        { keys: "[/TouchA]", ...at(x, y) },
      ]);
    for (const [x, y] of [
      [50, 0],
      [70, 90],
      [-70, 0],
    ] as const) {
      await swipe(x, y);
    }
    expect(screen.queryByRole("button", { name: "Cancel reply" })).toBeNull();
    await swipe(70, 10);
    await user.click(await screen.findByRole("button", { name: "Cancel reply" }));
    document.documentElement.dir = "rtl";
    await swipe(70, 10);
    expect(screen.queryByRole("button", { name: "Cancel reply" })).toBeNull();
    await swipe(-70, 10);
    expect(await screen.findByRole("button", { name: "Cancel reply" })).toBeTruthy();
    document.documentElement.dir = "";
  });

  it("loads the quoted message once if it is missing", async () => {
    const old = aMessage({ seq: 2, text: "Long ago" });
    data.messages = [
      old,
      ...messagesBetween(3, 97),
      aMessage({ seq: 98, text: "Yes", reply_to: 2 }),
      fromMe({ seq: 99, text: "No", reply_to: 2 }),
    ];
    data.threads = data.threads.map((thread) => ({ ...thread, last_seq: 99, read_seq: 99, unread_count: 0 }));
    const { receive } = renderChat({ path: "/home/bob" });
    await receive(() => undefined);
    expect(await within(await rowWith("Yes")).findByText("Long ago")).toBeTruthy();
    expect(await within(await rowWith("No")).findByText("Long ago")).toBeTruthy();
    expect(received.filter(({ query }) => query.before_seq === "3")).toHaveLength(1);
  });

  it("loads the quoted message again after a failure", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    data.messages = [
      aMessage({ seq: 2, text: "Long ago" }),
      ...messagesBetween(3, 97),
      aMessage({ seq: 98, text: "Yes", reply_to: 2 }),
    ];
    data.threads = data.threads.map((thread) => ({ ...thread, last_seq: 98, read_seq: 98, unread_count: 0 }));
    let isBusy = true;
    server.use(
      http.get(`*/messageoh${listMessages.path}`, ({ request }) => {
        const before = new URL(request.url).searchParams.get("before_seq");
        // The older page would bring the message too.
        if (before === null || (before === "3" && !isBusy)) return;
        return HttpResponse.json({ error: "busy" }, { status: 503 });
      }),
    );
    const { connect } = renderChat({ path: "/home/bob" });
    await connect();
    const row = within(await rowWith("Yes"));
    await act(() => new Promise((resolve) => setTimeout(resolve, 200)));
    expect(row.getByText("Quoted message")).toBeTruthy();
    isBusy = false;
    expect(await row.findByText("Long ago")).toBeTruthy();
    warn.mockRestore();
  });

  it("quotes a deleted message as such", async () => {
    data.messages[0] = { ...aMessage({ seq: 1 }), text: "deleted", deleted_at: new Date().toISOString() };
    data.messages[1] = fromMe({ seq: 2, text: "Gladly", reply_to: 1 });
    renderChat({ path: "/home/bob" });
    expect(await screen.findByRole("button", { name: "Bob Message deleted" })).toBeTruthy();
  });
});
