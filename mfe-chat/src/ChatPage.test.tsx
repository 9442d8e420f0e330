import { listMessages } from "@messageoh/contracts/messages";
import { hang, refuse } from "@messageoh/contracts/testing/httpServer";
import { listFriends } from "@messageoh/contracts/users";
import { screen, within } from "@testing-library/react";
import { renderChat } from "../testing/renderChat.tsx";
import { startChatServer } from "../testing/server.ts";

const server = startChatServer();
const friends = () => screen.findByRole("navigation", { name: "Friends" });

describe("loading", () => {
  it("shows skeletons until friends and messages are loaded", async () => {
    server.use(hang(listFriends));
    renderChat();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Hi Me!");
    expect(screen.queryByRole("navigation", { name: "Friends" })).toBeNull();
    expect(document.querySelector('[aria-busy="true"]')).not.toBeNull();
  });

  it.each([
    ["friends", listFriends],
    ["messages", listMessages],
  ])("fills the window with Retry if %s cannot be loaded, and continues without a reload", async (_, endpoint) => {
    jest.spyOn(console, "warn").mockImplementation(() => undefined);
    server.use(refuse(endpoint, 500, "broken"));
    const { user } = renderChat();
    expect((await screen.findByRole("alert")).textContent).toBe("Something went wrong with your request");
    expect(screen.queryByRole("navigation", { name: "Friends" })).toBeNull();
    server.resetHandlers();
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await within(await friends()).findByText("Bob")).toBeTruthy();
    expect(screen.queryByText("Something went wrong with your request")).toBeNull();
  });
});
