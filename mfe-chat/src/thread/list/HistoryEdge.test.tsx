import { listMessages } from "@messageoh/contracts/messages";
import { refuse } from "@messageoh/contracts/testing/httpServer";
import { screen, waitFor, within } from "@testing-library/react";
import { messagesBetween } from "../../../testing/builders.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { someData, startChatServer } from "../../../testing/server.ts";

const data = someData();
data.messages = messagesBetween(1, 200);
Object.assign(data.threads[0] ?? {}, { last_seq: 200, read_seq: 200, unread_count: 0 });
const server = startChatServer(() => data);

it("leaves the focus in the list when Retry loads older messages", async () => {
  const { user } = renderChat({ path: "/home/bob" });
  expect(await screen.findByText("Text 200")).toBeTruthy();
  server.use(refuse(listMessages, 500, "broken"));
  const log = screen.getByRole("log", { name: "Messages with Bob" });
  (await within(log).findByRole("button", { name: "Retry" })).focus();
  server.resetHandlers();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(within(log).queryByRole("button", { name: "Retry" })).toBeNull());
  expect(document.activeElement).toBe(log);
});
