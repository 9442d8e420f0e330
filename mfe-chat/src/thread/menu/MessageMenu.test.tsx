import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { fakeTime, renderChat } from "../../../testing/renderChat.tsx";
import { someData, startChatServer } from "../../../testing/server.ts";

let data = someData();
startChatServer(() => data);
beforeEach(() => {
  data = someData();
  localStorage.clear();
});

const article = async (text: string) => {
  const found = (await within(await screen.findByRole("log")).findByText(text)).closest("article");
  if (!found) throw new Error(`No message ${text}`);
  return found;
};
const button = async (text: string) => within(await article(text)).getByRole("button", { name: "Message actions" });
const labels = () =>
  within(screen.getByRole("menu", { name: "Message actions" }))
    .getAllByRole("menuitem")
    .map(({ textContent }) => textContent);

/** Of a message that is too old to be edited. */
const ENTRIES = ["Reply", "React", "Forward", "Copy text", "Copy link", "Pin", "Star", "Select", "Delete"];

describe("message menu", () => {
  it("copies the text of a message and says so", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await user.click(await button("Gladly"));
    expect(labels()).toEqual(ENTRIES);
    const write = jest.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await user.click(screen.getByRole("menuitem", { name: "Copy text" }));
    expect(write).toHaveBeenCalledWith("Gladly");
    expect((await screen.findByText("Text copied")).closest('[role="status"]')).not.toBeNull();
    expect(screen.queryByRole("menu")).toBeNull();
  });

  it("copies a link to a message", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await user.click(await button("Gladly"));
    const write = jest.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await user.click(screen.getByRole("menuitem", { name: "Copy link" }));
    await screen.findByText("Link copied");
    expect(write).toHaveBeenCalledWith(`${location.origin}/home#thread=with-bob&message=2`);
  });

  it("reports that the browser does not allow a copy", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await user.click(await button("Gladly"));
    jest.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("NotAllowedError"));
    document.execCommand = () => false;
    await user.click(screen.getByRole("menuitem", { name: "Copy text" }));
    expect(await screen.findByText("Could not be copied")).toBeTruthy();
  });

  it("opens on a right click, but leaves links to the browser", async () => {
    data.messages[1] = { ...data.messages[1], text: "see https://example.com" } as (typeof data.messages)[number];
    renderChat({ path: "/home/bob" });
    const bubble = await article("Shall we meet Bobby the Fox tomorrow?");
    const link = await within(await screen.findByRole("log")).findByRole("link");
    expect(fireEvent.contextMenu(link)).toBe(true);
    expect(screen.queryByRole("menu")).toBeNull();
    expect(fireEvent.contextMenu(bubble)).toBe(false);
    expect(labels()).toEqual(ENTRIES);
  });

  it("leaves selected text to the browser, but not a word that the right click itself selects", async () => {
    renderChat({ path: "/home/bob" });
    const bubble = await article("Gladly");
    getSelection()?.selectAllChildren(bubble);
    fireEvent.pointerDown(bubble, { button: 2 });
    expect(fireEvent.contextMenu(bubble)).toBe(true);
    getSelection()?.removeAllRanges();
    fireEvent.pointerDown(bubble, { button: 2 });
    getSelection()?.selectAllChildren(bubble);
    expect(fireEvent.contextMenu(bubble)).toBe(false);
    expect(labels()).toEqual(ENTRIES);
  });

  it("opens on Shift+F10 and on the menu key, closes on Esc and restores the focus", async () => {
    const { user, shell } = renderChat({ path: "/home/bob" });
    const gladly = await button("Gladly");
    act(() => gladly.focus());
    for (const key of ["{Shift>}{F10}{/Shift}", "{ContextMenu}"]) {
      await user.keyboard(key);
      expect(document.activeElement?.textContent).toBe("Reply");
      expect(gladly.getAttribute("aria-expanded")).toBe("true");
      await user.keyboard("{Escape}");
      expect(screen.queryByRole("menu")).toBeNull();
      expect(document.activeElement).toBe(gladly);
    }
    expect(shell.path).toBe("/home/bob");
  });

  it("has one Tab stop, on the newest message; arrows move between the messages", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    const [first, second, last] = [
      await button("Shall we meet Bobby the Fox tomorrow?"),
      await button("Gladly"),
      await button("one two three four five six seven eight nine ten"),
    ];
    expect([first.tabIndex, second.tabIndex, last.tabIndex]).toEqual([-1, -1, 0]);
    act(() => last.focus());
    await user.keyboard("{ArrowUp}");
    expect(document.activeElement).toBe(second);
    await user.keyboard("{Home}");
    expect(document.activeElement).toBe(first);
    expect([first.tabIndex, last.tabIndex]).toEqual([0, -1]);
  });

  describe("of a message that is not stored", () => {
    /** Writes without a connection. */
    async function writing(text: string) {
      const chat = renderChat({ path: "/home/cleo" });
      await chat.user.type(await screen.findByLabelText("Message..."), `${text}{Enter}`);
      return chat;
    }

    it("offers no link, and deletes it by keyboard alone, which moves the focus into the composer", async () => {
      const { user, connect, payloads } = await writing("Hello{Enter}Bye");
      const hello = await button("Hello");
      act(() => hello.focus());
      await user.keyboard("{ContextMenu}");
      expect(labels()).toEqual(["Edit", "Copy text", "Delete"]);
      await user.keyboard("{End}{Enter}");
      await waitFor(() => expect(screen.queryByText("Hello")).toBeNull());
      expect(await screen.findByText("Message deleted")).toBeTruthy();
      expect(document.activeElement).toBe(screen.getByLabelText("Message..."));
      await connect();
      await waitFor(() => expect(payloads("send_message")).toMatchObject([{ text: "Bye" }]));
    });

    it("deletes the only message of a thread", async () => {
      const { user } = await writing("Hello");
      await user.click(await button("Hello"));
      await user.click(screen.getByRole("menuitem", { name: "Delete" }));
      expect(await screen.findByText("No messages here yet...")).toBeTruthy();
      expect(document.activeElement).toBe(screen.getByLabelText("Message..."));
    });

    it("says that it is too late if the message is sent while the menu is open", async () => {
      const { user, connect } = await writing("Hello");
      await user.click(await button("Hello"));
      const item = screen.getByRole("menuitem", { name: "Delete" });
      await connect();
      await user.click(item);
      expect(await screen.findByText("The message is already on its way")).toBeTruthy();
      expect(await article("Hello")).toBeTruthy();
    });
  });

  it("opens the message of a link and highlights it", async () => {
    const { shell } = renderChat({ hash: "#thread=with-bob&message=2" });
    const gladly = await article("Gladly");
    await waitFor(() => expect(gladly.dataset.highlighted).toBe("true"));
    expect(shell.path).toBe("/home/bob");
  });

  it("ignores a link to an unknown thread", async () => {
    const { shell } = renderChat({ hash: "#thread=with-nobody&message=2" });
    await screen.findByText("Choose a friend");
    expect(shell.path).toBe("/home");
  });
});

describe("message menu on a touch screen", () => {
  beforeEach(() => fakeTime());
  afterEach(() => jest.useRealTimers());

  it("opens on a long press, but not while scrolling", async () => {
    const { user, pass } = renderChat({ path: "/home/bob", advanceTimers: jest.advanceTimersByTime });
    const target = await article("Gladly");
    const coords = { clientX: 10, clientY: 10 };
    await user.pointer([
      { keys: "[TouchA>]", target, coords },
      { pointerName: "TouchA", target, coords: { clientX: 10, clientY: 40 } },
    ]);
    await pass(500);
    expect(screen.queryByRole("menu")).toBeNull();
    await user.pointer([
      { keys: "[/TouchA]", target },
      { keys: "[TouchA>]", target, coords },
    ]);
    await pass(500);
    expect(labels()).toEqual(ENTRIES);
    // No click follows, which would close the menu.
    expect(fireEvent.touchEnd(target)).toBe(false);
  });
});
