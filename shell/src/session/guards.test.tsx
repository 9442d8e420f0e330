import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { ForUsers, ForVisitors } from "./guards.tsx";
import type { Session } from "./useSession.ts";

const ANN = { id: "ann", name: "Ann", avatar_id: "fox-id" };
const CHECKING: Session["state"] = { status: "checking", userId: "ann", attempt: 0 };

function renderAt(path: string, state: Session["state"]) {
  const retry = jest.fn();
  const session: Session = { state, retry, start: jest.fn(), end: jest.fn(), changeUser: jest.fn() };
  const router = createMemoryRouter(
    [
      { element: <ForVisitors session={session} />, children: [{ path: "/login", element: <p>the login</p> }] },
      { path: "/home", element: <ForUsers session={session}>{({ user }) => <p>home of {user.name}</p>}</ForUsers> },
    ],
    { initialEntries: [path] },
  );
  render(<RouterProvider router={router} />);
  return { router, retry };
}

describe("route guards", () => {
  it("redirects a logged-in user from the login to /home", async () => {
    const { router } = renderAt("/login", { status: "loggedIn", user: ANN });
    expect(await screen.findByText("home of Ann")).toBeTruthy();
    expect(router.state.location.pathname).toBe("/home");
  });

  it("redirects a visitor from /home to the login", async () => {
    const { router } = renderAt("/home", { status: "anonymous" });
    expect(await screen.findByText("the login")).toBeTruthy();
    expect(router.state.location.pathname).toBe("/login");
  });

  it.each(["/login", "/home"])("shows a spinner on %s while the stored user is checked", (path) => {
    renderAt(path, CHECKING);
    expect(screen.getByRole("status").textContent).toBe("Loading");
  });

  it.each(["/login", "/home"])("stays on %s and offers Retry if the server does not respond", async (path) => {
    const { router, retry } = renderAt(path, { status: "failed", userId: "ann", attempt: 0 });
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect(retry).toHaveBeenCalledTimes(1);
    expect(router.state.location.pathname).toBe(path);
  });
});
