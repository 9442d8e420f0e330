import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { LandingPage } from "./LandingPage.tsx";
import { NotFoundPage } from "./NotFoundPage.tsx";

function renderAt(path: string) {
  const router = createMemoryRouter(
    [
      { path: "/", element: <LandingPage /> },
      { path: "/login", element: <p>the login</p> },
      { path: "/register", element: <p>the registration</p> },
      { path: "*", element: <NotFoundPage /> },
    ],
    { initialEntries: [path] },
  );
  render(<RouterProvider router={router} />);
  return router;
}

describe("landing page", () => {
  it("shows heading, tagline, message icon and two actions", () => {
    renderAt("/");
    const heading = screen.getByRole("heading", { name: "Welcome to Messageoh!", level: 1 });
    expect(screen.getByText("The instant Messageoh that keeps you connected")).toBeTruthy();
    expect(heading.parentElement?.querySelector("img")?.getAttribute("src")).toBe("message.svg");
    expect(screen.getAllByRole("button").map((button) => [button.textContent, button.getAttribute("href")])).toEqual([
      ["Log in", "/login"],
      ["Register", "/register"],
    ]);
    expect(document.title).toBe("Messageoh");
  });

  it.each([
    ["Log in", "the login"],
    ["Register", "the registration"],
  ])("links '%s' to %s, on click, Enter and Space", async (name, target) => {
    const router = renderAt("/");
    for (const follow of [
      () => userEvent.click(screen.getByRole("button", { name })),
      () => userEvent.keyboard("{Enter}"),
      () => userEvent.keyboard(" "),
    ]) {
      act(() => screen.getByRole("button", { name }).focus());
      await follow();
      expect(await screen.findByText(target)).toBeTruthy();
      await act(() => router.navigate(-1));
      await screen.findByRole("button", { name });
    }
  });
});

describe("unknown path", () => {
  it.each(["/nowhere", "/home/a/b", "/login/again"])(
    "shows on %s that there is no such page, with a sad rabbit",
    (path) => {
      renderAt(path);
      expect(screen.getByRole("heading", { name: "Uh oh! Page not found...", level: 1 })).toBeTruthy();
      expect(screen.getByRole("img", { name: /sad rabbit/i }).getAttribute("src")).toBe("sad-rabbit.svg");
      expect(document.title).toBe("Page not found – Messageoh");
    },
  );

  it("returns to the landing page on 'Back home'", async () => {
    renderAt("/nowhere");
    await userEvent.click(screen.getByRole("button", { name: "Back home" }));
    expect(await screen.findByRole("heading", { name: "Welcome to Messageoh!" })).toBeTruthy();
  });
});
