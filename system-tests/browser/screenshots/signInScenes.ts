import {
  click,
  enter,
  fail,
  fill,
  hang,
  offers,
  press,
  refuse,
  type Scene,
  shows,
  showsAlert,
  visit,
} from "./steps.ts";

const NAME = "Username e.g. Albus212";
const LOG_IN = [
  visit("/login"),
  fill("Username", "Maya"),
  fill("Password", "a long password"),
  click("Log in"),
] as const;
const REGISTER = visit("/register");

/** Scenes of a visitor. */
export const SIGN_IN_SCENES: Record<string, Scene> = {
  landing: [visit("/"), offers("Register")],
  "landing-focus": [visit("/"), offers("Log in"), press("Tab")],
  "not-found": [visit("/nowhere"), shows("Uh oh! Page not found...")],
  checking: [hang("**/messageoh/users/*"), (stage) => stage.enter(stage.world.me, "/login")],
  "checking-failed": [fail("**/messageoh/users/*"), enter, offers("Retry")],
  login: [visit("/login"), ({ page }) => page.getByPlaceholder("Password").waitFor()],
  "login-missing": [visit("/login"), click("Log in"), shows("Please fill in")],
  "login-error": [
    visit("/login"),
    fill("Username", "Maya"),
    fill("Password", "not the right one"),
    click("Show password"),
    click("Log in"),
    showsAlert,
  ],
  "login-session-ended": [refuse("**/messageoh/users/*"), enter, shows(/^You were logged out here/)],
  "login-busy": [hang("**/messageoh/login"), ...LOG_IN],
  "login-network-error": [fail("**/messageoh/login"), ...LOG_IN, shows("Something went wrong with your request")],
  register: [REGISTER, ({ page }) => page.getByPlaceholder(NAME).waitFor()],
  "register-missing": [REGISTER, click("Register"), shows("Please fill in")],
  "register-short-password": [
    REGISTER,
    fill(NAME, "Juniper"),
    fill("Password", "short"),
    shows("Password needs at least 8 characters"),
  ],
  "register-weak-password": [
    REGISTER,
    fill(NAME, "Juniper"),
    fill("Password", "Password123"),
    shows(/^This password is too common/),
  ],
  "register-chosen": [
    REGISTER,
    fill(NAME, "Juniper"),
    fill("Password", "a long password"),
    click("Panda", "radio"),
    ({ page }) => page.mouse.move(0, 0),
  ],
  "register-keyboard": [
    REGISTER,
    ({ page }) => page.getByRole("radio", { name: "Dog" }).focus(),
    press("ArrowRight", "ArrowRight"),
  ],
  "register-error": [
    REGISTER,
    fill(NAME, "Maya"),
    fill("Password", "a long password"),
    click("Seal", "radio"),
    click("Register"),
    showsAlert,
  ],
};
