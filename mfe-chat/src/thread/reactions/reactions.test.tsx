import { DELETED_AVATAR_ID } from "@messageoh/contracts/avatars";
import { received } from "@messageoh/contracts/testing/httpServer";
import { setDesktop } from "@messageoh/ui-kit/testing/layout";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { BOB, CLEO, fromMe } from "../../../testing/builders.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { choose, rowWith } from "../../../testing/rows.ts";
import { someData, startChatServer } from "../../../testing/server.ts";

let data = someData();
startChatServer(() => data);
beforeEach(() => {
  data = someData();
  localStorage.clear();
});
afterEach(() => setDesktop(true));

const emoji = () =>
  received.filter(({ path }) => path.endsWith("/reaction")).map(({ body }) => (body as { emoji: string | null }).emoji);
const byBob = [{ user_id: "bob", emoji: "👍" }];

describe("reactions", () => {
  it("are chosen in a bar, by keyboard too, and removed by choosing the same again", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "React");
    const bar = await screen.findByRole("dialog", { name: "React" });
    expect(document.activeElement).toBe(within(bar).getByRole("button", { name: "Thumbs up" }));
    await user.keyboard("{ArrowRight}{ArrowRight}{Enter}");
    const row = await rowWith("Gladly");
    const chip = within(row).getByRole("button", { name: "😂 by you" });
    expect(chip.getAttribute("aria-pressed")).toBe("true");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.activeElement).toBe(within(row).getByRole("button", { name: "Message actions" }));
    await waitFor(() => expect(emoji()).toEqual(["😂"]));

    await choose(user, "Gladly", "React");
    await user.click(await screen.findByRole("button", { name: "Face with tears of joy", pressed: true }));
    expect(within(row).queryByRole("button", { name: "😂 by you" })).toBeNull();
    await waitFor(() => expect(emoji()).toEqual(["😂", null]));
  });

  it("are beside each other from right to left, as the page is read", async () => {
    document.documentElement.dir = "rtl";
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "React");
    const bar = await screen.findByRole("dialog", { name: "React" });
    await user.keyboard("{ArrowLeft}");
    document.documentElement.dir = "";
    expect(document.activeElement).toBe(within(bar).getByRole("button", { name: "Red heart" }));
  });

  it("of both with the same emoji share a chip, which sets and removes the own one", async () => {
    data.messages[1] = fromMe({ seq: 2, text: "Gladly", reactions: byBob });
    const { user } = renderChat({ path: "/home/bob" });
    const row = await rowWith("Gladly");
    await user.click(within(row).getByRole("button", { name: "👍 by Bob", pressed: false }));
    await user.click(within(row).getByRole("button", { name: "👍 by Bob and you", pressed: true }));
    expect(within(row).getByRole("button", { name: "👍 by Bob", pressed: false })).toBeTruthy();
    await waitFor(() => expect(emoji().at(-1)).toBe(null));
  });

  it("of a thread with a deleted account can only be seen", async () => {
    data.friends = [{ ...BOB, name: "Deleted account", avatar_id: DELETED_AVATAR_ID }, CLEO];
    data.messages[1] = fromMe({ seq: 2, text: "Gladly", reactions: byBob });
    const { user } = renderChat({ path: "/home/bob" });
    const row = await rowWith("Gladly");
    await user.click(within(row).getByRole("button", { name: /^👍 by/ }));
    expect(within(row).getByRole("button", { name: "👍 by Deleted account", pressed: false })).toBeTruthy();
  });

  it("can be any emoji of the picker", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "React");
    await user.click(await screen.findByRole("button", { name: "More emoji" }));
    await user.type(await screen.findByLabelText("Search emoji"), "thumbs up{Enter}");
    expect(await within(await rowWith("Gladly")).findByRole("button", { name: "👍 by you" })).toBeTruthy();
  });

  it("keep the focus in the bar when it gives way to the picker, which takes it only on a wide screen", async () => {
    setDesktop(false);
    const { user, shell } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "React");
    const more = await screen.findByRole("button", { name: "More emoji" });
    act(() => more.focus());
    await user.keyboard("{Enter}");
    const picker = await screen.findByRole("dialog", { name: "Emoji" });
    expect(document.activeElement).toBe(picker.parentElement);
    await user.keyboard("{Escape}");
    expect([screen.queryByRole("dialog"), shell.path]).toEqual([null, "/home/bob"]);
    expect(document.activeElement).not.toBe(document.body);
  });

  it("close their bar on Esc, which keeps the thread open", async () => {
    const { user, shell } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "React");
    await screen.findByRole("dialog", { name: "React" });
    await user.keyboard("{Escape}");
    expect([screen.queryByRole("dialog"), shell.path]).toEqual([null, "/home/bob"]);
  });

  it("keep their bar on Esc while an input method composes a word", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "React");
    await user.click(await screen.findByRole("button", { name: "More emoji" }));
    fireEvent.keyDown(await screen.findByLabelText("Search emoji"), { key: "Escape", isComposing: true });
    expect(screen.queryByLabelText("Search emoji")).not.toBeNull();
  });

  it("of a friend to an own message are announced", async () => {
    const { receive } = renderChat({ path: "/home/bob" });
    await rowWith("Gladly");
    await receive(({ message_changed }) =>
      message_changed({ message: { ...fromMe({ seq: 2, text: "Gladly" }), change: 1, reactions: byBob } }),
    );
    expect((await screen.findByText("Bob reacted 👍 to: Gladly")).getAttribute("aria-live")).toBe("polite");
  });
});
