import { DELETED_AVATAR_ID } from "@messageoh/contracts/avatars";
import { fetchTimed, type Stage } from "./stage.ts";
import {
  change,
  click,
  enter,
  fail,
  fill,
  goOffline,
  hang,
  highlights,
  offers,
  openFromDevice,
  openThread,
  press,
  type Scene,
  type Step,
  search,
  shows,
  THREAD_MESSAGES,
  thread,
  threadWithAlbus,
} from "./steps.ts";
import { NOW } from "./world.ts";

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
const keepMessagesBack: Step = async ({ page }) => {
  await page.route("**/socket.io/**", (route) =>
    route.request().postData()?.includes("send_message") ? new Promise(() => {}) : route.fallback(),
  );
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((frame) => {
      if (!String(frame).includes("send_message")) server.send(frame);
    });
  });
};

/** Makes all friends muted people who have just added the user. */
const flagFriends = change<object[]>("**/messageoh/friends/*", (friends) =>
  friends.map((friend) => ({ ...friend, has_notice: true, is_muted: true })),
);

/** Makes all friends deleted accounts. */
const deleteFriends = change<object[]>("**/messageoh/friends/*", (friends) =>
  friends.map((friend) => ({ ...friend, name: "Deleted account", avatar_id: DELETED_AVATAR_ID })),
);

/** Opens the menu of the newest message and chooses an entry. */
const chooseForNewest =
  (entry: string): Step =>
  async ({ person, page }) => {
    await person.log.getByRole("article").last().click({ button: "right" });
    await page.getByRole("menuitem", { name: entry }).click();
  };

/** Gives the newest messages of the thread a reply, an edit, reactions and a deletion. */
const changeMessages = change<{ seq: number; sending_user_id: string; recipient_user_id: string }[]>(
  THREAD_MESSAGES,
  (messages) => {
    const at = new Date(NOW).toISOString();
    const newest = messages.length - 1;
    return messages.map((message, index) => {
      const both = [message.sending_user_id, message.recipient_user_id];
      if (index === newest) return { ...message, reply_to: message.seq - 5, change: 1 };
      if (index === newest - 1) {
        const reactions = [
          { user_id: both[0], emoji: "❤️" },
          { user_id: both[1], emoji: "😂" },
        ];
        return { ...message, edit_count: 1, edited_at: at, change: 2, reactions };
      }
      if (index === newest - 2) return { ...message, text: "deleted", deleted_at: at, change: 3 };
      if (index === newest - 3)
        return { ...message, change: 4, reactions: both.map((user_id) => ({ user_id, emoji: "👍" })) };
      return message;
    });
  },
);

/** Makes the newest messages of the thread forwarded ones, one of them with a file. */
const forwardMessages = change<object[]>(THREAD_MESSAGES, (messages) => {
  const file = {
    id: "plan",
    kind: "file",
    name: "The plan of the garden.pdf",
    bytes: 48_200,
    type: "application/pdf",
  };
  const newest = messages.length - 1;
  return messages.map((message, index) => {
    if (index === newest) return { ...message, forwarded: 5, change: 1 };
    if (index === newest - 1) return { ...message, forwarded: 1, attachments: [file] };
    return index > newest - 4 ? { ...message, forwarded: 1 } : message;
  });
});

/** Selects the newest message and some before it. */
const selectNewest: Step = async (stage) => {
  await chooseForNewest("Select")(stage);
  for (let count = 0; count < 3; count += 1) await stage.page.keyboard.press("Shift+ArrowUp");
  await shows("4 selected")(stage);
};
const chooseFriends =
  (count: number): Step =>
  async ({ page }) => {
    const boxes = page.getByRole("dialog").getByRole("checkbox");
    for (let at = 0; at < count; at += 1) await boxes.nth(at).check();
  };

/** Pins messages of the thread with Albus, counted from the newest, and stars the last but one. */
const pinAndStar =
  (...fromEnd: number[]): Step =>
  async (stage) => {
    const { page, world } = stage;
    await page.route(THREAD_MESSAGES, async (route) => {
      type Message = { sending_user_id: string; timestamp: string };
      const url = route.request().url().replace("pinned=true", "limit=50");
      const { response, json: messages } = await fetchTimed<Message[]>(route, world, url);
      const json = messages.map((message, index) => {
        if (!fromEnd.includes(messages.length - index)) return message;
        return { ...message, change: 1, pinned: { by: message.sending_user_id, at: message.timestamp } };
      });
      await route.fulfill({ response, json });
    });
    await change<{ last_seq: number }[]>("**/messageoh/threads/*", (threads) =>
      threads.map((thread) => ({ ...thread, starred: [Math.max(0, thread.last_seq - 1)] })),
    )(stage);
  };

