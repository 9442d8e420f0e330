import { act, renderHook } from "@testing-library/react";
import { repeatLogOut } from "./logOut.ts";
import { useSession } from "./useSession.ts";

const ANN = { id: "ann", name: "Ann", avatar_id: "fox-id" };
const signInAs = (session: string) => {
  document.cookie = `messageoh_session_id=${session}; Path=/`;
};
const later = () => act(async () => new Promise((resolve) => setTimeout(resolve, 0)));

let ended: string[];
let respond: () => Response;
beforeEach(() => {
  ended = [];
  respond = () => Response.json({});
  Object.defineProperty(globalThis, "indexedDB", { configurable: true, value: { deleteDatabase: () => undefined } });
  jest.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
    ended.push(`${init?.method} ${url}`);
    return respond();
  });
  signInAs("s1");
});
afterEach(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, "indexedDB");
  localStorage.clear();
});

/** Logs Ann out on the chat's page with the given call. */
async function logOut(call: Promise<unknown>): Promise<void> {
  const { result } = renderHook(useSession);
  act(() => result.current.start(ANN));
  act(() => result.current.end(undefined, call));
  await later();
}

function failed(): Promise<unknown> {
  const call = Promise.reject(new TypeError("no network"));
  call.catch(() => undefined);
  return call;
}

async function repeat(): Promise<string[]> {
  ended = [];
  repeatLogOut();
  await later();
  return ended;
}

const REPETITION = ["DELETE /messageoh/sessions/ann/s1"];

describe("a log-out", () => {
  it("is not repeated if the server has it, before it, or without the session's id", async () => {
    expect(await repeat()).toEqual([]);
    await logOut(Promise.resolve({}));
    expect([await repeat(), document.cookie]).toEqual([[], ""]);
    await logOut(failed());
    expect(await repeat()).toEqual([]);
  });

  it("is repeated until the server has ended the session", async () => {
    await logOut(failed());
    respond = () => new Response("Bad gateway", { status: 502 });
    expect([await repeat(), await repeat()]).toEqual([REPETITION, REPETITION]);
    respond = () => Response.json({});
    expect([await repeat(), await repeat(), document.cookie]).toEqual([REPETITION, [], ""]);
  });

  it.each([401, 403, 404])(
    "is not repeated after %i, because the session has ended or is out of reach",
    async (status) => {
      await logOut(failed());
      respond = () => Response.json({ error: "No" }, { status });
      expect([await repeat(), await repeat()]).toEqual([REPETITION, []]);
    },
  );

  it("does not touch a later log-in, also if the responses overlap", async () => {
    await logOut(failed());
    respond = () => {
      signInAs("s2");
      return Response.json({});
    };
    expect([await repeat(), await repeat(), document.cookie]).toEqual([REPETITION, [], "messageoh_session_id=s2"]);
  });
});
