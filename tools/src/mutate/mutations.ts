// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the patches contain source text

/** A patch that violates a rule: a text that occurs exactly once in the product, and its replacement. */
export interface Mutation {
  /** Section and text of the rule in docs/spec-coverage.md. */
  rule: string;
  find: string;
  replace: string;
  /** Whether browser tests check the rule. */
  browser?: true;
}

const mutation = (rule: string, find: string, replace: string): Mutation => ({ rule, find, replace });
const inBrowser = (rule: string, find: string, replace: string): Mutation => ({ rule, find, replace, browser: true });

const SIGN_IN = [
  mutation(
    "2: A check that fails leads to /login",
    'return error.status < 500 ? "denied" : "unanswered"',
    'return "unanswered"',
  ),
  mutation(
    "7: Non-ok means not logged in",
    "error.status === 408 || error.status === 429) return",
    "error.status === 408 || error.status === 404) return",
  ),
  mutation(
    "8: A check without an answer is no failed check: Retry",
    "error.status === 0 || error.status === 408",
    "error.status === 408",
  ),
  mutation(
    "4: Log out clears the stored id and the user",
    'return { status: "anonymous", why: "loggedOut" };',
    "return state;",
  ),
  mutation(
    "4: A save updates avatar_id locally",
    'return state.status === "loggedIn" ? { ...state, user: action.user } : state',
    "return state",
  ),
  mutation(
    "5: Register: username is required",
    'return field === "name" ? !value?.trim() : !value',
    'return field !== "name" && !value',
  ),
  mutation(
    "5: Register: password is required",
    'return field === "name" ? !value?.trim() : !value',
    'return field === "name" ? !value?.trim() : field !== "password" && !value',
  ),
  mutation(
    "5: Register: avatar is required",
    'return field === "name" ? !value?.trim() : !value',
    'return field === "name" ? !value?.trim() : field !== "avatar" && !value',
  ),
  mutation("5: Login: username and password required, same message", "if (!(field in values)) return false;", ""),
  mutation(
    "5: 'Password needs at least 8 characters'",
    "[...password].length < PASSWORD_MIN_CHARACTERS;\n}",
    "[...password].length <= PASSWORD_MIN_CHARACTERS;\n}",
  ),
  mutation("9: Password minimum: 8 characters", "PASSWORD_MIN_CHARACTERS = 8", "PASSWORD_MIN_CHARACTERS = 7"),
  mutation(
    "5: An empty password is not called short",
    'return password !== "" && [...password]',
    "return [...password]",
  ),
  mutation("5: Checked 750 ms after typing stops", "PASSWORD_CHECK_MS = 750", "PASSWORD_CHECK_MS = 500"),
  mutation("9: Password-length check debounce: 750 ms", "PASSWORD_CHECK_MS = 750", "PASSWORD_CHECK_MS = 1_000"),
  mutation(
    "2 Avatar picker: Keyboard selection",
    "return index < last ? index + 1 : wraps ? 0 : null;",
    "return index + 1;",
  ),
  mutation(
    "3: First group: 8 avatars in order",
    '"dog-id": "Dog",\n  "cat-id": "Cat"',
    '"cat-id": "Cat",\n  "dog-id": "Dog"',
  ),
  mutation("3: Second group: 10 avatars in order", '"deer2-id": "Second deer"', '"deer3-id": "Second deer"'),
  mutation("3: 18 in total", '  "chicken-id": "Chicken",\n', ""),
];

