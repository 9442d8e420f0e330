import { render, screen } from "@testing-library/react";
import LoginPage from "./login/LoginPage.tsx";
import RegisterPage from "./register/RegisterPage.tsx";

// The library of the schemas must stay out of what the pages load first.
jest.mock("valibot", () => {
  throw new Error("valibot is loaded");
});

it.each([
  ["Log in to your account", LoginPage],
  ["Create your account", RegisterPage],
])("shows '%s' without loading the schemas", (heading, Page) => {
  render(<Page navigate={() => undefined} onAuthenticated={() => undefined} />);
  expect(screen.getByRole("heading", { name: heading })).toBeTruthy();
});