const openMenu = click("Menu of the thread with Albus");

const failToSend: Step = async (stage) => {
  await stage.enterThread("Albus", {
    ...notSent(stage, 1, "Shall I print some of them for you?"),
    ...notSent(stage, 2, "And for your mother?", "You are sending too fast"),
  });
  await stage.person.sees("And for your mother?");
  await stage.person.send("Just say how many.");
};
const writeDraft: Step = (stage) => {
  const draft =
    "Dear Theo,\nI had a thought about the garden:\n\n- beans along the fence\n- the pear tree stays\n- a bench!";
  return stage.enterThread("Theo", { [`messageoh:draft:${stage.world.me.id}:${stage.threadId("Theo")}`]: draft });
};
const albusTypes: Step = async (stage) => {
  stage.friend("Albus").socket?.emit("typing", { thread_id: stage.threadId("Albus"), is_typing: true });
};
/** Replaces the texts of two messages from the user and of one from Albus. */
const replaceTexts =
  (...texts: [own: string, own2: string, friends: string]): Step =>
  ({ page, world }) =>
    page.route(/\/messageoh\/messages\//, async (route) => {
      const { response, json } = await fetchTimed(route, world);
      const replaced = ["Let's do it again in June?", "I put the photos into our folder.", "A cinnamon bun 🙏"];
      const body = texts.reduce((text, by, at) => text.replace(replaced[at] ?? "", by), JSON.stringify(json));
      await route.fulfill({ response, body });
    });
/** Many combining marks on a letter. */
const STACKED = `Z${"\u0301\u0316".repeat(20)}a${"\u0307\u0323".repeat(40)}lgo`;
const RTL = "\u05dc\u05d4\u05ea\u05e8\u05d0\u05d5\u05ea \u05d1\u05d9\u05d5\u05e0\u05d9";

const FORMATTED =
  "*Shopping* for _Saturday_:\n- ~milk~\n- bread, *two* of them\n1. `list.txt` first\n2. then https://market.example";
const RTL_FORMATTED = `> *${RTL}*\n- ${RTL}\n- _${RTL}_\n1. ${RTL}\n\`\`\`\nlet a = 1;\n\`\`\`\n~${RTL}~ \`a.txt\``;
const QUOTED = '> We start at ten.\nIn code:\n```\nif (tired) return "tea";\n```\nand *that is _all_*.';