const USERS = [
  mutation("3: User: id, name, avatar_id", "avatar_id: row.avatar_id,\n});", 'avatar_id: "",\n});'),
  mutation(
    "3: Friend: id, name, avatar_id",
    "users.find({ _id: { $in: ids } }, { name: 1, avatar_id: 1 })",
    "users.find({ _id: { $in: ids } }, { name: 1 })",
  ),
  mutation(
    "4: Mutual friendship, in real time",
    "friendships.find({ user_ids: userId }).sort(",
    'friendships.find({ "user_ids.0": userId }).sort(',
  ),
  mutation("6: An anonymous visitor has landing, register and login only", "      throw unauthorised();", ""),
  mutation(
    "6: A user may change their own avatar only",
    "if (part.user_id !== undefined && part.user_id !== userId) throw forbidden();",
    "",
  ),
  mutation(
    "6: Identity is a stored user id; no tokens are shown",
    "Path=/; HttpOnly; SameSite=Strict",
    "Path=/; SameSite=Strict",
  ),
  mutation(
    "7: POST /users {name, password, avatar_id} answers {id}",
    "return { id: row._id };",
    "return { user_id: row._id };",
  ),
  mutation("7: POST /users answers {error}", '"This username is already taken"', '"Taken"'),
  mutation(
    "7: POST /login {name, password} answers the user",
    "return toUser(row);\n  });\n\n  routes.signedIn(contract.getUser",
    "return { id: row._id };\n  });\n\n  routes.signedIn(contract.getUser",
  ),
  mutation("7: POST /login answers {error}", '"Wrong username or password"', '"Wrong password"'),
  mutation(
    "7: GET /friends/{userId} answers the friends",
    "return friend ? [{ ...friend, ...flagsOf(row, userId) }] : [];",
    "return [];",
  ),
  mutation(
    "7: POST /add_friend {user_id, friend_id} answers {friend_id, thread_id}",
    "return { friend_id: friend._id, thread_id: friendship._id }",
    "return { friend_id: session.user.id, thread_id: friendship._id }",
  ),
  mutation("7: POST /add_friend answers {error}", '"This user does not exist"', '"No such friend"'),
];

const MESSAGES = [
  mutation(
    "2 Search: 'Messages': messages whose text contains the text",
    'new RegExp(escapeRegExp(text), "i"),',
    "new RegExp(escapeRegExp(text)),",
  ),
  mutation(
    "3: Message: thread_id, sender, recipient, text, ISO timestamp, read",
    "text: message.text,\n        timestamp",
    "text: message.text.toLowerCase(),\n        timestamp",
  ),
  mutation(
    "6: A user reads and sends messages with friends only",
    "if (!isBetween(thread, message)) return { error: NOT_FRIENDS };",
    "",
  ),
  mutation("7: GET /messages/{userId} is grouped into threads", "FIRST_PAGE_MESSAGES = 50", "FIRST_PAGE_MESSAGES = 49"),
  mutation("7: PUT /update_message_read {thread_id}", "body.seq ?? Number.MAX_SAFE_INTEGER", "body.seq ?? 0"),
  mutation(
    "7: Receives receive_message into the matching thread",
    'io.local.to(targets.map(({ id }) => id)).emit("receive_message", message)',
    "undefined",
  ),
];

