import { ApiError, type Call, createClient, type Send } from "@messageoh/contracts/client";
import { createChatApi } from "./chatApi.ts";

function failing(status: number) {
  let ends = 0;
  const call = (() => Promise.reject(new ApiError(status))) as Call;
  const api = createChatApi({
    userId: "me",
    call,
    onUnauthorised() {
      ends += 1;
    },
  });
  return { api, ends: () => ends };
}

describe("chat API", () => {
  it("reports that nobody is signed in on 401", async () => {
    const { api, ends } = failing(401);
    await expect(api.threads()).rejects.toMatchObject({ status: 401 });
    expect(ends()).toBe(1);
  });

  it.each([0, 403, 500, 503])("does not treat a failure with status %d as the end of the session", async (status) => {
    const { api, ends } = failing(status);
    await expect(api.threads()).rejects.toMatchObject({ status });
    expect(ends()).toBe(0);
  });

  it("ignores the result of a read marker", async () => {
    const send = async () => ({ ok: true, status: 200, json: async () => "anything" });
    const call = createClient({ baseUrl: "", send });
    const api = createChatApi({ userId: "me", call, onUnauthorised: () => undefined });
    await expect(api.markRead("with-bob", 3)).resolves.toBe("anything");
    await expect(api.threads()).rejects.toBeInstanceOf(ApiError);
  });

  it("treats a session as ended only if the server says so", async () => {
    expect(await failing(401).api.isSessionValid()).toBe(false);
    expect(await failing(403).api.isSessionValid()).toBe(false);
    expect(await failing(0).api.isSessionValid()).toBe(true);
    expect(await failing(502).api.isSessionValid()).toBe(true);
  });

  it("lets the browser complete a log-out after the page was closed", async () => {
    const sent: unknown[] = [];
    const send: Send = async (url, { method, keepalive }) => {
      sent.push([method, url, keepalive]);
      return { ok: true, status: 200, json: async () => ({}) };
    };
    await createChatApi({ userId: "me", send, onUnauthorised: () => undefined }).logOut();
    expect(sent).toEqual([["POST", "/messageoh/logout", true]]);
  });
});
