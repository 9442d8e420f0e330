import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { renderToStaticMarkup } from "react-dom/server";
import { MessageText } from "./MessageText.tsx";

/** Returns the elements of a rendered text, without classes. */
function html(text: string): string {
  return renderToStaticMarkup(<MessageText text={text} />).replaceAll(/ class="[^"]*"/g, "");
}

it("renders marks as elements and nothing else as HTML", () => {
  expect(html("*a _b_* ~c~ `<b>` <i>d</i> snake_case")).toBe(
    "<strong>a <em>b</em></strong> <s>c</s> <code>&lt;b&gt;</code> &lt;i&gt;d&lt;/i&gt; snake_case",
  );
});

it("renders quotes and lists as blocks, each after the first with its own direction", () => {
  expect(html("> a\n> *b*\n- c\n- d\n7. e\nf")).toBe(
    '<blockquote>a\n<strong>b</strong></blockquote><ul dir="auto"><li>c</li><li>d</li></ul>' +
      '<ol dir="auto"><li value="7">e</li></ol><div dir="auto">f</div>',
  );
});

it("renders addresses as links in formatted text, but not in code", async () => {
  const { container } = render(<MessageText text={"*see a.org* `b.org`\n```c.org```"} />);
  await screen.findByRole("link", { name: "a.org" });
  expect(within(container).getAllByRole("link")).toHaveLength(1);
});

it("copies the code of a block", async () => {
  const user = userEvent.setup();
  const write = jest.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  render(<MessageText text={"Run\n```\nnpm test\n  --only\n```"} />);
  await user.click(screen.getByRole("button", { name: "Copy code" }));
  expect(write).toHaveBeenCalledWith("npm test\n  --only");
  expect((await screen.findByText("Copied")).getAttribute("role")).toBe("status");
});