const THREADS = [
  mutation(
    "3: The id of a locally created message is a client-made time stamp",
    "key, id: timestamp, threadId",
    "key, id: key, threadId",
  ),
  mutation(
    "3: A thread is built by grouping messages by thread_id",
    "Map.groupBy(messages, (message) => message.thread_id)) {",
    'Map.groupBy(messages, () => messages[0]?.thread_id ?? "")) {',
  ),
  mutation(
    "3: friendParticipantId from a message not sent by the user",
    "? message.recipient_user_id : message?.sending_user_id",
    "? message.recipient_user_id : message?.recipient_user_id",
  ),
  mutation(
    "3: otherwise from the recipient of a message the user sent",
    "? message.recipient_user_id : message?.sending_user_id",
    "? message.sending_user_id : message?.sending_user_id",
  ),
  mutation(
    "3: A thread has threadId, friendParticipantId and messages",
    "friendParticipantId: friendParticipant.id",
    "friendParticipantId: friendParticipant.name",
  ),
  mutation(
    "4: An error field changes nothing and leaves the overlay open",
    "showUser(await api.changeAvatar(avatarId))",
    "showUser(await api.changeAvatar(avatarId).catch(() => ({ ...store.get().me, avatar_id: avatarId })))",
  ),
  mutation(
    "4: A new message is read=true locally",
    "if (messageAt(segments, seq)?.sending_user_id === friendId) unread += 1;",
    "if (messageAt(segments, seq)) unread += 1;",
  ),
  mutation(
    "2 Sidebar: Each entry has an unread marker",
    "if (messageAt(segments, seq)?.sending_user_id === friendId) unread += 1;",
    "",
  ),
  mutation(
    "4: It is sent over the socket with read=false",
    "timestamp,\n        read: false,",
    "timestamp,\n        read: true,",
  ),
  mutation(
    "4: A received message is added to the matching thread",
    "(thread, ofThread) => addMessages(thread, ofThread, request)",
    "(thread) => thread",
  ),
  mutation(
    "4: It is read if that thread is open and visible",
    "messages.some((message) => message.thread_id === thread.threadId) ? markRead(thread) : thread,",
    "thread,",
  ),
  mutation(
    "4: It is unread in another thread",
    "lastSeq: Math.max(thread.lastSeq, newestOf(segments)?.seq ?? 0),",
    "lastSeq: Math.max(thread.lastSeq, newestOf(segments)?.seq ?? 0),\n    readSeq: newestOf(segments)?.seq ?? 0,",
  ),
  mutation(
    "4: It is unread while the page is hidden",
    "const seen = state.isVisible ? change(thread) : thread;",
    "const seen = change(thread);",
  ),
  mutation(
    "4: Selecting a thread marks all its messages read locally",
    "return changeOpen(opened, markReadWithLine);",
    "return opened;",
  ),
  mutation(
    "4: ...whether or not the server call succeeds",
    "let unread = unreadAtServer(thread);",
    "let unread = unreadAtServer({ ...thread, readSeq: thread.serverReadSeq });",
  ),
  mutation(
    "4: Opening a thread with unread messages marks it read via the server",
    "await api.markRead(threadId, seq);",
    "",
  ),
  mutation(
    "4: Messages are sorted by time stamp ascending",
    "part.messages).sort((a, b) => a.seq - b.seq)",
    "part.messages).sort((a, b) => b.seq - a.seq)",
  ),
  mutation(
    "4: Friends are ordered by most recent message first",
    "Number(orderTime(b) > orderTime(a)) - Number(orderTime(b) < orderTime(a))",
    "Number(orderTime(b) < orderTime(a)) - Number(orderTime(b) > orderTime(a))",
  ),
  mutation(
    "4: Friends with no messages go last",
    "stored ? Date.parse(stored.timestamp) : Number.NEGATIVE_INFINITY",
    "stored ? Date.parse(stored.timestamp) : Number.POSITIVE_INFINITY",
  ),
  mutation(
    "4: The friend is added at the top of the list",
    "isOnTop ? { ...thread, topTime: aboveAll() } : thread",
    "thread",
  ),
  mutation("4: A thread is created with one empty starting message", "messages: [starting],", "messages: [],"),
  mutation("5: Messages whose text is empty are hidden", 'text !== "" && !hidden.has(seq)', "!hidden.has(seq)"),
  mutation("5: An empty message cannot be sent", 'canSend: message !== ""', "canSend: true"),
  mutation(
    "7: GET /users: neither the user nor friends become addable",
    "user.id !== me.id && !friends.has(user.id)",
    "user.id !== me.id",
  ),
];

const SOCKET = [
  mutation("7: The socket connects to the default path of the same host", 'path: "/socket.io"', 'path: "/socket"'),
  mutation("9: Socket path /socket.io", 'path: "/socket.io",', 'path: "/sockets",'),
  mutation("7: Long-polling, upgrading to websocket", '["polling", "websocket"]', '["websocket", "polling"]'),
  mutation(
    "9: Reconnection on with unlimited attempts",
    "reconnectionDelay: 1_000,",
    "reconnectionDelay: 1_000,\n    reconnectionAttempts: 10,",
  ),
  mutation("9: Reconnection delay 1 s growing to 5 s", "reconnectionDelayMax: 5_000", "reconnectionDelayMax: 10_000"),
  mutation("9: Randomisation 0.5", "randomizationFactor: 0.5", "randomizationFactor: 0"),
  mutation("9: Connection timeout 20 s", "timeout: 20_000", "timeout: 10_000"),
  mutation(
    "7: Sends join_room {sending_user_id, recipient_user_id} for each friend",
    "friendIds.slice(at, at + AT_ONCE)",
    "friendIds.slice(at, at + 1)",
  ),
  mutation(
    "7: Sends send_message with its six fields",
    "        text,\n        reply_to,\n        timestamp,\n        read",
    "        text,\n        reply_to,\n        read",
  ),
  mutation(
    "7: Sends add_friend {current_user, new_friend_id, message_thread}",
    "newMessageThread(startingMessage(thread, me.id, friend.id), me)",
    "newMessageThread(startingMessage(thread, me.id, friend.id), friend)",
  ),
  mutation(
    "7: Receives received_add_new_friend: adds the friend if not yet listed and joins the room",
    "if (store.get().friends.has(friend.id)) return;",
    "",
  ),
];

