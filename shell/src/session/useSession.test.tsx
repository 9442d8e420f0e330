import { act, renderHook } from "@testing-library/react";
import { DEVICE_DATABASE } from "./rememberedUser.ts";
import { useSession } from "./useSession.ts";

const ANN = { id: "ann", name: "Ann", avatar_id: "fox-id" };
let deleted: string[];

beforeEach(() => {
  deleted = [];
  const deleteDatabase = (name: string) => void deleted.push(name);
  Object.defineProperty(globalThis, "indexedDB", { configurable: true, value: { deleteDatabase } });
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, "indexedDB");
  localStorage.clear();
  jest.restoreAllMocks();
});

it("removes what this device stores of a user when the session ends", () => {
  const { result } = renderHook(useSession);
  act(() => result.current.start(ANN));
  expect(Object.keys(localStorage).sort()).toEqual(["current-user-id", "messageoh:user"]);
  deleted.length = 0;
  act(() => result.current.end());
  expect(Object.keys(localStorage)).toEqual([]);
  expect(deleted).toEqual([DEVICE_DATABASE]);
});

it("checks the user who has signed in elsewhere when the browser shows an earlier page again", () => {
  jest.spyOn(globalThis, "fetch").mockReturnValue(new Promise(() => undefined));
  const { result } = renderHook(useSession);
  act(() => result.current.start(ANN));
  // Such a page gets no event of the storage meanwhile.
  localStorage.setItem("current-user-id", "bob");
  act(() => void window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  expect(result.current.state).toMatchObject({ status: "checking", userId: "bob" });
});

it("goes on without storage when the browser shows the page again", () => {
  const { result } = renderHook(useSession);
  act(() => result.current.start(ANN));
  localStorage.clear();
  act(() => void window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  expect(result.current.state).toEqual({ status: "loggedIn", user: ANN });
});
