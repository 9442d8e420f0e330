import type { Scene } from "./stage.ts";

const NAME = "Username e.g. Albus212";

/** Scenes of a visitor. */
export const SIGN_IN_SCENES: Record<string, Scene> = {
  landing: async (stage) => {
    await stage.visit("/");
    await stage.page.getByRole("button", { name: "Register" }).waitFor();
  },
  "landing-focus": async (stage) => {
    await stage.visit("/");
    await stage.page.getByRole("button", { name: "Log in" }).waitFor();
    await stage.page.keyboard.press("Tab");
  },
  "not-found": async (stage) => {
    await stage.visit("/nowhere");
    await stage.page.getByText("Uh oh! Page not found...").waitFor();
  },
  checking: async (stage) => {
    await stage.hang("**/messageoh/users/*");
    await stage.enter(stage.world.me, "/login");
  },
  "checking-failed": async (stage) => {
    await stage.fail("**/messageoh/users/*");
    await stage.enter(stage.world.me);
    await stage.page.getByRole("button", { name: "Retry" }).waitFor();
  },
  login: async (stage) => {
    await stage.visit("/login");
    await stage.page.getByPlaceholder("Password").waitFor();
  },
  "login-missing": async (stage) => {
    await stage.visit("/login");
    await stage.page.getByRole("button", { name: "Log in" }).click();
    await stage.page.getByText("Please fill in").waitFor();
  },
  "login-error": async (stage) => {
    await stage.visit("/login");
    await stage.page.getByPlaceholder("Username").fill("Maya");
    await stage.page.getByPlaceholder("Password").fill("not the right one");
    await stage.page.getByRole("button", { name: "Show password" }).click();
    await stage.page.getByRole("button", { name: "Log in" }).click();
    await stage.page.getByRole("alert").getByText(/./).waitFor();
  },
  "login-busy": async (stage) => {
    await stage.hang("**/messageoh/login");
    await stage.visit("/login");
    await stage.page.getByPlaceholder("Username").fill("Maya");
    await stage.page.getByPlaceholder("Password").fill("a long password");
    await stage.page.getByRole("button", { name: "Log in" }).click();
  },
  "login-network-error": async (stage) => {
    await stage.fail("**/messageoh/login");
    await stage.visit("/login");
    await stage.page.getByPlaceholder("Username").fill("Maya");
    await stage.page.getByPlaceholder("Password").fill("a long password");
    await stage.page.getByRole("button", { name: "Log in" }).click();
    await stage.page.getByText("Something went wrong with your request").waitFor();
  },
  register: async (stage) => {
    await stage.visit("/register");
    await stage.page.getByPlaceholder(NAME).waitFor();
  },
  "register-missing": async (stage) => {
    await stage.visit("/register");
    await stage.page.getByRole("button", { name: "Register" }).click();
    await stage.page.getByText("Please fill in").waitFor();
  },
  "register-short-password": async (stage) => {
    await stage.visit("/register");
    await stage.page.getByPlaceholder(NAME).fill("Juniper");
    await stage.page.getByPlaceholder("Password").fill("short");
    await stage.page.getByText("Password needs at least 8 characters").waitFor();
  },
  "register-chosen": async (stage) => {
    await stage.visit("/register");
    await stage.page.getByPlaceholder(NAME).fill("Juniper");
    await stage.page.getByPlaceholder("Password").fill("a long password");
    await stage.page.getByRole("radio", { name: "Panda" }).click();
    await stage.page.mouse.move(0, 0);
  },
  "register-keyboard": async (stage) => {
    await stage.visit("/register");
    await stage.page.getByRole("radio", { name: "Dog" }).focus();
    for (let step = 0; step < 2; step += 1) await stage.page.keyboard.press("ArrowRight");
  },
  "register-error": async (stage) => {
    await stage.visit("/register");
    await stage.page.getByPlaceholder(NAME).fill("Maya");
    await stage.page.getByPlaceholder("Password").fill("a long password");
    await stage.page.getByRole("radio", { name: "Seal" }).click();
    await stage.page.getByRole("button", { name: "Register" }).click();
    await stage.page.getByRole("alert").getByText(/./).waitFor();
  },
};
