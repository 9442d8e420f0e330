import { ApiError } from "@messageoh/contracts/client";
import { aChat, DAN, fakeTimersWithoutWarnings, settle } from "../testing/aChat.ts";
import { BOB, CLEO, ME, WITH_BOB } from "../testing/builders.ts";

describe("the friends of a chat", () => {
  fakeTimersWithoutWarnings();

  it("lists a new friend first, notifies them and joins the room", async () => {
    const { chat, begin, connect, now, server } = aChat();
    await begin();
    await connect();
    server.emitted.length = 0;
    await chat.friends.add(DAN);
    expect(now().friends[0]).toMatchObject({ friend: DAN, thread: { threadId: "with-dan", messages: [] } });
    expect(server.emitted).toEqual(["add_friend", "join_room"]);
    const starting = { thread_id: "with-dan", sending_user_id: "me", recipient_user_id: "dan", text: "" };
    expect(server.payloads.at(-2)).toEqual({
      current_user: ME,
      new_friend_id: "dan",
      message_thread: {
        thread_id: "with-dan",
        threadId: "with-dan",
        friendParticipantId: "me",
        messages: [expect.objectContaining(starting)],
      },
    });
  });

  it("shows the current name of a friend who was found under an older one", async () => {
    const { chat, begin, connect, now, server } = aChat();
    await begin();
    await connect();
    await chat.friends.add(DAN);
    server.friends = [BOB, CLEO, { ...DAN, name: "Daniel" }];
    await settle();
    expect(now().friends[0]?.friend.name).toBe("Daniel");
  });

  it("keeps the name of an event that is earlier than the response to the addition", async () => {
    const { chat, begin, connect, now, handlers } = aChat();
    await begin();
    await connect();
    const thread = { thread_id: "with-dan", threadId: "with-dan", friendParticipantId: "dan", messages: [] };
    handlers().received_add_new_friend({ current_user: { ...DAN, name: "Daniel" }, message_thread: thread });
    await chat.friends.add(DAN);
    expect(now().friends[0]?.friend.name).toBe("Daniel");
  });

  it("adds nobody if the server returns an error", async () => {
    const { chat, begin, now, server } = aChat();
    await begin();
    server.isUp = false;
    await expect(chat.friends.add(DAN)).rejects.toBeInstanceOf(ApiError);
    expect(now().friends).toHaveLength(2);
  });

  it("lists a user who added this one, and joins the room once", async () => {
    const { begin, connect, now, server, handlers } = aChat();
    await begin();
    await connect();
    server.emitted.length = 0;
    const thread = { thread_id: "with-dan", threadId: "with-dan", friendParticipantId: "dan", messages: [] };
    handlers().received_add_new_friend({ current_user: DAN, message_thread: thread });
    handlers().received_add_new_friend({ current_user: DAN, message_thread: thread });
    expect(now().friends.map(({ friend }) => friend.name)).toEqual(["Bob", "Dan", "Cleo"]);
    await settle();
    expect(server.emitted).toEqual(["join_room"]);
  });

  it("leaves the thread of a friend who unfriended the user, and shows it again when they are friends again", async () => {
    const { begin, connect, now, server, handlers, reported } = aChat({ friendId: "bob" });
    await begin();
    await connect();
    server.calls.length = 0;
    handlers().friend_removed({ user_id: "bob", thread_id: WITH_BOB });
    expect(now().friends.map(({ friend }) => friend.name)).toEqual(["Cleo"]);
    expect([now().active, reported.at(-1)]).toEqual([null, "/home"]);
    await settle(1_000);
    expect(server.calls).toEqual(expect.arrayContaining(["threads", "friends"]));
    expect(now().friends.map(({ friend }) => friend.name)).toEqual(["Bob", "Cleo"]);
  });

  it("offers neither the user nor friends, and continues the search after a page of them", async () => {
    const { chat, begin, server } = aChat();
    await begin();
    const found = await chat.search.users("d", null, new AbortController().signal);
    expect(found).toEqual({ items: [DAN], last: null });
    expect(server.calls.filter((call) => call.startsWith("searchUsers"))).toEqual([
      "searchUsers",
      "searchUsers after Bob",
    ]);
  });
});