const TIME = [
  mutation("4: A timer checks every 60 seconds", "REFRESH_MS = 60_000", "REFRESH_MS = 1_000"),
  mutation("9: Time stamp refresh: every 60000 ms", "REFRESH_MS = 60_000", "REFRESH_MS = 7_000"),
  mutation(
    "2 Message pane: Day headings follow midnight",
    "    notify();\n    if (Date.now() >= end)",
    "    if (Date.now() >= end)",
  ),
  mutation("4: Then the timer stops", "if (Date.now() >= end) leave();", ""),
  mutation("4: Then the timer stops", ", Date.parse(timestamp) + RELATIVE_TIME_LIMIT_MS);", ");"),
  mutation("4: Under an hour: 'x minutes ago'", "`${minutes} minutes ago`", "`${minutes} min ago`"),
  mutation(
    "4: Over an hour: the clock time HH:mm",
    "if (age >= RELATIVE_TIME_LIMIT_MS)",
    "if (age > RELATIVE_TIME_LIMIT_MS)",
  ),
  mutation(
    "9: Relative-time threshold: 1 hour",
    "RELATIVE_TIME_LIMIT_MS = HOUR_MS",
    "RELATIVE_TIME_LIMIT_MS = 2 * HOUR_MS",
  ),
  mutation(
    "9: Relative-time label 'now'",
    'if (age < MINUTE_MS) return "now"',
    'if (age < MINUTE_MS) return "just now"',
  ),
  mutation("9: Relative-time label 'Nmin'", "MINUTE_MS)}min`", "MINUTE_MS)} min`"),
  mutation("9: Relative-time label 'Nh'", "HOUR_MS)}h`", "HOUR_MS)} h`"),
  mutation("9: Relative-time label 'a day'", 'return days === 1 ? "a day"', 'return days === 1 ? "1 day"'),
  mutation("9: Relative-time label 'N days'", "days < WEEK_DAYS", "days < WEEK_DAYS - 1"),
  mutation("9: Relative-time label 'a week'", '"a week"', '"1 week"'),
  mutation("9: Relative-time label 'N weeks'", "`${weeks} weeks`", "`${weeks} week`"),
  mutation("9: Relative-time label 'N months'", "days / MONTH_DAYS)} months`", "days / 31)} months`"),
  mutation("9: Relative-time label 'a year'", '"a year"', '"1 year"'),
  mutation("2 Message pane: Day heading 'Today'", 'if (daysAgo === 0) return "Today";', ""),
  mutation("2 Message pane: Day heading 'Yesterday'", "if (daysAgo === 1)", "if (daysAgo === 2)"),
  mutation(
    "2 Message pane: A date formatted like 'Mon Jan 5, 2024'",
    "${date.getDate()}, ${date.getFullYear()}",
    "${date.getDate()} ${date.getFullYear()}",
  ),
  mutation(
    "2 Message pane: The message list is grouped by day",
    "dayOf(previous) !== dayOf(message)",
    "dayOf(previous) === dayOf(message)",
  ),
];

