import { received } from "@messageoh/contracts/testing/httpServer";
import { screen, waitFor, within } from "@testing-library/react";
import { renderChat } from "../../../testing/renderChat.tsx";
import { choose, rowWith } from "../../../testing/rows.ts";
import { someData, startChatServer } from "../../../testing/server.ts";

let data = someData();
startChatServer(() => data);
beforeEach(() => {
  data = someData();
  localStorage.clear();
});

const deletions = () => received.filter(({ method }) => method === "DELETE").map(({ path }) => path);

describe("deleting a message for both", () => {
  it("asks once, and leaves a tombstone without a menu", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Delete");
    const dialog = await screen.findByRole("dialog", { name: "Delete message?" });
    expect(within(dialog).getByText("Both of you will see that a message was deleted.")).toBeTruthy();
    await user.click(within(dialog).getByRole("button", { name: "Delete for everyone" }));
    const tombstone = await rowWith("Message deleted");
    expect(within(tombstone).queryAllByRole("button")).toEqual([]);
    expect(screen.queryByText("Gladly")).toBeNull();
    await waitFor(() => expect(deletions()).toEqual(["/messages/me/with-bob/2"]));
    await waitFor(() => expect(localStorage).toHaveLength(0));
    expect(await rowWith("Message deleted")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Message..."));
  });

  it("changes nothing if the user cancels", async () => {
    const { user, shell } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Delete");
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    await choose(user, "Gladly", "Delete");
    await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    expect([screen.queryByRole("dialog"), shell.path]).toEqual([null, "/home/bob"]);
    expect(await rowWith("Gladly")).toBeTruthy();
    expect(deletions()).toEqual([]);
  });

  it("is shown in the list of friends, and skipped by the arrow keys", async () => {
    data.messages[2] = { ...data.messages[2], text: "deleted", deleted_at: new Date().toISOString() } as never;
    renderChat({ path: "/home/bob" });
    const friends = await screen.findByRole("navigation");
    expect(await within(friends).findByText("Message deleted")).toBeTruthy();
    const gladly = within(await rowWith("Gladly")).getByRole("button", { name: "Message actions" });
    expect(gladly.tabIndex).toBe(0);
  });
});
