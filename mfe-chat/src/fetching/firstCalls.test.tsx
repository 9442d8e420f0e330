import { received } from "@messageoh/contracts/testing/httpServer";
import { screen } from "@testing-library/react";
import { BOB, ME } from "../../testing/builders.ts";
import { renderChat } from "../../testing/renderChat.tsx";
import { startChatServer } from "../../testing/server.ts";
import { FIRST_CALLS } from "./firstCalls.ts";

startChatServer();

it("are the calls that load the chat", async () => {
  renderChat();
  await screen.findByText(BOB.name);
  const sent = received.slice(0, FIRST_CALLS.length).map(({ path, query }) => {
    const search = new URLSearchParams(query).toString();
    return search === "" ? path : `${path}?${search}`;
  });
  expect(sent.sort()).toEqual(FIRST_CALLS.map((path) => path.replace(":user_id", ME.id)).sort());
});
