import { listMessages } from "@messageoh/contracts/messages";
import { received } from "@messageoh/contracts/testing/httpServer";
import { setDesktop } from "@messageoh/ui-kit/testing/layout";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { aMessage, fromMe, messagesBetween } from "../../../testing/builders.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { someData, startChatServer } from "../../../testing/server.ts";

const data = someData();
data.messages = messagesBetween(1, 400);
Object.assign(data.threads[0] ?? {}, { last_seq: 400, read_seq: 400, unread_count: 0 });
const server = startChatServer(() => data);

afterEach(() => setDesktop(true));

const log = () => screen.getByRole("log", { name: "Messages with Bob" });

function scrollTo(top: number): void {
  act(() => {
    log().scrollTop = top;
    fireEvent.scroll(log());
  });
}

it("stays at the newest messages if the page of a jump arrives later", async () => {
  const jumped = Promise.withResolvers<void>();
  server.use(
    http.get(`*/messageoh${listMessages.path}`, async ({ request }) => {
      if (new URL(request.url).searchParams.get("before_seq") === "226") await jumped.promise;
    }),
  );
  const { user } = renderChat({ path: "/home/bob", hash: "#thread=with-bob&message=200" });
  expect(await screen.findByText("Text 400")).toBeTruthy();
  Object.defineProperty(log(), "scrollHeight", { value: 5000 });
  scrollTo(3000);
  scrollTo(2000);
  await user.click(await screen.findByRole("button", { name: "Jump to latest" }));
  jumped.resolve();
  await waitFor(() => expect(received.some(({ query }) => query.before_seq === "226")).toBe(true));
  await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
  expect(within(log()).getByText("Text 400")).toBeTruthy();
  expect(within(log()).queryByText("Text 200")).toBeNull();
});

it("counts the friend's new messages, and no own ones from another device", async () => {
  const { receive } = renderChat({ path: "/home/bob" });
  expect(await screen.findByText("Text 400")).toBeTruthy();
  Object.defineProperty(log(), "scrollHeight", { value: 5000 });
  scrollTo(3000);
  scrollTo(2000);
  await screen.findByRole("button", { name: "Jump to latest" });
  await receive(({ receive_message }) => receive_message(fromMe({ seq: 401 })));
  expect(screen.queryByRole("button", { name: /^Jump to latest, / })).toBeNull();
  await receive(({ receive_message }) => receive_message(aMessage({ seq: 402 })));
  expect(await screen.findByRole("button", { name: /, 1 new message$/ })).toBeTruthy();
});

it.each([
  ["composer", true, () => screen.getByRole("textbox", { name: "Message..." })],
  ["list on a phone, whose keyboard would cover it", false, log],
])("leaves the focus to the %s when the button disappears", async (_, isWide, place) => {
  setDesktop(isWide);
  const { user } = renderChat({ path: "/home/bob" });
  expect(await screen.findByText("Text 400")).toBeTruthy();
  Object.defineProperty(log(), "scrollHeight", { value: 5000 });
  scrollTo(3000);
  scrollTo(2000);
  (await screen.findByRole("button", { name: "Jump to latest" })).focus();
  await user.keyboard("{Enter}");
  scrollTo(5000);
  expect(screen.queryByRole("button", { name: "Jump to latest" })).toBeNull();
  expect(document.activeElement).toBe(place());
});
