import type { Scene, Stage } from "./stage.ts";
import { NOW } from "./world.ts";

const NEWEST = "The one with the heron is my favourite.";

/** A failed message in the format of the outbox. */
function notSent(stage: Stage, at: number, text: string, reason?: string): Record<string, string> {
  const client_id = `00000000-0000-4000-8000-00000000000${at}`;
  const entry = {
    client_id,
    thread_id: stage.threadId("Albus"),
    recipient_user_id: stage.friend("Albus").id,
    text,
    timestamp: NOW.toISOString(),
    queued_at: NOW.getTime() + at,
    state: "not-sent",
    reason,
  };
  return { [`messageoh:outbox:${stage.world.me.id}:${client_id}`]: JSON.stringify(entry) };
}

/** Drops everything that the page sends over its socket, but not what it receives. */
async function keepMessagesBack({ page }: Stage): Promise<void> {
  await page.route("**/socket.io/**", (route) =>
    route.request().postData()?.includes("send_message") ? new Promise(() => {}) : route.fallback(),
  );
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((frame) => {
      if (!String(frame).includes("send_message")) server.send(frame);
    });
  });
}

/** Sets flags of all friends in the list. */
async function flagFriends({ page }: Stage, flags: object): Promise<void> {
  await page.route("**/messageoh/friends/*", async (route) => {
    const response = await route.fetch();
    const friends = (await response.json()) as object[];
    await route.fulfill({ response, json: friends.map((friend) => ({ ...friend, ...flags })) });
  });
}

const openMenu = ({ page }: Stage): Promise<void> =>
  page.getByRole("button", { name: "Menu of the thread with Albus" }).click();

/** Scenes of the thread. */
export const THREAD_SCENES: Record<string, Scene> = {
  thread: async (stage) => {
    await stage.enterThread("Albus");
    await stage.person.sees(NEWEST);
  },
  "thread-send-states": async (stage) => {
    await keepMessagesBack(stage);
    const stored = {
      ...notSent(stage, 1, "Shall I print some of them for you?"),
      ...notSent(stage, 2, "And for your mother?", "You are sending too fast"),
    };
    await stage.enterThread("Albus", stored);
    await stage.person.sees("And for your mother?");
    await stage.person.send("Just say how many.");
    await stage.page.getByRole("img", { name: "Sending" }).waitFor();
  },
  "thread-notice": async (stage) => {
    await flagFriends(stage, { has_notice: true, is_muted: true });
    await stage.enterThread("Albus");
    await stage.page.getByText("Albus added you").waitFor();
    await stage.person.sees(NEWEST);
  },
  "thread-menu": async (stage) => {
    await stage.enterThread("Albus");
    await stage.person.sees(NEWEST);
    await openMenu(stage);
  },
  "thread-block": async (stage) => {
    await stage.enterThread("Albus");
    await stage.person.sees(NEWEST);
    await openMenu(stage);
    await stage.page.getByRole("menuitem", { name: "Block" }).click();
    await stage.page.getByRole("dialog", { name: "Block Albus?" }).waitFor();
  },
  "thread-typing": async (stage) => {
    await stage.enterThread("Albus");
    await stage.person.sees(NEWEST);
    const typing = { thread_id: stage.threadId("Albus"), is_typing: true };
    stage.friend("Albus").socket?.emit("typing", typing);
    await stage.page.getByText("Albus is typing...").waitFor();
  },
  "thread-new-messages": async (stage) => {
    await stage.enterThread("Noor");
    await stage.person.sees("You are an angel!");
  },
  "thread-long-words": async (stage) => {
    await stage.enterThread("Ines Wilhelmina von Hohenstein");
    await stage.person.sees("🦒🦒🦒");
  },
  "thread-scrolled-up": async (stage) => {
    await stage.enterThread("Book club Bea");
    await stage.person.log.getByText("New messages").waitFor();
  },
  "thread-draft": async (stage) => {
    const draft =
      "Dear Theo,\nI had a thought about the garden:\n\n- beans along the fence\n- the pear tree stays\n- a bench!";
    await stage.enterThread("Theo", { [`messageoh:draft:${stage.world.me.id}:${stage.threadId("Theo")}`]: draft });
    await stage.person.sees("Sleep well!");
  },
  "thread-too-long": async (stage) => {
    await stage.enterThread("Theo");
    await stage.person.composer.fill("so much to say ".repeat(300));
    await stage.page.getByText("A message has at most").waitFor();
  },
  "thread-empty": async (stage) => {
    await stage.enterThread("Pip");
    await stage.page.getByText("No messages here yet...").waitFor();
  },
  "thread-skeleton": async (stage) => {
    await stage.hang(/\/messageoh\/messages\/.*thread_id/);
    await stage.enterThread("Albus");
  },
  "thread-failed": async (stage) => {
    await stage.fail(/\/messageoh\/messages\/.*thread_id/);
    await stage.enterThread("Albus");
    await stage.page.getByRole("button", { name: "Retry" }).waitFor();
  },
  "thread-found": async (stage) => {
    await stage.enter(stage.world.me);
    await stage.person.search("lantern");
    await stage.page.getByRole("button", { name: /the buns, the lantern/ }).click();
    await stage.page.locator("[data-highlighted]").waitFor();
  },
  "thread-message-menu": async (stage) => {
    await stage.enterThread("Albus");
    await stage.person.sees(NEWEST);
    await stage.person.log.getByRole("article").last().click({ button: "right" });
    await stage.page.getByRole("menu").waitFor();
  },
  "thread-search": async (stage) => {
    await stage.enterThread("Albus");
    await stage.person.sees(NEWEST);
    await stage.page.getByRole("button", { name: "Search in this thread" }).click();
    await stage.page.keyboard.type("heron");
    await stage.page.getByText(/^1 of /).waitFor();
    await stage.page.locator("[data-highlighted]").waitFor();
  },
  "thread-emoji": async (stage) => {
    await stage.enterThread("Albus");
    await stage.person.sees(NEWEST);
    await stage.page.getByRole("button", { name: "Emoji" }).click();
    await stage.page.getByRole("button", { name: "grinning face", exact: true }).waitFor();
  },
  "thread-file-refused": async (stage) => {
    await stage.enterThread("Albus");
    await stage.person.sees(NEWEST);
    await stage.page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["text"], "letter.txt"));
      window.dispatchEvent(new DragEvent("dragenter", { dataTransfer }));
    });
    await stage.page.getByText("Files cannot be sent").waitFor();
  },
  "thread-offline": async (stage) => {
    await stage.enterThread("Albus");
    await stage.person.sees(NEWEST);
    await stage.page.context().setOffline(true);
    await stage.page.getByText("You are offline.").waitFor();
  },
};
