import { received, refuse, respond } from "@messageoh/contracts/testing/httpServer";
import { changeName, getProfile } from "@messageoh/contracts/users";
import { screen, waitFor, within } from "@testing-library/react";
import { BOB, ME } from "../../testing/builders.ts";
import { renderChat } from "../../testing/renderChat.tsx";
import { startChatServer } from "../../testing/server.ts";

const server = startChatServer();
const PROFILE = respond(getProfile, () => ({ ...ME, created_at: "2024-01-05T12:00:00.000Z" }));

async function open() {
  const chat = renderChat();
  await screen.findByRole("navigation", { name: "Friends" });
  await chat.user.click(screen.getByRole("button", { name: /account/ }));
  await chat.user.click(screen.getByRole("menuitem", { name: "My account" }));
  return { ...chat, dialog: within(await screen.findByRole("dialog", { name: "My account" })) };
}
async function openForm() {
  const { dialog, ...chat } = await open();
  await chat.user.click(dialog.getByRole("button", { name: "Change name" }));
  const field = dialog.getByLabelText("New username");
  const fill = async (text: string) => {
    await chat.user.clear(field);
    if (text) await chat.user.type(field, text);
    await chat.user.click(dialog.getByRole("button", { name: "Save" }));
  };
  return { ...chat, dialog, field, fill };
}
const sentNames = () => received.filter(({ method }) => method === "PUT").map(({ path, body }) => [path, body]);

describe("my account", () => {
  it("shows avatar, name and the date of the registration", async () => {
    server.use(PROFILE);
    const { dialog } = await open();
    expect(dialog.getByText(ME.name)).toBeTruthy();
    expect(await dialog.findByText("Member since January 5, 2024")).toBeTruthy();
  });

  it("shows why the date is missing", async () => {
    server.use(refuse(getProfile, 503, "Busy"));
    const { dialog } = await open();
    expect((await dialog.findByRole("alert")).textContent).toBe("Busy");
  });

  it("changes the name, in the greeting and in the shell", async () => {
    server.use(
      PROFILE,
      respond(changeName, ({ body }) => ({ ...ME, ...(body as { name: string }) })),
    );
    const { dialog, fill, field, shell } = await openForm();
    expect(field).toHaveProperty("value", ME.name);
    await fill(" Rowena ");
    expect((await dialog.findByText("Your name is now Rowena")).getAttribute("role")).toBe("status");
    expect(sentNames()).toEqual([["/users/me/name", { name: "Rowena" }]]);
    expect(shell.user.name).toBe("Rowena");
    await waitFor(() => expect(document.querySelector("h1")?.textContent).toBe("Hi Rowena!"));
  });

  it("applies the rules of the registration before it asks the server", async () => {
    server.use(PROFILE);
    const { dialog, field, fill } = await openForm();
    await fill("");
    expect(dialog.getByRole("alert").textContent).toBe("Please fill in or select all required fields");
    await fill("a".repeat(31));
    expect(dialog.getByText("Username must have at most 30 characters")).toBeTruthy();
    expect(document.activeElement).toBe(field);
    expect(sentNames()).toEqual([]);
  });

  it("shows the server's error until an edit, and keeps the name", async () => {
    server.use(PROFILE, refuse(changeName, 409, "This username is already taken"));
    const { dialog, field, fill, user, shell } = await openForm();
    await fill("Bob");
    expect((await dialog.findByRole("alert")).textContent).toBe("This username is already taken");
    await user.type(field, "2");
    expect(dialog.queryByRole("alert")).toBeNull();
    expect(shell.user.name).toBe(ME.name);
  });

  it("shows a friend's new name at once", async () => {
    const chat = renderChat();
    const friends = within(await screen.findByRole("navigation", { name: "Friends" }));
    expect(await friends.findByText(BOB.name)).toBeTruthy();
    await chat.receive((handlers) => handlers.user_updated({ user: { ...BOB, name: "Robert" } }));
    expect(await friends.findByText("Robert")).toBeTruthy();
    expect(friends.queryByText(BOB.name)).toBeNull();
  });
});
