import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import * as icons from "../basics/icons.ts";
import { Menu } from "./Menu.tsx";
import { MenuList } from "./MenuList.tsx";

function renderMenu() {
  const selected: string[] = [];
  const items = ["One", "Two", "Three"].map((label) => ({
    id: label,
    label,
    icon: icons.alert,
    onSelect: () => void selected.push(label),
  }));
  render(
    <>
      <Menu label="Account" button="Account" items={items} />
      <button type="button">after</button>
    </>,
  );
  return selected;
}

const button = () => screen.getByRole("button", { name: "Account" });
const focused = () => document.activeElement?.textContent;

describe("Menu", () => {
  it("exposes whether it is open and which menu it controls", async () => {
    renderMenu();
    expect([button().getAttribute("aria-haspopup"), button().getAttribute("aria-expanded")]).toEqual(["menu", "false"]);
    await userEvent.click(button());
    expect(button().getAttribute("aria-expanded")).toBe("true");
    const menu = screen.getByRole("menu", { name: "Account" });
    expect(button().getAttribute("aria-controls")).toBe(menu.id);
    expect(
      within(menu)
        .getAllByRole("menuitem")
        .map((item) => item.tabIndex),
    ).toEqual([-1, -1, -1]);
  });

  it.each([
    ["{Enter}", "One"],
    [" ", "One"],
    ["{ArrowDown}", "One"],
    ["{ArrowUp}", "Three"],
  ])("opens on the key %j and focuses %s", async (key, item) => {
    renderMenu();
    await userEvent.tab();
    await userEvent.keyboard(key);
    expect(focused()).toBe(item);
  });

  it("shows the item that it focuses first if it is higher than its space", async () => {
    const height = jest.spyOn(HTMLElement.prototype, "scrollHeight", "get").mockReturnValue(500);
    renderMenu();
    await userEvent.tab();
    await userEvent.keyboard("{ArrowUp}");
    expect(screen.getByRole("menu").scrollTop).toBe(500);
    await userEvent.keyboard("{Escape}{ArrowDown}");
    expect(screen.getByRole("menu").scrollTop).toBe(0);
    height.mockRestore();
  });

  it("moves on arrows, Home and End and wraps around", async () => {
    renderMenu();
    await userEvent.click(button());
    for (const [key, item] of [
      ["{ArrowDown}", "Two"],
      ["{End}", "Three"],
      ["{ArrowDown}", "One"],
      ["{ArrowUp}", "Three"],
      ["{Home}", "One"],
    ] as const) {
      await userEvent.keyboard(key);
      expect(focused()).toBe(item);
    }
  });

  it("selects on Enter, closes and restores the focus", async () => {
    const selected = renderMenu();
    await userEvent.click(button());
    await userEvent.keyboard("{ArrowDown}{Enter}");
    expect(selected).toEqual(["Two"]);
    expect(screen.queryByRole("menu")).toBeNull();
    expect(document.activeElement).toBe(button());
  });

  it("closes on Esc, on Tab, and on a press or a focus elsewhere", async () => {
    const selected = renderMenu();
    for (const close of [
      () => userEvent.keyboard("{Escape}"),
      () => userEvent.tab(),
      () => userEvent.click(document.body),
      () => userEvent.click(screen.getByRole("button", { name: "after" })),
    ]) {
      await userEvent.click(button());
      expect(screen.getByRole("menu")).toBeTruthy();
      await close();
      expect(screen.queryByRole("menu")).toBeNull();
    }
    expect(selected).toEqual([]);
  });

  it("scrolls between the edges of the window if it is higher than the window", () => {
    const height = jest.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(window.innerHeight + 100);
    render(<MenuList label="Actions" entries={[]} at={{ x: 20, y: window.innerHeight - 20 }} onClose={() => {}} />);
    const { top, maxHeight } = screen.getByRole("menu").style;
    expect([top, maxHeight]).toEqual(["8px", "calc(100dvh - 16px)"]);
    height.mockRestore();
  });
});
