import { received, refuse, respond } from "@messageoh/contracts/testing/httpServer";
import { changePassword, endSession, endSessions, listSessions, type SessionInfo } from "@messageoh/contracts/users";
import { screen, waitFor, within } from "@testing-library/react";
import { renderChat } from "../../testing/renderChat.tsx";
import { startChatServer } from "../../testing/server.ts";

const server = startChatServer();
const NOW = new Date().toISOString();
const SESSIONS = [
  { id: "s2", device: "Chrome on Linux", created_at: NOW, last_used_at: NOW, is_current: false },
  { id: "s1", device: "Firefox on Windows", created_at: NOW, last_used_at: NOW, is_current: true },
];

async function opened(item: string) {
  const chat = renderChat();
  await screen.findByRole("navigation", { name: "Friends" });
  await chat.user.click(screen.getByRole("button", { name: /account/ }));
  await chat.user.click(screen.getByRole("menuitem", { name: "Settings" }));
  await chat.user.click(screen.getByRole("button", { name: item }));
  return { ...chat, dialog: within(await screen.findByRole("dialog", { name: item })) };
}

describe("sessions dialog", () => {
  const items = (dialog: ReturnType<typeof within>) =>
    dialog.getAllByRole("listitem").map((item: HTMLElement) => item.textContent);

  it("shows a spinner, then the current session first", async () => {
    const { promise, resolve } = Promise.withResolvers<SessionInfo[]>();
    server.use(respond(listSessions, () => promise));
    const { dialog } = await opened("Sessions");
    expect(dialog.getByText("Loading")).toBeTruthy();
    resolve(SESSIONS);
    await waitFor(() => expect(dialog.queryByText("Loading")).toBeNull());
    expect(items(dialog)).toEqual([expect.stringMatching(/^Firefox.*This device/), expect.stringMatching(/^Chrome/)]);
  });

  it("ends one session and reports it", async () => {
    server.use(
      respond(listSessions, () => SESSIONS),
      respond(endSession, () => ({})),
    );
    const { dialog, user } = await opened("Sessions");
    const end = await dialog.findByRole("button", { name: "Log out Chrome on Linux" });
    expect(items(dialog)).toEqual([
      expect.stringMatching(/^Firefox on WindowsThis deviceLogged in \w{3} \d/),
      expect.stringMatching(/^Chrome on LinuxActive now/),
    ]);
    await user.click(end);
    await waitFor(() => expect(items(dialog)).toHaveLength(1));
    expect(dialog.getAllByRole("status").map(({ textContent }) => textContent)).toContain(
      "Chrome on Linux is logged out",
    );
    expect(document.activeElement).toBe(dialog.getByRole("list"));
    expect(received.filter(({ method }) => method === "DELETE")).toMatchObject([{ path: "/sessions/me/s2" }]);
  });

  it("ends all sessions but this one", async () => {
    const third = { id: "s3", device: "Chrome on Linux", created_at: NOW, last_used_at: NOW, is_current: false };
    server.use(
      respond(listSessions, () => [...SESSIONS, third]),
      respond(endSession, () => ({})),
    );
    const { dialog, user, shell } = await opened("Sessions");
    await user.click(await dialog.findByRole("button", { name: "Log out all others" }));
    await waitFor(() => expect(items(dialog)).toEqual([expect.stringMatching(/^Firefox on WindowsThis device/)]));
    expect(received.filter(({ method }) => method === "DELETE").map(({ path }) => path)).toEqual([
      "/sessions/me/s2",
      "/sessions/me/s3",
    ]);
    expect(dialog.queryByRole("button", { name: "Log out all others" })).toBeNull();
    expect(shell.isLoggedOut).toBe(false);
  });

  it("goes on to the next session if one has already ended", async () => {
    const third = { id: "s3", device: "Chrome on Linux", created_at: NOW, last_used_at: NOW, is_current: false };
    server.use(
      respond(listSessions, () => [...SESSIONS, third]),
      refuse(endSession, 404, "This session has already ended"),
    );
    const { dialog, user } = await opened("Sessions");
    await user.click(await dialog.findByRole("button", { name: "Log out all others" }));
    await waitFor(() => expect(items(dialog)).toEqual([expect.stringMatching(/^Firefox on WindowsThis device/)]));
    expect(dialog.queryByRole("alert")).toBeNull();
  });

  it("asks, then ends all sessions and leaves the chat", async () => {
    server.use(
      respond(listSessions, () => SESSIONS),
      respond(endSessions, () => ({})),
    );
    const { dialog, user, shell } = await opened("Sessions");
    await user.click(await dialog.findByRole("button", { name: "Log out everywhere" }));
    expect(dialog.getByRole("alert").textContent).toBe("Log out on all devices, this one too?");
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(dialog.queryByRole("alert")).toBeNull();
    expect(shell.isLoggedOut).toBe(false);
    await user.click(dialog.getByRole("button", { name: "Log out everywhere" }));
    await user.click(dialog.getByRole("button", { name: "Log out everywhere" }));
    await waitFor(() => expect(shell.isLoggedOut).toBe(true));
  });

  it("keeps the focus when Retry loads the sessions", async () => {
    server.use(refuse(listSessions, 503, "Busy"));
    const { dialog, user } = await opened("Sessions");
    (await dialog.findByRole("button", { name: "Retry" })).focus();
    server.use(respond(listSessions, () => SESSIONS));
    await user.keyboard("{Enter}");
    await dialog.findByRole("button", { name: "Log out everywhere" });
    expect(screen.getByRole("dialog", { name: "Sessions" }).contains(document.activeElement)).toBe(true);
  });

  it("offers Retry if the sessions cannot be loaded, and keeps the list if one cannot be ended", async () => {
    server.use(refuse(listSessions, 503, "Busy"));
    const { dialog, user } = await opened("Sessions");
    expect((await dialog.findByRole("alert")).textContent).toBe("Busy");
    server.use(
      respond(listSessions, () => SESSIONS),
      refuse(endSession, 503, "Still busy"),
    );
    await user.click(dialog.getByRole("button", { name: "Retry" }));
    await user.click(await dialog.findByRole("button", { name: "Log out Chrome on Linux" }));
    expect((await dialog.findByRole("alert")).textContent).toBe("Still busy");
    expect(items(dialog)).toHaveLength(2);
  });
});

