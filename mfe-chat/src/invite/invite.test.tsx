import { findInviter, renewInvite } from "@messageoh/contracts/invites";
import { received, refuse } from "@messageoh/contracts/testing/httpServer";
import { addFriend } from "@messageoh/contracts/users";
import { screen, within } from "@testing-library/react";
import { renderChat } from "../../testing/renderChat.tsx";
import { startChatServer } from "../../testing/server.ts";
import { invitedBy, inviteLink } from "../links/inviteLink.ts";

const server = startChatServer();
const QUESTION = "Would you like to add this friend to your contact list?";

it("finds the token in its own link, and none in others", () => {
  const link = new URL(inviteLink("a-b_c", "https://chat.example"));
  expect(link.href).toBe("https://chat.example/home?invite=a-b_c");
  expect(invitedBy(link.search)).toBe("a-b_c");
  expect(invitedBy("")).toBeNull();
});

describe("a page that was opened by a link", () => {
  it("asks whether to add the user of the link, adds and opens the thread", async () => {
    const { user, shell } = renderChat({ search: "?invite=of-dan" });
    const dialog = within(await screen.findByRole("dialog", { name: QUESTION }));
    expect(dialog.getByText("Dan")).toBeTruthy();
    expect(shell.path).toBe("/home");
    await user.click(dialog.getByRole("button", { name: "Confirm" }));
    expect(await screen.findByRole("region", { name: "Thread with Dan" })).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("adds nobody on Cancel", async () => {
    const { user } = renderChat({ search: "?invite=of-dan" });
    await screen.findByRole("dialog", { name: QUESTION });
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(received.filter(({ path }) => path === addFriend.path)).toEqual([]);
  });

  it("opens the thread of a friend without a question", async () => {
    renderChat({ search: "?invite=of-bob" });
    expect(await screen.findByRole("region", { name: "Thread with Bob" })).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("tells users that a link is their own", async () => {
    renderChat({ search: "?invite=of-me" });
    expect(await screen.findByText("This is your own link. Send it to a friend.")).toBeTruthy();
  });

  it("shows why a link leads to nobody", async () => {
    server.use(refuse(findInviter, 404, "This link is not valid any more. Ask for a new one"));
    renderChat({ search: "?invite=former" });
    const dialog = within(await screen.findByRole("dialog", { name: "Add friend" }));
    expect((await dialog.findByRole("alert")).textContent).toContain("not valid any more");
  });
});

describe("the user's own link", () => {
  async function sharing() {
    const chat = renderChat();
    await screen.findByRole("navigation", { name: "Friends" });
    await chat.user.click(screen.getByRole("button", { name: "Your avatar and account menu" }));
    await chat.user.click(screen.getByRole("menuitem", { name: "Share my link" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Share my link" }));
    await dialog.findByRole("img", { name: "QR code of your link" });
    return { ...chat, dialog };
  }

  it("is shown and copied", async () => {
    const { user, dialog } = await sharing();
    const write = jest.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    const link = `${location.origin}/home?invite=my-token`;
    expect(dialog.getByText(link)).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Copy link" }));
    expect((await dialog.findByRole("status")).textContent).toBe("Link copied");
    expect(write).toHaveBeenCalledWith(link);
  });

  it("is replaced, and stays if that fails", async () => {
    const { user, dialog } = await sharing();
    await user.click(dialog.getByRole("button", { name: "New link" }));
    expect(await dialog.findByText(/invite=new-token$/)).toBeTruthy();
    server.use(refuse(renewInvite, 429, "You are making too many changes"));
    await user.click(dialog.getByRole("button", { name: "New link" }));
    expect((await dialog.findByRole("alert")).textContent).toBe("You are making too many changes");
    expect(dialog.getByText(/invite=new-token$/)).toBeTruthy();
  });
});