/** Scenes of the thread. */
export const THREAD_SCENES: Record<string, Scene> = {
  thread: [threadWithAlbus],
  "thread-send-states": [keepMessagesBack, failToSend, offers("Sending", "img")],
  "thread-pinned": [pinAndStar(1, 2, 6), threadWithAlbus, offers("Pinned message 1 of 3: The one with the heron")],
  "thread-pinned-menu": [
    pinAndStar(1),
    threadWithAlbus,
    click("Menu of the pinned message"),
    offers("Unpin", "menuitem"),
  ],
  "thread-go-to-date": [threadWithAlbus, openMenu, click("Go to date", "menuitem"), offers("Go to date", "dialog")],
  "thread-go-to-date-none": [
    threadWithAlbus,
    openMenu,
    click("Go to date", "menuitem"),
    ({ page }) => page.getByLabel("Date", { exact: true }).fill("2040-01-01"),
    click("Go"),
    shows("There are no messages on this day or later."),
  ],
  "thread-notice": [flagFriends, threadWithAlbus, shows("Albus added you")],
  "thread-menu": [threadWithAlbus, openMenu],
  "thread-block": [threadWithAlbus, openMenu, click("Block", "menuitem"), offers("Block Albus?", "dialog")],
  "thread-unfriend": [threadWithAlbus, openMenu, click("Unfriend", "menuitem"), offers("Unfriend Albus?", "dialog")],
  "thread-marks": [replaceTexts(STACKED, `${STACKED} ${STACKED}`, STACKED), threadWithAlbus],
  "thread-formatted": [
    replaceTexts(JSON.stringify(FORMATTED).slice(1, -1), JSON.stringify(QUOTED).slice(1, -1), "*now*"),
    threadWithAlbus,
  ],
  "thread-formatted-right-to-left": [
    replaceTexts(JSON.stringify(RTL_FORMATTED).slice(1, -1), "*now*", `*${RTL}*`),
    threadWithAlbus,
  ],
  "thread-right-to-left": [replaceTexts(RTL, `${RTL}, `.repeat(6), `${RTL}, `.repeat(9)), threadWithAlbus],
  "thread-deleted": [
    deleteFriends,
    (stage) => stage.enter(stage.world.me, `/home/${stage.friend("Albus").id}`),
    shows(/^This account was deleted/),
    ({ person }) => person.log.waitFor(),
  ],
  "thread-jump": [
    openThread("Book club Bea"),
    ({ person }) => person.log.getByText(/\d new messages?/).waitFor(),
    ({ person }) => person.log.evaluate((log) => log.scrollBy(0, -600)),
    ({ page }) => page.waitForTimeout(500),
  ],
  "thread-typing": [threadWithAlbus, albusTypes, shows("Albus is typing...")],
  "thread-new-messages": [thread("Noor", "You are an angel!")],
  "thread-long-words": [thread("Ines Wilhelmina von Hohenstein", "🦒🦒🦒")],
  "thread-draft": [writeDraft, ({ person }) => person.sees("Sleep well!")],
  "thread-too-long": [
    openThread("Theo"),
    ({ person }) => person.composer.fill("so much to say ".repeat(300)),
    shows("A message has at most"),
  ],
  "thread-empty": [openThread("Pip"), shows("No messages here yet...")],
  "thread-skeleton": [hang(/\/messageoh\/messages\/.*thread_id/), openThread("Albus")],
  "thread-failed": [fail(/\/messageoh\/messages\/.*thread_id/), openThread("Albus"), offers("Retry")],
  "thread-found": [enter, search("lantern"), click(/the buns, the lantern/), highlights],
  "thread-message-menu": [
    threadWithAlbus,
    ({ person }) => person.log.getByRole("article").last().click({ button: "right" }),
    ({ page }) => page.getByRole("menu").waitFor(),
  ],
  "thread-changed": [changeMessages, threadWithAlbus, ({ person }) => person.sees("Message deleted")],
  "thread-reply": [
    threadWithAlbus,
    chooseForNewest("Reply"),
    ({ page }) => page.getByRole("button", { name: "Cancel reply" }).waitFor(),
  ],
  "thread-edit": [
    changeMessages,
    threadWithAlbus,
    ({ person }) => person.composer.press("ArrowUp"),
    offers("Cancel edit"),
  ],
  "thread-react": [threadWithAlbus, chooseForNewest("React"), offers("Thumbs up")],
  "thread-react-more": [threadWithAlbus, chooseForNewest("React"), click("More emoji"), offers("grinning face")],
  "thread-history": [changeMessages, threadWithAlbus, click("Edited"), offers("Edit history", "dialog")],
  "thread-forward": [
    threadWithAlbus,
    chooseForNewest("Forward"),
    offers("Forward message", "dialog"),
    chooseFriends(2),
  ],
  "thread-forward-full": [
    threadWithAlbus,
    chooseForNewest("Forward"),
    offers("Forward message", "dialog"),
    chooseFriends(5),
  ],
  "thread-forward-none": [
    threadWithAlbus,
    chooseForNewest("Forward"),
    fill("Search friends", "zzz"),
    shows("No result for"),
  ],
  "thread-forwarded": [forwardMessages, threadWithAlbus, shows("Forwarded many times")],
  "thread-select": [threadWithAlbus, selectNewest],
  "thread-select-none": [threadWithAlbus, chooseForNewest("Select"), press(" "), shows("0 selected")],
  "thread-select-delete": [threadWithAlbus, selectNewest, click("Delete"), offers("Delete 4 messages?", "dialog")],
  "thread-select-forward": [threadWithAlbus, selectNewest, click("Forward"), offers("Forward 4 messages", "dialog")],
  "thread-delete-message": [
    threadWithAlbus,
    ({ person }) => person.log.getByRole("article", { name: "You" }).last().click({ button: "right" }),
    click("Delete", "menuitem"),
    offers("Delete message?", "dialog"),
  ],
  "thread-search": [
    threadWithAlbus,
    click("Search in this thread"),
    ({ page }) => page.keyboard.type("heron"),
    shows(/^1 of /),
    highlights,
  ],
  "thread-search-empty": [
    threadWithAlbus,
    click("Search in this thread"),
    ({ page }) => page.keyboard.type("marzipan"),
    shows("No result"),
  ],
  "thread-emoji": [threadWithAlbus, click("Emoji"), offers("grinning face")],
  "thread-offline": [threadWithAlbus, goOffline, shows("You are offline.")],
  "thread-waiting": [
    openFromDevice,
    ({ person }) => person.openThread({ name: "Albus" }),
    ({ person }) => person.send("I will send you the other photos."),
    ({ person }) => person.message("I will send you the other photos.").click({ button: "right" }),
    offers("Delete", "menuitem"),
  ],
  // The last one, because the browser keeps the change, whose call fails. One that hangs would be sent with the end of
  // its page.
  "thread-deleted-for-me": [
    fail(/\/hidden$/),
    threadWithAlbus,
    chooseForNewest("Delete"),
    click("Delete for me"),
    offers("Undo"),
  ],
};
