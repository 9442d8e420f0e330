import { misfitsOf } from "./misfitsOf.ts";

const shell = { pages: ["mfe_chat/ChatPage"], pageProps: { oldest: 1, newest: 1 }, react: "19.3.1" };
const chat = { exposes: ["./ChatPage"], pageProps: 1, react: "^19.0.0" };

test("a remote must be content with the React that the shell brings", () => {
  expect(misfitsOf("mfe_chat", chat, shell)).toEqual([]);
  expect(misfitsOf("mfe_chat", { ...chat, react: "^20.0.0" }, shell)).toEqual([
    "it needs React ^20.0.0, the shell brings 19.3.1",
  ]);
});
