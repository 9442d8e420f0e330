import { ApiError } from "@messageoh/contracts/client";
import { aChat, fakeTimersWithoutWarnings, settle } from "../testing/aChat.ts";
import { ME, WITH_BOB } from "../testing/builders.ts";
import type { FileBytes } from "./outbox/fileStore.ts";

describe("the account of a chat", () => {
  fakeTimersWithoutWarnings();

  it("notifies the shell of a new avatar, including one chosen in another tab", async () => {
    const { chat, begin, now, reported, handlers } = aChat();
    await begin();
    await chat.account.changeAvatar("fox-id");
    expect(now().me.avatar_id).toBe("fox-id");
    handlers().user_updated({ user: { ...ME, avatar_id: "cat-id" } });
    expect(now().me.avatar_id).toBe("cat-id");
    expect(reported).toEqual(["user fox-id", "user cat-id"]);
  });

  it("changes nothing if the avatar cannot be saved", async () => {
    const { chat, begin, now, server, reported } = aChat();
    await begin();
    server.isUp = false;
    await expect(chat.account.changeAvatar("fox-id")).rejects.toBeInstanceOf(ApiError);
    expect(now().me).toEqual(ME);
    expect(reported).toEqual([]);
  });

  it("logs out, removes drafts and keeps unsent messages", async () => {
    const { chat, begin, reported, values } = aChat();
    await begin();
    chat.messages.saveDraft(WITH_BOB, "Draft");
    chat.messages.send("with-cleo", "Waits");
    chat.account.logOut();
    expect(reported).toEqual(["logged out"]);
    expect([...values.keys()].map((key) => key.split(":")[1])).toEqual(["outbox"]);
  });

  it("stores no more files on the device after a log-out, but keeps their message", async () => {
    const stored: string[] = [];
    const storing = Promise.withResolvers<void>();
    const files: FileBytes = {
      async put(key) {
        stored.push(key);
        await storing.promise;
      },
      get: async () => undefined,
      remove: async () => undefined,
      sweep: async () => undefined,
    };
    const storage = { read: async () => null, save: async () => undefined };
    const { chat, begin, values } = aChat({ device: { storage, isUnconfirmed: false, files } });
    await begin();
    for (const key of ["first", "second"]) {
      const known = { name: `${key}.pdf`, bytes: 3, type: "application/pdf", preparing: null };
      chat.attachments.add(WITH_BOB, { ...known, key, content: new Blob([key]) });
    }
    chat.messages.send(WITH_BOB, "");
    await settle();
    chat.account.logOut();
    storing.resolve();
    await settle();
    expect(stored).toEqual(["first"]);
    expect([...values.keys()].map((key) => key.split(":")[1])).toEqual(["outbox"]);
  });

  it("removes drafts and unsent messages after the deletion of the account, and nothing if it is refused", async () => {
    const { chat, begin, reported, server, values } = aChat();
    await begin();
    chat.messages.saveDraft(WITH_BOB, "Draft");
    chat.messages.send("with-cleo", "Waits");
    server.isUp = false;
    await expect(chat.account.delete("wrong", "keep")).rejects.toBeInstanceOf(ApiError);
    expect([...values.keys()].map((key) => key.split(":")[1]).sort()).toEqual(["draft", "outbox"]);
    server.isUp = true;
    await chat.account.delete("right", "keep");
    expect(reported).toEqual(["logged out"]);
    expect([...values.keys()]).toEqual([]);
  });

  it("logs out at once, even if the server cannot be reached", async () => {
    const { chat, begin, reported, server } = aChat();
    await begin();
    server.isUp = false;
    chat.account.logOut();
    expect(reported).toEqual(["logged out"]);
  });

  it("gives the shell the call that logs out, so that it can repeat it", async () => {
    const { chat, begin, logOutCalls, server } = aChat();
    await begin();
    server.isUp = false;
    chat.account.logOut();
    await expect(logOutCalls[0]).rejects.toBeInstanceOf(ApiError);
  });

  it("leaves once if the session was ended elsewhere", async () => {
    const { begin, reported, handlers } = aChat();
    await begin();
    handlers().session_ended({});
    handlers().session_ended({});
    expect(reported).toEqual(["ended"]);
  });

  it.each(["logOutEverywhere", "delete"] as const)(
    "leaves after %s as after a log-out, even if the event of the ended session precedes the response",
    async (action) => {
      const { chat, begin, reported, handlers, server } = aChat();
      await begin();
      let respond: () => void = () => undefined;
      server.held = new Promise((resolve) => {
        respond = resolve;
      });
      const left = chat.account[action]("right", "keep");
      handlers().session_ended({});
      expect(reported).toEqual([]);
      respond();
      await left;
      expect(reported).toEqual(["logged out"]);
    },
  );

  it("ends with the session if the log-out on all devices fails", async () => {
    const { chat, begin, reported, handlers, server } = aChat();
    await begin();
    server.isUp = false;
    await expect(chat.account.logOutEverywhere()).rejects.toBeInstanceOf(ApiError);
    expect(reported).toEqual([]);
    handlers().session_ended({});
    expect(reported).toEqual(["ended"]);
  });

  it("ends no later session of the browser when a response arrives after the chat was closed", async () => {
    const { chat, begin, reported, server, unauthorised } = aChat();
    await begin();
    let respond: () => void = () => undefined;
    server.held = new Promise((resolve) => {
      respond = resolve;
    });
    server.status = 401;
    unauthorised();
    chat.stop();
    respond();
    await settle();
    expect(reported).toEqual([]);
  });

  it("checks with svc-users whether the session has ended", async () => {
    const { begin, reported, server, unauthorised } = aChat();
    await begin();
    unauthorised();
    await settle();
    expect(reported).toEqual([]);
    server.status = 401;
    unauthorised();
    await settle();
    expect(reported).toEqual(["ended"]);
  });
});
