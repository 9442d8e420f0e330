import { ApiError } from "@messageoh/contracts/client";
import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { aChat, fakeTimersWithoutWarnings, settle } from "../testing/aChat.ts";
import { aMessage, WITH_BOB } from "../testing/builders.ts";

describe("a jump to a message", () => {
  fakeTimersWithoutWarnings();

  /** Returns a chat with 1000 messages in Bob's thread, and what its screen shows. */
  async function begun(friendId?: string) {
    const chat = aChat({ friendId });
    Object.assign(chat.server, { last: 1000, read: 1000 });
    await chat.begin();
    const { now, server } = chat;
    return {
      ...chat,
      /** Lets the responses to the next calls wait. Returns a function that lets them arrive. */
      hold(): () => Promise<void> {
        const { promise, resolve } = Promise.withResolvers<void>();
        server.held = promise;
        return async () => {
          resolve();
          await settle();
        };
      },
      jumpTo: (seq: number) => void chat.chat.jumpToMessage(aMessage({ seq })),
      shownRange: () => {
        const messages = now().active?.thread.messages;
        return [messages?.at(0)?.seq, messages?.at(-1)?.seq];
      },
    };
  }

  it("replaces an earlier one, whichever page arrives first", async () => {
    const { hold, jumpTo, shownRange, now, server } = await begun("bob");
    const release = hold();
    jumpTo(400);
    jumpTo(200);
    await release();
    expect(shownRange()).toEqual([176, 225]);
    expect(now().jump).toMatchObject({ key: "with-bob-200", nonce: 1 });
    const releaseEarlier = hold();
    jumpTo(600);
    server.held = undefined;
    jumpTo(800);
    await settle();
    await releaseEarlier();
    expect(shownRange()).toEqual([776, 825]);
    expect(now().jump).toMatchObject({ key: "with-bob-800", nonce: 2 });
  });

  it("is made once if it is asked for twice", async () => {
    const { hold, jumpTo, shownRange, now, server } = await begun("bob");
    const release = hold();
    server.calls = [];
    jumpTo(400);
    jumpTo(400);
    await release();
    expect(server.calls).toHaveLength(1);
    expect(shownRange()).toEqual([376, 425]);
    expect(now().jump).toMatchObject({ key: "with-bob-400", nonce: 1 });
  });

  it("does not take back the way to the newest messages", async () => {
    const { chat, hold, jumpTo, shownRange, now } = await begun("bob");
    const release = hold();
    jumpTo(400);
    chat.messages.jumpToLatest(WITH_BOB);
    await release();
    expect(shownRange()).toEqual([951, 1000]);
    expect(now().jump).toBeNull();
  });

  it("is not taken back by the way to the newest messages before it", async () => {
    const { chat, hold, jumpTo, shownRange, server } = await begun();
    jumpTo(400);
    chat.openFriend("bob");
    await settle();
    const release = hold();
    chat.messages.jumpToLatest(WITH_BOB);
    server.held = undefined;
    jumpTo(200);
    await settle();
    await release();
    expect(shownRange()).toEqual([176, 225]);
  });

  it("moves nothing in a thread that the user has left, even if it is open again", async () => {
    const { chat, hold, jumpTo, shownRange, now, server } = await begun("bob");
    const release = hold();
    jumpTo(400);
    chat.openFriend("cleo");
    await release();
    chat.openFriend("bob");
    expect(shownRange()).toEqual([951, 1000]);
    const releaseAgain = hold();
    jumpTo(200);
    chat.openFriend(undefined);
    server.held = undefined;
    chat.openFriend("bob");
    await releaseAgain();
    expect(shownRange()).toEqual([951, 1000]);
    expect(now().jump).toBeNull();
  });

  it("leaves the first page to a thread that is opened again", async () => {
    const { chat, hold, jumpTo, shownRange, server } = await begun();
    const release = hold();
    jumpTo(400);
    chat.openFriend("bob");
    chat.openFriend(undefined);
    server.held = undefined;
    chat.openFriend("bob");
    await settle();
    expect(shownRange()).toEqual([951, 1000]);
    await release();
    expect(shownRange()).toEqual([951, 1000]);
  });

  it("is made in a thread that opens after the page has arrived", async () => {
    const { chat, jumpTo, shownRange, now } = await begun("cleo");
    jumpTo(400);
    await settle();
    chat.openFriend("bob");
    await settle();
    expect(shownRange()).toEqual([376, 425]);
    expect(now().jump).toMatchObject({ key: "with-bob-400" });
  });

  it("says that its page cannot be loaded, and stays where the user is", async () => {
    const { jumpTo, shownRange, now, server } = await begun("bob");
    server.isUp = false;
    jumpTo(400);
    await settle();
    expect(now().notices).toEqual(new Map([[WITH_BOB, { text: GENERIC_ERROR }]]));
    expect(now().jump).toBeNull();
    expect(shownRange()).toEqual([951, 1000]);
  });

  it("is made to a message in the list even if the page around it cannot be loaded", async () => {
    const { jumpTo, shownRange, now, server } = await begun("bob");
    server.isUp = false;
    jumpTo(955);
    await settle();
    expect(now().jump).toMatchObject({ key: "with-bob-955" });
    expect(now().notices).toEqual(new Map());
    expect(shownRange()).toEqual([951, 1000]);
  });

  it("leaves the failure to a thread that shows no messages, and to the user's next move", async () => {
    const { chat, hold, jumpTo, now, server } = await begun();
    server.isUp = false;
    jumpTo(400);
    chat.openFriend("bob");
    await settle();
    expect(now().active?.thread).toMatchObject({ isLoaded: false, loadError: true });
    expect(now().notices).toEqual(new Map());
    server.isUp = true;
    await chat.messages.loadOlder(WITH_BOB);
    const release = hold();
    server.held = server.held?.then(() => Promise.reject(new ApiError(0)));
    jumpTo(400);
    chat.messages.jumpToLatest(WITH_BOB);
    await release();
    expect(now().active?.thread).toMatchObject({ isLoaded: true, loadError: true });
    expect(now().notices).toEqual(new Map());
  });
});
