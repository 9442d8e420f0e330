import { screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";

/** Returns the row of the message with a text. */
export async function rowWith(text: string): Promise<HTMLElement> {
  const found = (await within(await screen.findByRole("log")).findByText(text)).closest("article");
  if (!found) throw new Error(`No message ${text}`);
  return found;
}

/** Chooses an item of the menu of the message with a text. */
export async function choose(user: UserEvent, text: string, item: string): Promise<void> {
  await user.click(within(await rowWith(text)).getByRole("button", { name: "Message actions" }));
  await user.click(screen.getByRole("menuitem", { name: item }));
}
