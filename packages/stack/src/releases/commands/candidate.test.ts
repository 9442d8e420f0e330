import { incompatibilitiesOf } from "./candidate.ts";

const shell = { pages: ["mfe_chat/ChatPage"], pageProps: { oldest: 1, newest: 1 }, react: "19.3.1" };
const chat = { exposes: ["./ChatPage"], pageProps: 1, react: "^19.0.0" };

it("reports a remote that needs another version of React", () => {
  expect(incompatibilitiesOf("mfe_chat", chat, shell)).toEqual([]);
  expect(incompatibilitiesOf("mfe_chat", { ...chat, react: "^20.0.0" }, shell)).toEqual([
    "it needs React ^20.0.0, the shell has 19.3.1",
  ]);
});
