import { AVATAR_IDS, avatarName } from "@messageoh/contracts/avatars";
import { render, screen } from "@testing-library/react";
import { Avatar } from "./Avatar.tsx";

describe("Avatar", () => {
  it.each(AVATAR_IDS.map((id) => [id]))("shows the picture of %s with its name", (id) => {
    render(<Avatar avatarId={id} />);
    expect(screen.getByAltText(avatarName(id)).getAttribute("src")).toBe(`avatars.svg#${id}`);
  });

  it("shows the fallback picture for an unknown id", () => {
    render(<Avatar avatarId="unicorn-id" />);
    expect(screen.getByAltText("Unknown animal").getAttribute("src")).toBe("avatars.svg#unknown");
  });

  it("is decorative with an empty alternative text", () => {
    render(<Avatar avatarId="fox-id" alt="" />);
    expect(screen.queryByRole("img")).toBeNull();
  });
});