const TEXTS = [
  mutation(
    "2 Sidebar: Each entry has the first 9 words of the last message",
    "PREVIEW_MAX_WORDS = 9",
    "PREVIEW_MAX_WORDS = 8",
  ),
  mutation("9: Last-message preview: cut at 9 words", "PREVIEW_MAX_WORDS = 9", "PREVIEW_MAX_WORDS = 10"),
  mutation("2 Sidebar: The preview is followed by '...' when cut", "`${first}...`", "first"),
  mutation(
    "2 Search: 'Contacts': friends whose name contains the text",
    "toLocaleLowerCase().includes(searched)",
    "toLocaleLowerCase().startsWith(searched)",
  ),
  mutation(
    "5: Contact search matches names containing the text",
    "toLocaleLowerCase().includes(searched)",
    "toLocaleLowerCase().endsWith(searched)",
  ),
  mutation("2 Search: The match is in bold", "[shown.slice(from, to), true]", "[shown.slice(from, to), false]"),
  mutation("5: Excerpts show at most 13 words", "MAX_WORDS = 13", "MAX_WORDS = 14"),
  mutation("9: Excerpt window: 13 words", "MAX_WORDS = 13", "MAX_WORDS = 12"),
  mutation("5: Roughly 12 words before the match", "MAX_WORDS_BEFORE = 12", "MAX_WORDS_BEFORE = 11"),
  mutation("5: Roughly 5 words after the match", "MAX_WORDS_AFTER = 5", "MAX_WORDS_AFTER = 4"),
  mutation("5: An ellipsis at cut ends", 'const CUT = "..."', 'const CUT = ""'),
  mutation("5: Around the first matching word", ', "iu").exec(text)', ' + "$", "iu").exec(text)'),
  mutation("5: Matching is case-insensitive", ', "iu").exec(text)', ', "u").exec(text)'),
  mutation(
    "8: Add friend: the server's error as it is in the overlay",
    "return (error instanceof ApiError && error.serverMessage) || fallback;",
    "return fallback;",
  ),
  mutation(
    "8: Add-friend failure: 'Friend could not be added'",
    '"Friend could not be added"',
    '"The friend could not be added"',
  ),
  mutation(
    "8: Avatar save: network or parse failure in the picker's error line",
    'GENERIC_ERROR = "Something went wrong with your request"',
    'GENERIC_ERROR = "Something went wrong"',
  ),
];

