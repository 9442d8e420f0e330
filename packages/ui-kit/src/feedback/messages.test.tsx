import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Card } from "../basics/Card.tsx";
import { Icon } from "../basics/Icon.tsx";
import * as icons from "../basics/icons.ts";
import { VisuallyHidden } from "../basics/VisuallyHidden.tsx";
import { FormError } from "../fields/FormError.tsx";
import { Banner } from "./Banner.tsx";
import { EmptyState } from "./EmptyState.tsx";
import { ErrorScreen } from "./ErrorScreen.tsx";
import { Skeleton } from "./Skeleton.tsx";
import { Spinner } from "./Spinner.tsx";

it("announces the text of a banner, not its action", () => {
  render(<Banner action={<button type="button">Retry</button>}>You are offline</Banner>);
  expect(screen.getByRole("status").textContent).toBe("You are offline");
  expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
});

it("announces a banner that appears, in a region that was there before", () => {
  const { rerender } = render(<Banner>{null}</Banner>);
  const region = screen.getByRole("status");
  expect([region.textContent, document.querySelector("svg")]).toEqual(["", null]);
  rerender(<Banner action={<button type="button">Retry</button>}>You are offline</Banner>);
  expect(screen.getByRole("status")).toBe(region);
  expect(region.textContent).toBe("You are offline");
  rerender(<Banner>{null}</Banner>);
  expect(screen.getByRole("status")).toBe(region);
  expect(region.textContent).toBe("");
});

it("announces the text of a form error when it appears", () => {
  const { rerender } = render(<FormError id="error" />);
  expect(screen.queryByRole("alert")).toBeNull();
  rerender(<FormError id="error">Please fill in</FormError>);
  expect([screen.getByRole("alert").textContent, screen.getByRole("alert").id]).toEqual(["Please fill in", "error"]);
});

it("shows an error screen with a retry", async () => {
  const onRetry = jest.fn();
  render(<ErrorScreen onRetry={onRetry} />);
  expect(screen.getByRole("alert").textContent).toBe("Something went wrong with your request");
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(onRetry).toHaveBeenCalledTimes(1);
});

it("shows picture, title, text and action of an empty state", () => {
  render(
    <EmptyState art="rabbit.svg" artAlt="A sad rabbit" title="Not found" titleAs="h1" text="Sorry">
      <button type="button">Back</button>
    </EmptyState>,
  );
  expect(screen.getByRole("img", { name: "A sad rabbit" }).getAttribute("src")).toBe("rabbit.svg");
  expect(screen.getByRole("heading", { name: "Not found", level: 1 })).toBeTruthy();
  expect(screen.getByText("Sorry")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Back" })).toBeTruthy();
});

it("announces what a spinner waits for", () => {
  render(<Spinner label="Loading messages" />);
  expect(screen.getByRole("status").textContent).toBe("Loading messages");
  expect(screen.getByRole("status").querySelectorAll('[aria-hidden="true"]')).toHaveLength(3);
});

it("hides skeletons and icons from screen readers", () => {
  const { container } = render(
    <>
      <Skeleton width="45%" />
      <Icon icon={icons.send} />
    </>,
  );
  expect([...container.children].map((child) => child.getAttribute("aria-hidden"))).toEqual(["true", "true"]);
});

it("keeps the role of a visually hidden heading", () => {
  render(<VisuallyHidden as="h1">Messageoh</VisuallyHidden>);
  expect(screen.getByRole("heading", { name: "Messageoh", level: 1 })).toBeTruthy();
});

it("renders a card as a section with its attributes", () => {
  render(<Card aria-label="Welcome">Hello</Card>);
  expect(screen.getByRole("region", { name: "Welcome" }).textContent).toBe("Hello");
});
