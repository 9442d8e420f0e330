import { failNetwork, received, refuse, respond, respondUnreadable } from "@messageoh/contracts/testing/httpServer";
import { changeAvatar, type User } from "@messageoh/contracts/users";
import { screen, waitFor, within } from "@testing-library/react";
import { ME } from "../../testing/builders.ts";
import { renderChat } from "../../testing/renderChat.tsx";
import { startChatServer } from "../../testing/server.ts";

const server = startChatServer();

async function choosing(avatar: string) {
  const chat = renderChat();
  await screen.findByRole("navigation", { name: "Friends" });
  await chat.user.click(screen.getByRole("button", { name: /account/ }));
  await chat.user.click(screen.getByRole("menuitem", { name: "Change avatar" }));
  const dialog = within(screen.getByRole("dialog"));
  await chat.user.click(dialog.getByRole("radio", { name: avatar }));
  return { ...chat, dialog };
}

describe("change avatar dialog", () => {
  it("offers all animals with the current one chosen", async () => {
    const { dialog, user } = await choosing("Dog");
    expect(dialog.getByRole("heading", { name: "Choose your new avatar" })).toBeTruthy();
    expect(dialog.getAllByRole("radio")).toHaveLength(18);
    expect(dialog.getByRole("radio", { checked: true }).getAttribute("title")).toBe("Dog");
    await user.click(dialog.getByRole("radio", { name: "Fox" }));
    await user.click(dialog.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByAltText("Dog")).toBeTruthy();
    expect(received.filter(({ method }) => method === "PUT")).toEqual([]);
  });

  it("sends the choice, shows it, notifies the shell and closes", async () => {
    const { dialog, user, shell } = await choosing("Snake");
    await user.click(dialog.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(received.filter(({ method }) => method === "PUT")).toMatchObject([
      { path: "/users/me", body: { avatar_id: "snake-id" } },
    ]);
    expect(screen.getByAltText("Snake")).toBeTruthy();
    expect(shell.user.avatar_id).toBe("snake-id");
  });

  it("closes nothing else if the user has closed it before the server responds", async () => {
    const { promise, resolve } = Promise.withResolvers<User>();
    server.use(respond(changeAvatar, () => promise));
    const { dialog, user, shell } = await choosing("Snake");
    await user.click(dialog.getByRole("button", { name: "Save" }));
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: /account/ }));
    await user.click(screen.getByRole("menuitem", { name: "Settings" }));
    resolve({ ...ME, avatar_id: "snake-id" });
    await waitFor(() => expect(shell.user.avatar_id).toBe("snake-id"));
    expect(screen.getByRole("dialog", { name: "Settings" })).toBeTruthy();
  });

  it.each([
    ["a network failure", failNetwork(changeAvatar)],
    ["a response that cannot be read", respondUnreadable(changeAvatar)],
  ])("shows %s in the picker's error line, logs it and stays open", async (_, handler) => {
    const log = jest.spyOn(console, "error").mockImplementation(() => undefined);
    server.use(handler);
    const { dialog, user } = await choosing("Fox");
    await user.click(dialog.getByRole("button", { name: "Save" }));
    expect((await dialog.findByRole("alert")).textContent).toBe("Something went wrong with your request");
    expect(log.mock.calls.filter(([text]) => text === "The avatar could not be saved")).toHaveLength(1);
    await user.click(dialog.getByRole("button", { name: "Close" }));
    expect(screen.getByAltText("Dog")).toBeTruthy();
    log.mockRestore();
  });

  it("changes nothing and stays open after a response with an error", async () => {
    const log = jest.spyOn(console, "error").mockImplementation(() => undefined);
    server.use(refuse(changeAvatar, 200, "The server's own words"));
    const { dialog, user, shell } = await choosing("Fox");
    await user.click(dialog.getByRole("button", { name: "Save" }));
    expect((await dialog.findByRole("alert")).textContent).toBe("The server's own words");
    expect(dialog.getByRole("button", { name: "Save", busy: false })).toBeTruthy();
    expect(screen.getByRole("dialog")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Close" }));
    expect(screen.getByAltText("Dog")).toBeTruthy();
    expect(shell.user.avatar_id).toBe("dog-id");
    log.mockRestore();
  });
});
