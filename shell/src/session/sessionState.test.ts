import { firstState, reduceSession, type SessionAction, type SessionState } from "./sessionState.ts";

const albus = { id: "u1", name: "Albus212", avatar_id: "fox-id" };
const minerva = { id: "u2", name: "Minerva", avatar_id: "cat-id" };
const run = (state: SessionState, ...actions: SessionAction[]) => actions.reduce(reduceSession, state);

describe("session state", () => {
  it("is anonymous without a stored id", () => {
    expect(firstState(null)).toEqual({ status: "anonymous" });
  });

  it("is logged in after the server confirmed the stored user", () => {
    expect(run(firstState("u1"), { type: "confirmed", user: albus })).toEqual({ status: "loggedIn", user: albus });
  });

  it("is anonymous and ended after the server denied the user", () => {
    expect(run(firstState("u1"), { type: "denied" })).toEqual({ status: "anonymous", why: "ended" });
  });

  it("keeps the id if the server does not respond and checks again on a retry", () => {
    const failed = run(firstState("u1"), { type: "unanswered" });
    expect(failed).toEqual({ status: "failed", userId: "u1", attempt: 0 });
    expect(run(failed, { type: "retried" })).toEqual({ status: "checking", userId: "u1", attempt: 1 });
  });

  it("opens the chat with the remembered user if the server does not respond", () => {
    const opened = run(firstState("u1"), { type: "unanswered", remembered: albus });
    expect(opened).toEqual({ status: "loggedIn", user: albus, isUnconfirmed: true });
    const renamed = { ...albus, name: "Albus" };
    expect(run(opened, { type: "confirmed", user: renamed })).toEqual({ status: "loggedIn", user: renamed });
    expect(run(opened, { type: "unanswered", remembered: albus })).toBe(opened);
    expect(run(opened, { type: "denied" })).toEqual({ status: "anonymous", why: "ended" });
  });

  it("starts with a sign-in and ends with a log-out", () => {
    const started = run(firstState(null), { type: "started", user: albus });
    expect(started).toEqual({ status: "loggedIn", user: albus });
    expect(run(started, { type: "loggedOut" })).toEqual({ status: "anonymous", why: "loggedOut" });
  });

  it("records an end without a log-out until the next login", () => {
    const here: SessionState = { status: "loggedIn", user: albus };
    const ended = run(here, { type: "ended" });
    expect(ended).toEqual({ status: "anonymous", why: "ended" });
    expect(run(ended, { type: "started", user: albus })).toEqual(here);
    expect(run(here, { type: "loggedOut" }, { type: "ended" })).toEqual({ status: "anonymous", why: "loggedOut" });
  });

  it("updates a changed avatar, but not after a log-out", () => {
    const changed = { ...albus, avatar_id: "seal-id" };
    const action: SessionAction = { type: "userChanged", user: changed };
    expect(run({ status: "loggedIn", user: albus }, action)).toEqual({ status: "loggedIn", user: changed });
    expect(run({ status: "anonymous" }, action)).toEqual({ status: "anonymous" });
  });

  it("ignores a late change of a former user after another one has signed in", () => {
    const here: SessionState = { status: "loggedIn", user: minerva };
    expect(run(here, { type: "userChanged", user: { ...albus, name: "Albus" } })).toBe(here);
  });

  it("ignores a late response after a log-out", () => {
    expect(run({ status: "anonymous" }, { type: "confirmed", user: albus })).toEqual({ status: "anonymous" });
  });

  it("ends if another tab logs out and is checked if another tab signs in", () => {
    const here: SessionState = { status: "loggedIn", user: albus };
    expect(run(here, { type: "storedIdChanged", userId: null })).toEqual({
      status: "anonymous",
      why: "ended",
    });
    expect(run(here, { type: "storedIdChanged", userId: minerva.id })).toMatchObject({
      status: "checking",
      userId: "u2",
    });
    expect(run({ status: "anonymous" }, { type: "storedIdChanged", userId: "u1" })).toMatchObject({ userId: "u1" });
  });

  it("does not change if another tab stores the same user", () => {
    const here: SessionState = { status: "loggedIn", user: albus };
    expect(run(here, { type: "storedIdChanged", userId: "u1" })).toBe(here);
  });
});
