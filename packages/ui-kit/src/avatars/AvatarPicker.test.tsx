import type { AvatarId } from "@messageoh/contracts/avatars";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactElement, useState } from "react";
import { AvatarPicker } from "./AvatarPicker.tsx";

function Picker(props: { isMissing?: boolean; error?: string }): ReactElement {
  const [value, setValue] = useState<AvatarId | null>(null);
  return (
    <>
      <AvatarPicker title="Choose your avatar" value={value} onChange={setValue} {...props} />
      <button type="button">after</button>
    </>
  );
}

const radio = (name: string) => screen.getByRole("radio", { name });
const focused = () => document.activeElement?.getAttribute("title") ?? document.activeElement?.textContent;

describe("AvatarPicker", () => {
  it("shows 8 and 10 animals in two ordered groups, each with its own picture", () => {
    render(<Picker />);
    const groups = [...screen.getByRole("radiogroup", { name: "Choose your avatar" }).children];
    const names = groups.map((group) =>
      within(group as HTMLElement)
        .getAllByRole("radio")
        .map(({ title }) => title),
    );
    expect(names).toEqual([
      ["Dog", "Cat", "Bear", "Fish", "Fox", "Giraffe", "Panda", "Rabbit"],
      ["Weasel", "Seal", "Second deer", "Koala", "Second rabbit", "Meerkat", "Second fox", "Deer", "Snake", "Chicken"],
    ]);
    const pictures = screen.getAllByRole("radio").map((choice) => choice.querySelector("img")?.getAttribute("src"));
    expect(new Set(pictures).size).toBe(18);
  });

  it("checks only the animal that was clicked last", async () => {
    render(<Picker />);
    await userEvent.click(radio("Fox"));
    await userEvent.click(radio("Seal"));
    expect(screen.getAllByRole("radio", { checked: true })).toEqual([radio("Seal")]);
  });

  it("has one Tab stop; arrows, Home and End move the focus; Space and Enter choose", async () => {
    render(<Picker />);
    await userEvent.tab();
    expect(focused()).toBe("Dog");
    await userEvent.keyboard("{ArrowRight}{ArrowDown}");
    expect(focused()).toBe("Bear");
    expect(screen.queryAllByRole("radio", { checked: true })).toEqual([]);
    await userEvent.keyboard(" ");
    expect(screen.getByRole("radio", { checked: true })).toBe(radio("Bear"));
    await userEvent.keyboard("{End}");
    expect(focused()).toBe("Chicken");
    await userEvent.keyboard("{Enter}");
    expect(screen.getByRole("radio", { checked: true })).toBe(radio("Chicken"));
    await userEvent.keyboard("{ArrowRight}");
    expect(focused()).toBe("Dog");
    await userEvent.keyboard("{ArrowLeft}{Home}");
    expect(focused()).toBe("Dog");
    await userEvent.tab();
    expect(focused()).toBe("after");
    await userEvent.tab({ shift: true });
    expect(focused()).toBe("Chicken");
  });

  it("marks a missing choice and announces the error", () => {
    render(<Picker isMissing error="Try another one" />);
    expect(screen.getByRole("radiogroup").getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByRole("alert").textContent).toBe("Try another one");
  });
});
