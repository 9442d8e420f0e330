import { ApiError, type Call, createClient } from "@messageoh/contracts/client";
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

describe("the calls", () => {
  it("tell when nobody is signed in", async () => {
    const { api, ends } = failing(401);
    await expect(api.threads()).rejects.toMatchObject({ status: 401 });
    expect(ends()).toBe(1);
  });

  it.each([0, 403, 500, 503])("do not take a failure with status %d for that", async (status) => {
    const { api, ends } = failing(status);
    await expect(api.threads()).rejects.toMatchObject({ status });
    expect(ends()).toBe(0);
  });

  it("do not read the result of a read marker", async () => {
    const send = async () => ({ ok: true, status: 200, json: async () => "anything" });
    const call = createClient({ baseUrl: "", send });
    const api = createChatApi({ userId: "me", call, onUnauthorised: () => undefined });
    await expect(api.markRead("with-bob", 3)).resolves.toBeUndefined();
    await expect(api.threads()).rejects.toBeInstanceOf(ApiError);
  });

  it("know that a session is over only from an answer that says so", async () => {
    expect(await failing(401).api.isSessionValid()).toBe(false);
    expect(await failing(403).api.isSessionValid()).toBe(false);
    expect(await failing(0).api.isSessionValid()).toBe(true);
    expect(await failing(502).api.isSessionValid()).toBe(true);
  });
});
