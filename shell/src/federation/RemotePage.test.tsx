import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { loadPage } from "./loadPage.ts";
import { RemotePage } from "./RemotePage.tsx";

jest.mock("./loadPage.ts", () => ({ loadPage: jest.fn(), loadedPage: () => null }));
const load = jest.mocked(loadPage);

const LoginPage = () => <h1>the login</h1>;
const BrokenPage = (): ReactElement => {
  throw new Error("broken");
};

function renderPage() {
  const pageProps = { navigate: () => undefined, onAuthenticated: () => undefined };
  render(<RemotePage name="mfe_auth/LoginPage" title="Log in – Messageoh" pageProps={pageProps} />);
}

describe("page of a remote", () => {
  beforeEach(() => jest.spyOn(console, "error").mockImplementation(() => undefined));
  afterEach(() => jest.restoreAllMocks());

  it("shows a spinner while the page loads, then the page", async () => {
    const loading = Promise.withResolvers<typeof LoginPage>();
    load.mockReturnValueOnce(loading.promise);
    renderPage();
    expect(screen.getByRole("status").textContent).toBe("Loading");
    expect(document.title).toBe("Log in – Messageoh");
    await act(async () => loading.resolve(LoginPage));
    expect(screen.getByRole("heading", { name: "the login" })).toBeTruthy();
    expect(screen.queryByRole("status")).toBeNull();
  });

  it.each([
    ["cannot be loaded", () => load.mockRejectedValueOnce(new Error("no manifest"))],
    ["breaks while it renders", () => load.mockResolvedValueOnce(BrokenPage)],
  ])("offers Retry if the page %s, and then shows the page", async (_, fail) => {
    fail();
    renderPage();
    expect(await screen.findByRole("alert")).toBeTruthy();
    load.mockResolvedValueOnce(LoginPage);
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByRole("heading", { name: "the login" })).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(load).toHaveBeenLastCalledWith("mfe_auth/LoginPage", true);
  });
});
