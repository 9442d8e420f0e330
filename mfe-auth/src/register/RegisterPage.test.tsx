import { received, refuse, respond, startHttpServer } from "@messageoh/contracts/testing/httpServer";
import { register } from "@messageoh/contracts/users";
import { act, screen } from "@testing-library/react";
import {
  isMarked,
  MISSING,
  passwordField,
  renderAuthPage,
  SERVER_TEXT,
  withoutResponse,
} from "../../testing/authPage.tsx";
import RegisterPage from "./RegisterPage.tsx";

const TOO_SHORT = "Password needs at least 8 characters";
const server = startHttpServer(respond(register, () => ({ id: "ann" })));

const nameField = () => screen.getByPlaceholderText("Username e.g. Albus212");
const avatars = () => screen.getByRole("radiogroup", { name: "Choose your avatar" });
const avatar = (name: string) => screen.getByRole("radio", { name });
const submit = () => screen.getByRole("button", { name: "Register" });

async function filled() {
  const page = renderAuthPage(RegisterPage);
  await page.user.type(nameField(), "Ann");
  await page.user.click(avatar("Giraffe"));
  await page.user.type(passwordField(), "8 charac");
  return page;
}

describe("registration page", () => {
  it("shows its fields, avatars, button and a link to the login", async () => {
    const { user, shell } = renderAuthPage(RegisterPage);
    expect(screen.getByRole("heading", { name: "Create your account" })).toBeTruthy();
    expect(screen.getByRole("textbox", { name: "Username" })).toBe(nameField());
    expect(screen.getByRole("heading", { name: "Choose your avatar" })).toBeTruthy();
    expect(screen.getAllByRole("radio")).toHaveLength(18);
    expect(submit().getAttribute("type")).toBe("submit");
    await user.click(screen.getByRole("link", { name: "Log in" }));
    expect(shell.paths).toEqual(["/login"]);
  });

  it("hides the password until the toggle shows it", async () => {
    const { user } = renderAuthPage(RegisterPage);
    await user.type(passwordField(), "a long password");
    expect(passwordField().getAttribute("type")).toBe("password");
    await user.click(screen.getByRole("button", { name: "Show password" }));
    expect(passwordField().getAttribute("type")).toBe("text");
    await user.click(screen.getByRole("button", { name: "Hide password" }));
    expect(passwordField().getAttribute("type")).toBe("password");
  });

  it("reports missing fields and marks each until it is edited", async () => {
    const { user } = renderAuthPage(RegisterPage);
    const marks = () => [nameField(), passwordField(), avatars()].map(isMarked);
    await user.click(submit());
    expect(screen.getByRole("alert").textContent).toBe(MISSING);
    expect(marks()).toEqual([true, true, true]);
    expect(document.activeElement).toBe(nameField());
    await user.type(nameField(), "Albus212");
    expect(marks()).toEqual([false, true, true]);
    await user.type(passwordField(), "a long password");
    expect(marks()).toEqual([false, false, true]);
    expect(screen.getByText(MISSING)).toBeTruthy();
    await user.click(avatar("Dog"));
    expect(marks()).toEqual([false, false, false]);
    expect(screen.queryByText(MISSING)).toBeNull();
  });

  it.each(["name", "password", "avatar"])("does not submit without %s", async (missing) => {
    const { user } = renderAuthPage(RegisterPage);
    if (missing !== "name") await user.type(nameField(), "Ann");
    if (missing !== "password") await user.type(passwordField(), "a long password");
    if (missing !== "avatar") await user.click(avatar("Dog"));
    await user.click(submit());
    expect(screen.getByRole("alert").textContent).toBe(MISSING);
    expect(received).toEqual([]);
  });

  it("submits on Enter without spaces around the name and passes the user to the shell", async () => {
    const { user, shell } = renderAuthPage(RegisterPage);
    await user.type(nameField(), " Ann ");
    await user.click(avatar("Giraffe"));
    await user.type(passwordField(), "8 charac{Enter}");
    await screen.findByRole("button", { name: "Register", busy: false });
    const body = { name: "Ann", password: "8 charac", avatar_id: "giraffe-id" };
    expect(received).toEqual([{ method: "POST", path: "/users", query: {}, body }]);
    expect(shell.users).toEqual([{ id: "ann", name: "Ann", avatar_id: "giraffe-id" }]);
  });

  it("does not submit a password that is too short and focuses the field", async () => {
    const { user } = renderAuthPage(RegisterPage);
    await user.type(nameField(), "Ann");
    await user.type(passwordField(), "1234567");
    await user.click(avatar("Dog"));
    await user.click(submit());
    expect(screen.getByText(TOO_SHORT)).toBeTruthy();
    expect(document.activeElement).toBe(passwordField());
    expect(received).toEqual([]);
  });

  it.each(["a", "🦊"])("limits a name of '%s' to 30 characters", async (character) => {
    const { user } = renderAuthPage(RegisterPage);
    await user.click(nameField());
    await user.paste(character.repeat(31));
    expect(nameField()).toHaveProperty("value", character.repeat(30));
    await user.clear(nameField());
    await user.paste(character.repeat(30));
    expect(nameField()).toHaveProperty("value", character.repeat(30));
  });

  it("reports what a username may not contain and does not submit", async () => {
    const { user } = await filled();
    await user.type(nameField(), "\u202e");
    expect(screen.getByText("Username contains invalid characters")).toBeTruthy();
    await user.click(submit());
    expect(received).toEqual([]);
  });

  it.each([
    ["Password123", "This password is too common. Please choose one that is harder to guess"],
    ["Albus212!", "Your password must not be your username"],
  ])("reports that %s is easy to guess and does not submit", async (password, text) => {
    const { user } = renderAuthPage(RegisterPage);
    await user.type(nameField(), "Albus212");
    await user.click(avatar("Dog"));
    await user.type(passwordField(), password);
    expect(await screen.findByText(text)).toBeTruthy();
    await user.click(submit());
    expect(received).toEqual([]);
  });

  it.each([200, 401])("shows the server's error with status %d unchanged until an edit", async (status) => {
    server.use(refuse(register, status, SERVER_TEXT));
    const { user, shell } = await filled();
    await user.click(submit());
    expect((await screen.findByRole("alert")).textContent).toBe(SERVER_TEXT);
    expect(shell).toEqual({ paths: [], users: [] });
    await user.type(nameField(), "x");
    expect(screen.queryByText(SERVER_TEXT)).toBeNull();
  });

  it.each(withoutResponse(register))("shows 'Something went wrong with your request' after %s", async (_, handler) => {
    server.use(handler);
    const { user, shell } = await filled();
    await user.click(submit());
    expect((await screen.findByRole("alert")).textContent).toBe("Something went wrong with your request");
    expect(shell).toEqual({ paths: [], users: [] });
  });
});

describe("debounce of the length check", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

  it("reports a short password 750 ms after typing stops, until an edit, and never an empty one", async () => {
    const { user } = renderAuthPage(RegisterPage, jest.advanceTimersByTime);
    await user.type(passwordField(), "1234567");
    await pass(749);
    expect(screen.queryByText(TOO_SHORT)).toBeNull();
    await pass(1);
    expect(screen.getByText(TOO_SHORT)).toBeTruthy();
    await user.type(passwordField(), "8");
    expect(screen.queryByText(TOO_SHORT)).toBeNull();
    await pass(2_000);
    expect(screen.queryByText(TOO_SHORT)).toBeNull();
    await user.clear(passwordField());
    await pass(2_000);
    expect(screen.queryByText(TOO_SHORT)).toBeNull();
  });

  it("restarts the delay if the same password is typed again", async () => {
    const { user } = renderAuthPage(RegisterPage, jest.advanceTimersByTime);
    await user.type(passwordField(), "1234567");
    await pass(700);
    await user.type(passwordField(), "8{Backspace}");
    await pass(749);
    expect(screen.queryByText(TOO_SHORT)).toBeNull();
    await pass(1);
    expect(screen.getByText(TOO_SHORT)).toBeTruthy();
  });
});
