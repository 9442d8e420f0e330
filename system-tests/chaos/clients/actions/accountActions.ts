import { ApiError } from "@messageoh/contracts/client";
import { newName, pause } from "../../../client/account.ts";
import type { Random } from "../../random.ts";
import { newPassword } from "../accounts.ts";
import type { Person } from "../person.ts";
import type { World } from "../world.ts";
import { RETRY_MS, readyOf, readyTab, until, untilAccepted } from "./acting.ts";

const AWAY_MS = 2_000;
const SIGN_OUT_MS = 5_000;
const RENAMES_MAX = 2;

/**
 * Changes the name. The product allows three changes in 30 days. Nobody adds the person meanwhile, because a search
 * result shows the name at the time of the search.
 */
export async function changeName(_: World, person: Person) {
  if (person.renames >= RENAMES_MAX || person.involvedIn > 0) return false;
  person.isChangingName = true;
  const name = newName("Ann");
  await untilAccepted(person, (tab) => tab.chat.account.changeName(name));
  person.name = name;
  person.isChangingName = false;
  person.renames += 1;
  return true;
}

/** Deletes the account, with or without its texts, unless somebody else does something that concerns it. */
export async function deleteAccount(world: World, person: Person, random: Random) {
  if (person.involvedIn > 0) return false;
  const texts = random.pick(["keep", "remove"] as const);
  world.beginLeaving(person);
  const sessions = [person.browser.session, person.phone.session];
  for (const session of sessions) session.endingAt = Date.now();
  if (texts === "remove") world.ledger.withoutTexts.add(person.id);
  for (let isDeleted = false; !isDeleted; ) {
    await until(() => person.tabs.some((tab) => tab.isReady || tab.isSignedOut));
    // After a lost response, the session has ended.
    isDeleted = person.tabs.some((tab) => tab.isSignedOut);
    if (isDeleted) break;
    isDeleted = await readyOf(person)
      .chat.account.delete(person.password, texts)
      .then(
        () => true,
        () => false,
      );
    if (!isDeleted) await pause(RETRY_MS);
  }
  for (const session of sessions) session.hasEnded = true;
  person.close();
  world.leave(person);
  return true;
}

/** Logs out in one tab, which ends the session of the other tab too, and signs in again in the same browser. */
export async function logOutAndIn(_: World, person: Person): Promise<void> {
  const { session } = person.browser;
  const tab = await readyTab(person);
  session.endingAt = Date.now();
  tab.logOut();
  // The product does not wait for the server when it logs out.
  session.hasEnded = await tab.loggedOut;
  const deadline = Date.now() + SIGN_OUT_MS;
  while (!person.tabs.every(({ isSignedOut }) => isSignedOut) && Date.now() < deadline) await pause(100);
  person.closeTabs();
  person.browser.session = await person.logIn();
  person.openTabs();
  await until(() => person.isReady);
}

/** Changes the password in a tab, which ends the session of the phone. */
export async function changePassword(_: World, person: Person): Promise<void> {
  const next = newPassword();
  const { session } = person.phone;
  session.endingAt = Date.now();
  for (let status = 0; status !== 403 && !session.hasEnded; ) {
    const tab = await readyTab(person);
    await tab.chat.api.changePassword(person.password, next).then(
      () => {
        session.hasEnded = true;
      },
      // After a lost response, the old password is wrong (403).
      (error: unknown) => {
        status = error instanceof ApiError ? error.status : 0;
      },
    );
    await pause(RETRY_MS);
  }
  person.oldPasswords.push(person.password);
  person.password = next;
  await person.replacePhone();
}

export async function reloadTab(_: World, person: Person): Promise<void> {
  person.tabs.shift()?.close();
  person.openTabs();
  await until(() => person.isReady);
}

export async function closeForAWhile(_: World, person: Person): Promise<void> {
  person.closeTabs();
  await pause(AWAY_MS);
  person.openTabs();
  await until(() => person.isReady);
}
