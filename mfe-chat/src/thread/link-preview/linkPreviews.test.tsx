import { createLinkPreview } from "@messageoh/contracts/media";
import { failNetwork, type ReceivedRequest, received, respond } from "@messageoh/contracts/testing/httpServer";
import { act, screen, waitFor, within } from "@testing-library/react";
import { aLinkPreview, aMessage } from "../../../testing/builders.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { type ServerData, someData, startChatServer } from "../../../testing/server.ts";

let data: ServerData;
const server = startChatServer(() => data);
/** What the server says about a link. */
let preview: (url: string) => ReturnType<typeof aLinkPreview> | null;
const PICTURE = { width: 1200, height: 630 };

beforeEach(() => {
  jest.spyOn(console, "warn").mockImplementation(() => undefined);
  localStorage.clear();
  localStorage.setItem("messageoh:link-previews:me", "on");
  data = someData();
  preview = (url) => aLinkPreview({ url, picture: PICTURE });
  server.use(
    respond(createLinkPreview, ({ body }: ReceivedRequest) => ({ preview: preview((body as { url: string }).url) })),
  );
});
afterEach(() => jest.restoreAllMocks());

const asked = () => received.filter(({ path }) => path === "/media/previews").map(({ body }) => body);
const shown = () => screen.findByRole("group", { name: "Link preview" });
const isHidden = () => expect(screen.queryByRole("group", { name: "Link preview" })).toBeNull();
/** Longer than the pause in typing after which the server is asked. */
const pause = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 1_100)));

async function opened() {
  const chat = renderChat({ path: "/home/bob", lastSeq: 3 });
  const field = await screen.findByLabelText<HTMLTextAreaElement>("Message...");
  await screen.findByRole("log");
  await chat.connect();
  await chat.user.click(field);
  return { ...chat, field, sent: () => chat.payloads("send_message") };
}

describe("the composer", () => {
  it("asks the server about no link unless the user has turned that on", async () => {
    localStorage.clear();
    const { user } = await opened();
    await user.paste("https://a.example/page");
    await pause();
    expect(asked()).toEqual([]);
    await user.click(screen.getByRole("button", { name: /account/ }));
    await user.click(screen.getByRole("menuitem", { name: "Settings" }));
    await user.click(screen.getByRole("button", { name: "Privacy" }));
    const choice = await screen.findByRole<HTMLInputElement>("checkbox", {
      name: "Add previews to links that you send",
    });
    expect(choice.checked).toBe(false);
    await user.click(choice);
    expect(choice.checked).toBe(true);
    await waitFor(() => expect(asked()).toEqual([{ thread_id: "with-bob", url: "https://a.example/page" }]), {
      timeout: 3_000,
    });
  });

  it("shows the preview of the first link after a pause, and sends it with the text", async () => {
    const { user, sent } = await opened();
    await user.paste("Mail me@a.example or see *https://a.example/page*, https://b.example");
    const group = await shown();
    expect(within(group).getByText("A page")).not.toBeNull();
    expect(group.querySelector("img")?.getAttribute("src")).toBe("/messageoh/media/preview-1/thumb");
    expect(asked()).toEqual([{ thread_id: "with-bob", url: "https://a.example/page" }]);
    expect(screen.getByText("Link preview: A page")).not.toBeNull();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent()).toMatchObject([{ preview: "preview-1" }]));
    isHidden();
    const card = await within(screen.getByRole("log")).findByRole("link", { name: "A page a.example" });
    expect(card.getAttribute("rel")).toBe("noopener noreferrer");
  });

  it("sends no preview that was removed, and gives the focus back", async () => {
    const { user, field, sent } = await opened();
    await user.paste("https://a.example/page");
    await user.click(within(await shown()).getByRole("button", { name: "Remove link preview" }));
    isHidden();
    expect(document.activeElement).toBe(field);
    await user.keyboard(" and more");
    await pause();
    isHidden();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent()).toMatchObject([{ text: "https://a.example/page and more" }]));
    expect(sent()[0]).toMatchObject({ preview: undefined });
    expect(asked()).toHaveLength(1);
  });

  it("forgets the preview when its link is changed, and asks about the new one", async () => {
    const { user } = await opened();
    await user.paste("https://a.example/page");
    await shown();
    preview = (url) => aLinkPreview({ url, title: "Page 2" });
    await user.keyboard("2");
    isHidden();
    expect(within(await shown()).getByText("Page 2")).not.toBeNull();
    await user.clear(screen.getByLabelText("Message..."));
    isHidden();
  });

  it.each([
    ["the page has none", () => respond(createLinkPreview, () => ({ preview: null }))],
    ["the server does not respond", () => failNetwork(createLinkPreview)],
  ])("sends the text alone if %s", async (_, handler) => {
    server.use(handler());
    const { user, sent } = await opened();
    await user.paste("https://a.example/page");
    await waitFor(() => expect(asked()).toHaveLength(1), { timeout: 3_000 });
    await pause();
    isHidden();
    expect(asked()).toHaveLength(1);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent()).toMatchObject([{ text: "https://a.example/page", preview: undefined }]));
  });
});

describe("a message", () => {
  it("shows a card that is the link, for the friend too, who asks nothing", async () => {
    localStorage.clear();
    data.messages.push(
      aMessage({ seq: 4, text: "https://a.example/page", preview: aLinkPreview({ picture: PICTURE }) }),
    );
    await opened();
    const card = within(screen.getByRole("log")).getByRole("link", { name: "A page a.example" });
    expect(["href", "target", "rel"].map((name) => card.getAttribute(name))).toEqual([
      ...["https://a.example/page", "_blank", "noopener noreferrer"],
    ]);
    expect(card.querySelector("img")?.getAttribute("src")).toBe("/messageoh/media/preview-1/thumb");
    expect(asked()).toEqual([]);
  });
});