const BEYOND = [
  mutation(
    "10 Notifications: None are shown while a tab of the user is visible",
    "if (page.isVisible() || !tabs.isElected()",
    "if (!tabs.isElected()",
  ),
  mutation(
    "10 Notifications: None are shown while a tab of the user is visible",
    "|| (await tabs.isAnyVisible())) return;",
    ") return;",
  ),
  mutation(
    "10 Privacy: A block looks like the end with a user who accepts no new friends",
    "!isKnown(pair, otherId) && isOpenTo(pair, other);",
    "!isKnown(pair, otherId);",
  ),
  mutation(
    "10 Privacy: A block is told to nobody",
    "if (socketsOf(io, userId).some(knows)) sockets",
    "if (knows) sockets",
  ),
  mutation(
    "10 Deletion: A deletion replaces texts that were under way",
    "if (replaced === 0 && !isFirst) return;",
    "if (replaced >= 0 || isFirst) return;",
  ),
  mutation("10 Notifications: A muted thread notifies nobody", " && !isMuted(store.get(), friendId);", ";"),
  mutation(
    "10 Notifications: A muted thread notifies nobody",
    "members.includes(sending_user_id) && !isMuted;",
    "members.includes(sending_user_id);",
  ),
  mutation(
    "10 Push: A notification contains the text only if the user allows it",
    "...(push.shows_text && { text: beginning })",
    "text: beginning",
  ),
  mutation(
    "10 Push: A subscription cannot lead to an internal address",
    "return addresses.every(isPublicAddress) ? addresses : [];",
    "return addresses;",
  ),
  mutation(
    "10 Push: An endpoint belongs to the session that registered it last",
    'await remove({ "push.endpoint": push.endpoint, public_id: { $ne: public_id } });',
    "",
  ),
  mutation(
    "10 Push: A subscription that the push service replaces is registered again",
    "newSubscription ?? (await self.registration.pushManager.subscribe(options))",
    "newSubscription",
  ),
  mutation(
    "10 Push: A push closes the notifications of threads that were read elsewhere",
    "newest !== undefined && (newest.read || newest.sending_user_id !== friend_id)",
    "false",
  ),
  mutation(
    "10 Offline: The app opens with the remembered user if the server does not respond",
    '{ status: "loggedIn", user: action.remembered, isUnconfirmed: true }',
    "ENDED",
  ),
  mutation(
    "10 Offline: A message that was written offline is sent after any interruption",
    "elapsedMs >= 0 && elapsedMs <= COUNTED_MAX_MS ? elapsedMs : 0",
    "elapsedMs",
  ),
  mutation(
    "10 Offline: A message can be deleted until the first attempt to send it",
    "export function tried({ is_untried, ...entry }: QueuedMessage): QueuedMessage {",
    "export function tried(entry: QueuedMessage): QueuedMessage {",
  ),
  mutation(
    "10 Offline: A log-out removes what the device stores of the user",
    "indexedDB.deleteDatabase(DEVICE_DATABASE);",
    "",
  ),
  mutation(
    "10 Changes: Users edit and delete their own messages only",
    'throw forbidden("You can only edit your own messages");',
    "return null;",
  ),
  mutation(
    "10 Changes: Users edit and delete their own messages only",
    'if (row.sending_user_id !== userId) throw forbidden("You can only delete your own messages");',
    "",
  ),
  mutation(
    "10 Changes: The second of two edits gets 409 and the message",
    "if (edit_count !== base) throw",
    "if (edit_count < base) throw",
  ),
  mutation(
    "10 Changes: A deletion leaves a tombstone and is final",
    "$unset: { edits: true, edited_at: true, edit_count: true, reactions: true }",
    "$unset: { edited_at: true, edit_count: true, reactions: true }",
  ),
  mutation("10 Changes: Change numbers are consecutive", "change: last + 1", "change: last + 2"),
  mutation(
    "10 Changes: Strangers, former friends and deleted accounts change nothing",
    "if (thread.is_closed) throw forbidden(ACCOUNT_DELETED);",
    "",
  ),
  mutation(
    "10 Changes: A search finds the present text, and no deleted one",
    'text: new RegExp(escapeRegExp(text), "i"),\n              deleted_at: { $exists: false },',
    'text: new RegExp(escapeRegExp(text), "i"),',
  ),
];

const BROWSER = [
  inBrowser(
    "1: Tagline 'The instant {product} that keeps you connected'",
    "<p className={css.tagline}>The instant",
    "<p className={css.tagline}>An instant",
  ),
  inBrowser("2: The spinner has 3 dots", "dots = 3,", "dots = 4,"),
  inBrowser("2: The spinner's animation takes 0.8 s", "animation: hop 0.8s", "animation: hop 1.2s"),
  inBrowser(
    "2 Avatar picker: The selected avatar has a dashed pink rounded border",
    "border: 3px dashed transparent",
    "border: 3px solid transparent",
  ),
  inBrowser("9: Avatar image height: 52 px", "--avatar-height: 52px", "--avatar-height: 48px"),
  inBrowser("9: Avatar image height: 66 px at desktop", "--avatar-height: 66px", "--avatar-height: 72px"),
  mutation("9: Search debounce: 300 ms", "SEARCH_DEBOUNCE_MS = 300", "SEARCH_DEBOUNCE_MS = 900"),
  inBrowser("9: Highlight of a found message: 3000 ms", "HIGHLIGHT_MS = 3000", "HIGHLIGHT_MS = 9000"),
  inBrowser(
    "7: Sends join_add_friend_room {current_user_id}",
    '"join_add_friend_room", { current_user_id: userId }',
    '"join_add_friend_room", { current_user_id: "nobody" }',
  ),
  inBrowser(
    "3: The password is sent only on register and login",
    "const user = await send(values, aborter.signal);",
    'sessionStorage.setItem("form", JSON.stringify(values));\n      const user = await send(values, aborter.signal);',
  ),
];

export const MUTATIONS: readonly Mutation[] = [
  ...SIGN_IN,
  ...USERS,
  ...MESSAGES,
  ...THREADS,
  ...SOCKET,
  ...TIME,
  ...TEXTS,
  ...BEYOND,
  ...BROWSER,
];