describe("change password dialog", () => {
  it("requires both fields and 8 characters, and shows the server's error until an edit", async () => {
    server.use(refuse(changePassword, 403, "Your current password is wrong"));
    const { dialog, user } = await opened("Change password");
    const [current, next] = [dialog.getByLabelText("Current password"), dialog.getByLabelText("New password")];
    expect(document.activeElement).toBe(current);
    await user.click(dialog.getByRole("button", { name: "Save" }));
    expect(dialog.getByRole("alert").textContent).toBe("Please fill in or select all required fields");
    await user.type(current, "not this one");
    await user.type(next, "short");
    await user.click(dialog.getByRole("button", { name: "Save" }));
    expect(dialog.getByText("Password needs at least 8 characters")).toBeTruthy();
    expect(document.activeElement).toBe(next);
    expect(received.filter(({ method }) => method === "POST")).toEqual([]);
    await user.clear(next);
    await user.type(next, "another long one");
    await user.click(dialog.getByRole("button", { name: "Save" }));
    expect((await dialog.findByRole("alert")).textContent).toBe("Your current password is wrong");
  });

  it("sends the password, and closes on Done", async () => {
    server.use(respond(changePassword, () => ({})));
    const { dialog, user } = await opened("Change password");
    await user.type(dialog.getByLabelText("Current password"), "a long password");
    await user.type(dialog.getByLabelText("New password"), "another long one");
    await user.click(dialog.getByRole("button", { name: "Save" }));
    expect(await dialog.findByText(/^Your password is changed/)).toBeTruthy();
    expect(received.find(({ path }) => path === "/users/me/password")?.body).toEqual({
      old_password: "a long password",
      new_password: "another long one",
    });
    await user.click(dialog.getByRole("button", { name: "Done" }));
    expect(screen.queryByRole("dialog", { name: "Change password" })).toBeNull();
  });
});
