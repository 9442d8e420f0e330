import { loginState, pathAfterLogin } from "./loginState.ts";

describe("login state", () => {
  it("returns a visitor to the thread of the link", () => {
    expect(pathAfterLogin(loginState({ status: "anonymous" }, "/home/u2"))).toBe("/home/u2");
  });

  it("returns a visitor to the message of the link", () => {
    const path = "/home#thread=t1&message=4";
    expect(pathAfterLogin(loginState({ status: "anonymous" }, path))).toBe(path);
    expect(pathAfterLogin({ from: "/homes" })).toBe("/home");
  });

  it("returns a visitor to the question of an invitation", () => {
    const path = "/home?invite=abc";
    expect(pathAfterLogin(loginState({ status: "anonymous" }, path))).toBe(path);
  });

  it("returns to /home without a thread, after a log-out and from any other page", () => {
    const loggedOut = loginState({ status: "anonymous", why: "loggedOut" }, "/home/u2");
    const paths = [null, undefined, 7, {}, { from: "/nowhere" }, { from: "//elsewhere.example" }];
    for (const state of [loggedOut, loginState({ status: "anonymous" }, "/home"), ...paths]) {
      expect(pathAfterLogin(state)).toBe("/home");
    }
  });

  it("records that the session has ended, except after a log-out", () => {
    expect(loginState({ status: "anonymous", why: "ended" }, "/home")).toMatchObject({ hasSessionEnded: true });
    expect(loginState({ status: "anonymous" }, "/home")).toMatchObject({ hasSessionEnded: false });
    expect(loginState({ status: "anonymous", why: "loggedOut" }, "/home")).toBeNull();
  });
});
