import { BEATS_CHANNEL } from "@messageoh/contracts/beat";
import { type MessagesEvent, type UserEvent, userChannel } from "@messageoh/contracts/bus";
import { threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { aNewMessage } from "@messageoh/contracts/testing/messages";
import { type Client, connectClient, disconnectClient } from "./client.ts";
import { createFakeServices, type FakeServices, type Instance, startInstance } from "./instance.ts";
import { pause } from "./waiting.ts";

/** The thread of ann and bob. */
export const ANN_BOB = threadBetween("ann", "bob");

/** The payload of `send_message` from ann to bob, and from bob to ann. */
export const TO_BOB = {
  thread_id: "ann-bob",
  sending_user_id: "ann",
  recipient_user_id: "bob",
  text: "hello",
  read: false,
};
export const TO_ANN = { ...TO_BOB, sending_user_id: "bob", recipient_user_id: "ann" };

/**
 * Runs two instances with fake services for each test of a file. Ann and bob are friends, and bob and cyd. The fake
 * svc-messages publishes beats until a test stops them.
 * @param clockAheadMs how far the clock of svc-messages is ahead of that of the instances, in milliseconds
 */
export function useTwoInstances(clockAheadMs = 0) {
  let beats: NodeJS.Timeout;
  let services: FakeServices;
  let one: Instance;
  let two: Instance;
  const clients: Client[] = [];

  beforeEach(async () => {
    services = createFakeServices([ANN_BOB, threadBetween("bob", "cyd")]);
    services.messages.now = () => Date.now() + clockAheadMs;
    [one, two] = await Promise.all([startInstance("one", services), startInstance("two", services)]);
    beats = setInterval(publishBeat, 100);
    while (!one.realtime.isLive() || !two.realtime.isLive()) await Promise.all([publishBeat(), pause(10)]);
  });
  afterEach(async () => {
    clearInterval(beats);
    await Promise.all(clients.splice(0).map(disconnectClient));
    await Promise.all([one.close(), two.close()]);
  });

  const publishBeat = () => publish(BEATS_CHANNEL, services.messages.beat);
  const publish = (channel: string, event: object) => two.publish([[channel, event]]);

  return {
    /** Stops the beats of svc-messages, which is then silent for the instances. */
    stopBeats: () => clearInterval(beats),
    publishBeat,
    get one(): Instance {
      return one;
    },
    get two(): Instance {
      return two;
    },
    get users() {
      return services.users;
    },
    get messages() {
      return services.messages;
    },

    /** Connects a user by name, or a client without a session. It is disconnected after the test. */
    async connect({ url }: Instance, name: string | null, options?: object): Promise<Client> {
      const client = await connectClient(url, name && `TOKEN-${name}`, options);
      clients.push(client);
      return client;
    },

    publish: (userId: string, event: UserEvent | MessagesEvent) => publish(userChannel(userId), event),

    /** Stores a message from ann to bob and returns its event, which is not published yet. */
    storeMessage(text: string, origin = ""): MessagesEvent {
      const previous_id = services.messages.stored.at(-1)?.id;
      const message = services.messages.store(aNewMessage({ text, client_id: text, origin }));
      const item = { message, is_repeat: false, previous_id, origin, request_id: "r" };
      return { type: "messages", items: [item] };
    },
  };
}
