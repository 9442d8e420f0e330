import { listMessages } from "@messageoh/contracts/messages";
import { respond } from "@messageoh/contracts/testing/httpServer";
import { screen, within } from "@testing-library/react";
import { messagesBetween, WITH_BOB } from "../../../testing/builders.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { someData, startChatServer } from "../../../testing/server.ts";

const LAST = 300;
let hidden: number[] = [];
const data = someData();
const server = startChatServer(() => data);

/** A page is a range of numbers, from which the server leaves out what the user has hidden. */
beforeEach(() => {
  server.use(
    respond(listMessages, ({ query }) => {
      const { before_seq, after_seq, limit = 50 } = query;
      if (query.thread_id === undefined || query.pinned) return [];
      const from = after_seq === undefined ? Number(before_seq ?? LAST + 1) - Number(limit) : Number(after_seq) + 1;
      return messagesBetween(Math.max(1, from), Math.min(LAST, from + Number(limit) - 1)).filter(
        ({ seq }) => !hidden.includes(seq),
      );
    }),
  );
});

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const log = () => screen.findByRole("log", { name: "Messages with Bob" });

function opened() {
  data.messages = messagesBetween(LAST, LAST);
  Object.assign(data.threads[0] ?? {}, { last_seq: LAST, read_seq: LAST, unread_count: 0, hidden });
  return renderChat({ path: "/home/bob" });
}

it("loads what is before pages of hidden messages, without a scroll", async () => {
  hidden = numbers(150, 299);
  opened();
  await within(await log()).findByText("Text 300");
  expect(await within(await log()).findByText("Text 149")).toBeTruthy();
});

it("loads what is before the loaded messages when the user hides them all", async () => {
  hidden = [];
  const { receive } = opened();
  await within(await log()).findByText("Text 300");
  hidden = numbers(121, 300);
  await receive((handlers) => {
    for (const seq of hidden) handlers.message_hidden({ thread_id: WITH_BOB, seq, hidden: true });
  });
  expect(await within(await log()).findByText("Text 120")).toBeTruthy();
  expect(screen.queryByText("No messages here yet...")).toBeNull();
});
