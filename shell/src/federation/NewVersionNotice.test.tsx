import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import { NewVersionNotice } from "./NewVersionNotice.tsx";

jest.mock("./useNewVersion.ts", () => ({ useNewVersion: () => "2" }));

it("gives the focus back when it is dismissed", async () => {
  render(
    <MemoryRouter>
      <input aria-label="Message..." />
      <NewVersionNotice />
    </MemoryRouter>,
  );
  const composer = screen.getByRole("textbox");
  composer.focus();
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Reload" }));
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  expect(screen.queryByText("A new version is ready")).toBeNull();
  expect(document.activeElement).toBe(composer);
});
