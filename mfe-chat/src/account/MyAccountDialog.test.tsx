import { DELETED_AVATAR_ID, DELETED_NAME } from "@messageoh/contracts/avatars";
import { EXPORT_BYTES_HEADER, exportMedia } from "@messageoh/contracts/media";
import { EXPORT_TOTAL_HEADER, exportData } from "@messageoh/contracts/messages";
import { hang, received, refuse, respond } from "@messageoh/contracts/testing/httpServer";
import { changeName, deleteAccount, getProfile, type User } from "@messageoh/contracts/users";
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { BOB, ME, WITH_BOB } from "../../testing/builders.ts";
import { renderChat } from "../../testing/renderChat.tsx";
import { startChatServer } from "../../testing/server.ts";

const server = startChatServer();
const PROFILE = respond(getProfile, () => ({ ...ME, created_at: "2024-01-05T12:00:00.000Z" }));

async function open() {
  const chat = renderChat();
  await screen.findByRole("navigation", { name: "Friends" });
  await chat.user.click(screen.getByRole("button", { name: /account/ }));
  await chat.user.click(screen.getByRole("menuitem", { name: "Settings" }));
  await chat.user.click(screen.getByRole("button", { name: "My account" }));
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

  it("closes no other form if the user has cancelled before the server responds", async () => {
    const { promise, resolve } = Promise.withResolvers<User>();
    server.use(
      PROFILE,
      respond(changeName, () => promise),
    );
    const { dialog, fill, user, shell } = await openForm();
    await fill("Rowena");
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    await user.click(dialog.getByRole("button", { name: "Delete account" }));
    resolve({ ...ME, name: "Rowena" });
    await waitFor(() => expect(shell.user.name).toBe("Rowena"));
    expect(dialog.getByRole("form", { name: "Delete account" })).toBeTruthy();
  });

  it.each(["Change name", "Delete account"])("returns the focus to “%s” when its form is cancelled", async (name) => {
    server.use(PROFILE);
    const { dialog, user } = await open();
    await user.click(dialog.getByRole("button", { name }));
    expect(dialog.queryByRole("button", { name })).toBeNull();
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(document.activeElement).toBe(dialog.getByRole("button", { name }));
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

describe("the download of the user's data", () => {
  const saved: string[] = [];
  beforeEach(() => {
    saved.length = 0;
    // jsdom has neither object URLs nor downloads.
    URL.createObjectURL = () => "blob:data";
    jest.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
  });
  afterEach(() => jest.restoreAllMocks());
  const url = `*/messageoh${exportData.path}`;

  it("shows its progress and saves the file", async () => {
    const { readable, writable } = new TransformStream<Uint8Array>();
    const stream = writable.getWriter();
    server.use(
      PROFILE,
      http.get(url, () => new HttpResponse(readable, { headers: { [EXPORT_TOTAL_HEADER]: "4" } })),
    );
    const { dialog, user } = await open();
    await user.click(dialog.getByRole("button", { name: "Download my data" }));
    void stream.write(new TextEncoder().encode("{}\n{}\n"));
    const progress = await dialog.findByRole("progressbar", { name: "Download of your data" });
    await waitFor(() => expect(progress).toHaveProperty("value", 0.5));
    expect(dialog.getByText("50 %")).toBeTruthy();
    expect(saved).toEqual([]);
    void stream.close();
    expect(await dialog.findByText("Saved as messageoh-data.json")).toBeTruthy();
    expect(saved).toEqual(["messageoh-data.json"]);
  });

  it("saves the files of the messages as a ZIP file, with the share of their bytes", async () => {
    const { readable, writable } = new TransformStream<Uint8Array>();
    const stream = writable.getWriter();
    server.use(
      PROFILE,
      http.get(
        `*/messageoh${exportMedia.path}`,
        () => new HttpResponse(readable, { headers: { [EXPORT_BYTES_HEADER]: "10" } }),
      ),
    );
    const { dialog, user } = await open();
    await user.click(dialog.getByRole("button", { name: "Download my files" }));
    void stream.write(new Uint8Array(3));
    const progress = await dialog.findByRole("progressbar", { name: "Download of your files" });
    await waitFor(() => expect(progress).toHaveProperty("value", 0.3));
    void stream.close();
    expect(await dialog.findByText("Saved as messageoh-files.zip")).toBeTruthy();
    expect(saved).toEqual(["messageoh-files.zip"]);
  });

  it("keeps the focus when it begins and when it ends", async () => {
    const { readable, writable } = new TransformStream<Uint8Array>();
    server.use(
      PROFILE,
      http.get(url, () => new HttpResponse(readable, { headers: { [EXPORT_TOTAL_HEADER]: "4" } })),
    );
    const { dialog, user } = await open();
    dialog.getByRole("button", { name: "Download my data" }).focus();
    await user.keyboard("{Enter}");
    expect(document.activeElement).toBe(await dialog.findByRole("button", { name: "Cancel" }));
    void writable.close();
    expect(await dialog.findByText("Saved as messageoh-data.json")).toBeTruthy();
    expect(document.activeElement).toBe(dialog.getByRole("button", { name: "Download my data" }));
  });

  it("goes on while a form is open", async () => {
    const { readable, writable } = new TransformStream<Uint8Array>();
    server.use(
      PROFILE,
      http.get(url, () => new HttpResponse(readable, { headers: { [EXPORT_TOTAL_HEADER]: "4" } })),
    );
    const { dialog, user } = await open();
    await user.click(dialog.getByRole("button", { name: "Download my data" }));
    await user.click(dialog.getByRole("button", { name: "Change name" }));
    expect(dialog.queryByRole("progressbar")).toBeNull();
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(dialog.getByRole("progressbar", { name: "Download of your data" })).toBeTruthy();
    void writable.close();
    expect(await dialog.findByText("Saved as messageoh-data.json")).toBeTruthy();
    expect(saved).toEqual(["messageoh-data.json"]);
  });

  it("saves nothing after an error or a cancellation, and can be started again", async () => {
    server.use(PROFILE, refuse(exportData, 429, "You have downloaded your data too often"));
    const { dialog, user } = await open();
    await user.click(dialog.getByRole("button", { name: "Download my data" }));
    expect((await dialog.findByRole("alert")).textContent).toBe("You have downloaded your data too often");
    server.use(hang(exportData));
    await user.click(dialog.getByRole("button", { name: "Download my data" }));
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(await dialog.findByRole("button", { name: "Download my data" })).toBeTruthy();
    expect(dialog.queryByRole("alert")).toBeNull();
    expect(saved).toEqual([]);
  });
});

describe("the deletion of the account", () => {
  async function openDeletion() {
    const { dialog, ...chat } = await open();
    await chat.user.click(dialog.getByRole("button", { name: "Delete account" }));
    const submit = () => chat.user.click(dialog.getByRole("button", { name: "Delete my account" }));
    return { ...chat, dialog, submit, password: dialog.getByLabelText("Your password") };
  }
  const sent = () => received.filter(({ path }) => path === "/users/me/deletion").map(({ body }) => body);

  it("sends the password with the choice for the messages, and leaves the chat without drafts", async () => {
    server.use(
      PROFILE,
      respond(deleteAccount, () => ({})),
    );
    localStorage.setItem(`messageoh:draft:me:${WITH_BOB}`, "A draft");
    const { dialog, user, submit, password, shell } = await openDeletion();
    expect(dialog.getByRole("radio", { name: /keep/ })).toHaveProperty("checked", true);
    await user.click(dialog.getByRole("radio", { name: /deleted/ }));
    await user.type(password, "phoenix!");
    await submit();
    await waitFor(() => expect(shell.isLoggedOut).toBe(true));
    expect(sent()).toEqual([{ password: "phoenix!", texts: "remove" }]);
    expect(Object.keys(localStorage).filter((key) => key.startsWith("messageoh:draft"))).toEqual([]);
  });

  it("needs the password, shows the server's error and stays logged in", async () => {
    server.use(PROFILE, refuse(deleteAccount, 403, "Your password is wrong"));
    const { dialog, user, submit, password, shell } = await openDeletion();
    expect(document.activeElement).toBe(password);
    await submit();
    expect(dialog.getByRole("alert").textContent).toBe("Please fill in or select all required fields");
    expect(sent()).toEqual([]);
    await user.type(password, "not this one");
    await submit();
    expect((await dialog.findByRole("alert")).textContent).toBe("Your password is wrong");
    expect(shell.isLoggedOut).toBe(false);
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(dialog.getByRole("button", { name: "Delete account" })).toBeTruthy();
  });

  it("shows friends a thread that explains itself instead of the composer", async () => {
    const chat = renderChat({ path: "/home/bob" });
    expect(await screen.findByLabelText("Message...")).toBeTruthy();
    const user = { ...BOB, name: DELETED_NAME, avatar_id: DELETED_AVATAR_ID };
    await chat.receive((handlers) => handlers.user_updated({ user }));
    expect(await screen.findByText(/^This account was deleted\./)).toBeTruthy();
    expect(screen.queryByLabelText("Message...")).toBeNull();
    expect(screen.getByRole("region", { name: "Thread with Deleted account" })).toBeTruthy();
  });
});
