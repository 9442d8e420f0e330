import { render, screen } from "@testing-library/react";
import { MessageText } from "./MessageText.tsx";

it("renders addresses as links as soon as the code for links is loaded, and later ones at once", async () => {
  const { container } = render(<MessageText text="See lake.example.org or javascript:alert(1)" />);
  expect(container.textContent).toBe("See lake.example.org or javascript:alert(1)");
  const link = await screen.findByRole("link", { name: "lake.example.org" });
  expect(link.getAttribute("href")).toBe("https://lake.example.org");
  expect(link.getAttribute("rel")).toBe("noopener noreferrer");
  expect(container.textContent).toBe("See lake.example.org or javascript:alert(1)");
  expect(screen.getAllByRole("link")).toHaveLength(1);

  render(<MessageText text="https://a.example" />);
  expect(screen.getByRole("link", { name: "https://a.example" })).toBeTruthy();
});

it("renders a text without addresses unchanged", () => {
  const { container } = render(<MessageText text="At 9:30..." />);
  expect(container.textContent).toBe("At 9:30...");
  expect(container.childElementCount).toBe(0);
});
