import { findIncompatibilities } from "./incompatibilities.ts";

const shell = { pages: ["mfe_auth/LoginPage", "mfe_chat/ChatPage"], pageProps: { oldest: 2, newest: 3 } };
const chat = { exposes: ["./ChatPage"], pageProps: 3, react: "^19.0.0" };

describe("findIncompatibilities", () => {
  it("returns none for a release that exposes the shell's pages and knows its props", () => {
    expect(findIncompatibilities("mfe_chat", chat, shell)).toEqual([]);
    expect(
      findIncompatibilities("mfe_chat", { ...chat, pageProps: 2, exposes: ["./ChatPage", "./ChatPage2"] }, shell),
    ).toEqual([]);
  });

  it.each([
    [{ exposes: ["./Chat"] }, "it does not expose mfe_chat/ChatPage, which the shell shows"],
    [{ pageProps: 4 }, "its pages need page props 4, the shell passes 3"],
    [{ pageProps: 1 }, "its pages need page props 1, the shell passes none older than 2"],
  ])("returns the reason for a release with %j", (change, reason) => {
    expect(findIncompatibilities("mfe_chat", { ...chat, ...change }, shell)).toEqual([reason]);
  });
});
