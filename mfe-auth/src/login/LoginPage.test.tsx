import { hang, received, refuse, respond, startHttpServer } from "@messageoh/contracts/testing/httpServer";
import { logIn } from "@messageoh/contracts/users";
import { screen } from "@testing-library/react";
import {
  isMarked,
  MISSING,
  passwordField,
  renderAuthPage,
  SERVER_TEXT,
  withoutResponse,
} from "../../testing/authPage.tsx";
import LoginPage from "./LoginPage.tsx";

const ANN = { id: "ann", name: "Ann", avatar_id: "fox-id" };
const server = startHttpServer(respond(logIn, () => ANN));

const nameField = () => screen.getByPlaceholderText("Username");

async function submitted() {
  const page = renderAuthPage(LoginPage);
  await page.user.type(nameField(), "Ann");
  await page.user.type(passwordField(), "a long password");
  await page.user.click(screen.getByRole("button", { name: "Log in" }));
  return page;
}

describe("login page", () => {
  it("shows its fields, its button and a link to the registration", async () => {
    const { user, shell } = renderAuthPage(LoginPage);
    expect(screen.getByRole("heading", { name: "Log in to your account" })).toBeTruthy();
    expect(screen.getByRole("textbox", { name: "Username" })).toBe(nameField());
    expect(passwordField().getAttribute("type")).toBe("password");
    expect(screen.getByRole("button", { name: "Log in" }).getAttribute("type")).toBe("submit");
    const link = screen.getByRole("link", { name: "Register" });
    expect(link.parentElement?.textContent).toBe("No account? Register");
    expect(link.getAttribute("href")).toBe("/register");
    await user.click(link);
    expect(shell.paths).toEqual(["/register"]);
  });

  it("reports missing fields and marks each until it is edited", async () => {
    const { user } = renderAuthPage(LoginPage);
    await user.click(screen.getByRole("button", { name: "Log in" }));
    expect(screen.getByRole("alert").textContent).toBe(MISSING);
    expect([nameField(), passwordField()].map(isMarked)).toEqual([true, true]);
    await user.type(nameField(), "A");
    expect([nameField(), passwordField()].map(isMarked)).toEqual([false, true]);
    expect(screen.getByText(MISSING)).toBeTruthy();
    await user.type(passwordField(), "a");
    expect([nameField(), passwordField()].map(isMarked)).toEqual([false, false]);
    expect(screen.queryByText(MISSING)).toBeNull();
    expect(received).toEqual([]);
  });

  it("focuses the first missing field, which the error describes", async () => {
    const { user } = renderAuthPage(LoginPage);
    await user.type(nameField(), "Ann");
    await user.click(screen.getByRole("button", { name: "Log in" }));
    expect(document.activeElement).toBe(passwordField());
    expect(passwordField().getAttribute("aria-describedby")).toContain(screen.getByRole("alert").id);
    expect(nameField().getAttribute("aria-describedby")).toBeNull();
  });

  it("submits name and password on Enter and passes the user to the shell", async () => {
    const { user, shell } = renderAuthPage(LoginPage);
    await user.type(nameField(), "Ann");
    await user.type(passwordField(), "a long password{Enter}");
    await screen.findByRole("button", { name: "Log in", busy: false });
    expect(received).toEqual([
      { method: "POST", path: "/login", query: {}, body: { name: "Ann", password: "a long password" } },
    ]);
    expect(shell.users).toEqual([ANN]);
  });

  it("sends one request if Enter is pressed several times", async () => {
    server.use(hang(logIn));
    const { user } = await submitted();
    expect(screen.getByRole("button", { name: "Log in" }).getAttribute("aria-busy")).toBe("true");
    await user.type(passwordField(), "{Enter}{Enter}");
    await user.click(screen.getByRole("button", { name: "Log in" }));
    expect(received).toHaveLength(1);
  });

  it.each([200, 401])("shows the server's error with status %d unchanged until an edit", async (status) => {
    server.use(refuse(logIn, status, SERVER_TEXT));
    const { user, shell } = await submitted();
    expect((await screen.findByRole("alert")).textContent).toBe(SERVER_TEXT);
    expect(shell).toEqual({ paths: [], users: [] });
    await user.type(nameField(), "another");
    expect(screen.queryByText(SERVER_TEXT)).toBeNull();
  });

  it.each(withoutResponse(logIn))("shows 'Something went wrong with your request' after %s", async (_, handler) => {
    server.use(handler);
    const { shell } = await submitted();
    expect((await screen.findByRole("alert")).textContent).toBe("Something went wrong with your request");
    expect(shell).toEqual({ paths: [], users: [] });
  });
});
