import type { Scene, Stage } from "./stage.ts";

const CALLS = /\/messageoh\/(friends|messages|threads)\//;

async function addingFriend(stage: Stage, text: string): Promise<void> {
  await stage.enter(stage.world.me);
  await stage.person.entry(stage.friend("Albus")).waitFor();
  await stage.person.startAddingFriend(text);
}

async function choosingAlba(stage: Stage): Promise<void> {
  await addingFriend(stage, "al");
  await stage.page.getByRole("button", { name: "Alba" }).click();
  await stage.page.getByRole("button", { name: "Confirm" }).waitFor();
}

async function openMyAccount(stage: Stage): Promise<void> {
  await stage.enter(stage.world.me);
  await stage.person.entry(stage.friend("Albus")).waitFor();
  await stage.person.openAccountMenu();
  await stage.page.getByRole("menuitem", { name: "My account" }).click();
  await stage.page.getByText(/^Member since/).waitFor();
}

/** Scenes of the sidebar: friends, search, new friends and the account. */
export const LIST_SCENES: Record<string, Scene> = {
  "home-no-friends": async (stage) => {
    await stage.enter(stage.world.loner);
    await stage.page.getByText("No friends here yet...").waitFor();
  },
  home: async (stage) => {
    await stage.enter(stage.world.me);
    await stage.person.entry(stage.friend("Albus")).waitFor();
  },
  "home-keyboard": async (stage) => {
    await stage.enter(stage.world.me);
    await stage.person.entry(stage.friend("Albus")).waitFor();
    await stage.page.getByPlaceholder("Search").focus();
    await stage.page.keyboard.press("ArrowDown");
    await stage.page.keyboard.press("ArrowDown");
  },
  "home-skeleton": async (stage) => {
    await stage.hang(CALLS);
    await stage.enter(stage.world.me);
    await stage.page.getByPlaceholder("Search").waitFor();
  },
  "home-failed": async (stage) => {
    await stage.fail(CALLS);
    await stage.enter(stage.world.me);
    await stage.page.getByRole("button", { name: "Retry" }).waitFor();
  },
  "account-menu": async (stage) => {
    await stage.enter(stage.world.me);
    await stage.person.entry(stage.friend("Albus")).waitFor();
    await stage.person.openAccountMenu();
    await stage.page.getByRole("menuitem", { name: "Log out" }).waitFor();
  },
  "my-account": async (stage) => {
    await openMyAccount(stage);
  },
  "my-account-name": async (stage) => {
    await openMyAccount(stage);
    await stage.page.getByRole("button", { name: "Change name" }).click();
    await stage.page.getByLabel("New username").fill("Albus");
    await stage.page.getByRole("button", { name: "Save" }).click();
    await stage.page.getByText("This username is already taken").waitFor();
  },
  "my-account-deletion": async (stage) => {
    await openMyAccount(stage);
    await stage.page.getByRole("button", { name: "Delete account" }).click();
    await stage.page.getByLabel("Your password").waitFor();
  },
  search: async (stage) => {
    await stage.enter(stage.world.me);
    await stage.person.search("an");
    await stage.page.getByRole("heading", { name: "Messages" }).waitFor();
    await stage.page.getByText("You are an angel!").waitFor();
  },
  "search-empty": async (stage) => {
    await stage.enter(stage.world.me);
    await stage.person.search("marzipan");
    await stage.page.getByText("No result for 'marzipan'").waitFor();
  },
  "search-failed": async (stage) => {
    await stage.fail(/\/messageoh\/messages\/.*search=/);
    await stage.enter(stage.world.me);
    await stage.person.search("lu");
    await stage.page.getByRole("button", { name: "Retry" }).waitFor();
  },
  "add-friend": async (stage) => {
    await addingFriend(stage, "");
    await stage.page.getByRole("button", { name: "Rosalind" }).waitFor();
  },
  "add-friend-empty": async (stage) => {
    await addingFriend(stage, "Nobody");
    await stage.page.getByText("User called 'Nobody' doesn't exist").waitFor();
  },
  "add-friend-failed": async (stage) => {
    await stage.fail(/\/messageoh\/users(\?|$)/);
    await addingFriend(stage, "al");
    await stage.page.getByRole("button", { name: "Retry" }).waitFor();
  },
  "add-friend-confirm": choosingAlba,
  "add-friend-error": async (stage) => {
    await stage.fail("**/messageoh/add_friend");
    await choosingAlba(stage);
    await stage.page.getByRole("button", { name: "Confirm" }).click();
    await stage.page.getByText("Friend could not be added").waitFor();
  },
  sessions: async (stage) => {
    await stage.enter(stage.world.me);
    await stage.person.openAccountMenu();
    await stage.page.getByRole("menuitem", { name: "Sessions" }).click();
    await stage.page.getByRole("button", { name: "Log out everywhere" }).waitFor();
  },
  privacy: async (stage) => {
    const blocked = ["Rosalind", "Noor"].map((name) => ({
      id: stage.friend("Albus").id + name,
      name,
      avatar_id: "fox-id",
    }));
    await stage.page.route("**/messageoh/users/*/blocked", (route) => route.fulfill({ json: blocked }));
    await stage.enter(stage.world.me);
    await stage.person.openAccountMenu();
    await stage.page.getByRole("menuitem", { name: "Privacy" }).click();
    await stage.page.getByRole("button", { name: "Unblock Noor" }).waitFor();
  },
  "change-password": async (stage) => {
    await stage.enter(stage.world.me);
    await stage.person.openAccountMenu();
    await stage.page.getByRole("menuitem", { name: "Change password" }).click();
    await stage.page.getByLabel("New password").fill("short");
    await stage.page.getByRole("button", { name: "Save" }).click();
    await stage.page.getByText("Password needs at least 8 characters").waitFor();
  },
  "change-avatar": async (stage) => {
    await stage.enter(stage.world.me);
    await stage.person.openAccountMenu();
    await stage.page.getByRole("menuitem", { name: "Change avatar" }).click();
    await stage.page.getByRole("button", { name: "Save" }).waitFor();
  },
  "change-avatar-error": async (stage) => {
    await stage.page.route("**/messageoh/users/*", (route) =>
      route.request().method() === "PUT" ? route.abort() : route.fallback(),
    );
    await LIST_SCENES["change-avatar"]?.(stage);
    await stage.page.getByRole("radio", { name: "Koala" }).click();
    await stage.page.getByRole("button", { name: "Save" }).click();
    await stage.page.getByText("Something went wrong with your request").waitFor();
  },
};
