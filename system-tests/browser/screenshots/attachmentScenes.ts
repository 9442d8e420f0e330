import { type Attachment, textWithoutCaption } from "@messageoh/contracts/attachments";
import { aFile, aPicture, CORAL, type Colour, NIGHT, SUN, TEAL, type TestFile } from "../support/pictures.ts";
import { fetchTimed } from "./stage.ts";
import { click, fail, offers, openAlbus, respond, type Scene, type Step, shows, THREAD_MESSAGES } from "./steps.ts";
import { NOW } from "./world.ts";

type Sight = [width: number, height: number, colours: readonly [Colour, Colour]];

const SIGHTS: Record<string, Sight> = {
  lake: [1600, 1000, [CORAL, TEAL]],
  shore: [900, 1600, [SUN, NIGHT]],
  heron: [1200, 1200, [TEAL, SUN]],
  boat: [1600, 700, [NIGHT, CORAL]],
  morning: [800, 600, [SUN, CORAL]],
  bakery: [600, 800, [CORAL, NIGHT]],
};

const photo = (name: string): Attachment => {
  const [width, height] = SIGHTS[name] ?? [1, 1];
  const thumbhash = "1QcSHQRnh493V4dIh4eXh1h4kJUI";
  const size = { width, height, bytes: 240_000 };
  return { id: name, kind: "picture", name: `${name}.webp`, type: "image/webp", thumbhash, ...size };
};
const other = (kind: Attachment["kind"], name: string, type: string, bytes: number): Attachment =>
  Object.assign({ id: `file-${bytes}` }, { kind, name, bytes, type });
const photos = (...names: string[]): Attachment[] => names.map(photo);
const sight = (name: string, scale = 1): TestFile => {
  const [width, height, colours] = SIGHTS[name] ?? [1, 1, [CORAL, TEAL]];
  return aPicture(`${name}.png`, width * scale, height * scale, colours);
};

const PDF = other("file", "North shore, paths and parking.pdf", "application/pdf", 1_840_000);
const LONG = other("file", `${"minutes of the rowing club ".repeat(5)}2026.docx`, "application/msword", 48_200);
const RTL_NAME = "\u05ea\u05de\u05d5\u05e0\u05d5\u05ea \u05de\u05d4\u05d0\u05d2\u05dd.zip";
const RTL = other("file", RTL_NAME, "application/zip", 7_300_000);
const SONG = other("audio", "rowing song.mp3", "audio/mpeg", 3_100_000);
const FILM = other("video", "heron takes off.mp4", "video/mp4", 18_400_000);
const voice = (seconds: number): Attachment => {
  const levels = Array.from({ length: 64 }, (_, bar) => 20 + Math.round(110 * (1 + Math.sin(bar / 3) * Math.cos(bar))));
  const wave = Buffer.from(levels).toString("base64");
  return { ...other("audio", `Voice message ${seconds}.webm`, "audio/webm", 40_000 + seconds), seconds, wave };
};
const PORTRAIT = { ...FILM, id: "portrait", width: 1080, height: 1920, seconds: 14 };
const OLD_FILM = other("video", "harbour 1998.mov", "video/x-msvideo", 9_400_000);

interface WithFiles {
  attachments: readonly Attachment[];
  /** Without a caption, the message is named after its files. */
  caption?: string;
}

/** Gives the newest messages of the thread files, the last one first, and serves their pictures. */
const withFiles =
  (...newest: WithFiles[]): Step =>
  async ({ page, world }) => {
    await page.route(THREAD_MESSAGES, async (route) => {
      // The panel of the thread asks for messages with files, which the server does not have.
      const url = route.request().url();
      const listed = url.replace(/&?attached=true/, "");
      const { response, json: messages } = await fetchTimed<{ text: string }[]>(route, world, listed);
      const changed = messages.map((message, index) => {
        const age = messages.length - 1 - index;
        const { attachments, caption } = newest[age] ?? {};
        if (!attachments) return message;
        const timestamp = new Date(NOW.getTime() - (3 + 4 * age) * 60_000).toISOString();
        const text = caption ?? textWithoutCaption(attachments);
        // A change is newer than what the list of threads contains.
        return { ...message, attachments, text, timestamp, change: newest.length - age };
      });
      const json = url.includes("attached=true") ? changed.filter((message) => "attachments" in message) : changed;
      await route.fulfill({ response, json });
    });
    await page.route(/\/messageoh\/media\/\w+\/(?:thumb|view)$/, async (route) => {
      const name = new URL(route.request().url()).pathname.split("/").at(-2) ?? "";
      if (!SIGHTS[name]) return route.fulfill({ status: 404 });
      const { buffer } = sight(name, 0.5);
      await route.fulfill({ body: buffer, contentType: "image/png" });
    });
  };

const attach =
  (...files: TestFile[]): Step =>
  ({ page }) =>
    page.locator("input[type=file]").setInputFiles(files);
/** Waits until all pictures in view are drawn. */
const drawn: Step = async ({ person, page }) => {
  await person.log
    .getByRole("button", { name: /^Photo/ })
    .first()
    .waitFor();
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[data-tile] img")].every((image) => (image as HTMLImageElement).naturalWidth > 0),
  );
};

const GRIDS = withFiles(
  { attachments: photos("boat") },
  { attachments: photos("lake", "shore", "heron", "boat", "morning", "bakery"), caption: "All of them" },
  { attachments: photos("heron", "shore", "morning") },
  {
    attachments: photos("lake", "bakery"),
    caption: "Before and after the storm. The second one is from the bakery's terrace.",
  },
  { attachments: photos("shore") },
);

/** Opens a tab of the panel of the thread. */
const openShared =
  (tab: string): Step =>
  async (stage) => {
    await click("Menu of the thread with Albus")(stage);
    await click("Media, files and links", "menuitem")(stage);
    await click(tab, "tab")(stage);
    await stage.page.waitForTimeout(500);
  };

/** Scenes of pictures and files. */
export const ATTACHMENT_SCENES: Record<string, Scene> = {
  "attachments-tray": [
    openAlbus,
    attach(sight("lake", 0.2), sight("shore", 0.2), { ...aFile("North shore, paths and parking.pdf", 184_000) }),
    offers("Remove North shore, paths and parking.pdf"),
    ({ page }) =>
      page
        .getByText(/^Preparing/)
        .first()
        .waitFor({ state: "detached" }),
    ({ person }) => person.composer.fill("From this morning"),
  ],
  "attachments-refused": [openAlbus, attach(aFile("empty notes.txt", 0)), shows(/is empty, so it cannot be sent/)],
  "attachments-drop": [
    openAlbus,
    ({ person }) =>
      person.composer.evaluate((field) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["text"], "letter.txt"));
        field.dispatchEvent(new DragEvent("dragenter", { dataTransfer, bubbles: true }));
      }),
    shows("Drop files to send them to"),
  ],
  "attachments-uploading": [
    ({ page }) =>
      page.route("**/messageoh/media/uploads/**", (route) =>
        route.request().method() === "PATCH" ? new Promise(() => {}) : route.fallback(),
      ),
    openAlbus,
    attach(sight("lake", 0.2), sight("heron", 0.2)),
    ({ person }) => person.send("From this morning"),
    attach(aFile("North shore, paths and parking.pdf", 184_000)),
    offers("Remove North shore, paths and parking.pdf"),
    ({ person }) => person.composer.press("Enter"),
    ({ page }) => page.getByText("Waiting").waitFor(),
  ],
  "attachments-not-sent": [
    respond("**/messageoh/media/uploads", { error: "The server has no space for further files" }, 507),
    openAlbus,
    attach(sight("heron", 0.2)),
    ({ person }) => person.send("From this morning"),
    shows(/^Not sent: The server has no space/),
  ],
  "attachments-pictures": [GRIDS, openAlbus, drawn],
  "attachments-pictures-above": [
    GRIDS,
    openAlbus,
    drawn,
    ({ person }) => person.log.evaluate((log) => log.scrollBy(0, -620)),
    ({ page }) => page.waitForTimeout(500),
    drawn,
  ],
  "attachments-pictures-failed": [
    GRIDS,
    fail(/\/messageoh\/media\/\w+\/(?:thumb|view)$/),
    openAlbus,
    offers(/could not be loaded/),
    ({ page }) => page.waitForTimeout(500),
  ],
  "attachments-files": [
    withFiles({ attachments: [PDF] }, { attachments: [LONG, RTL], caption: "For the club" }),
    openAlbus,
    offers(/^Download/, "link"),
  ],
  "attachments-players": [
    withFiles({ attachments: [SONG] }, { attachments: [FILM], caption: "It saw us." }),
    openAlbus,
    offers(/^Download/, "link"),
  ],
  "attachments-voice": [
    withFiles({ attachments: [voice(12)] }, { attachments: [voice(483)], caption: "What the harbour master said" }),
    openAlbus,
    offers(/^Play voice message/),
  ],
  "attachments-voice-recording": [
    openAlbus,
    click("Record a voice message"),
    ({ page }) => page.getByRole("timer").getByText("0:04").waitFor(),
  ],
  "attachments-voice-discard": [
    openAlbus,
    click("Record a voice message"),
    ({ page }) => page.getByRole("timer").getByText("0:02").waitFor(),
    click("Cancel"),
    offers("Discard"),
  ],
  "attachments-videos": [
    withFiles({ attachments: [PORTRAIT] }, { attachments: [OLD_FILM] }),
    openAlbus,
    offers(/^Download/, "link"),
  ],
  "attachments-shared-media": [GRIDS, openAlbus, drawn, openShared("Media")],
  "attachments-shared-files": [
    withFiles({ attachments: [PDF, voice(12)] }, { attachments: [LONG, RTL] }),
    openAlbus,
    openShared("Files"),
  ],
  "attachments-shared-links": [openAlbus, openShared("Links")],
  "attachments-shared-none": [withFiles(), openAlbus, openShared("Media"), shows("No photos or videos here yet.")],
  "attachments-viewer": [
    GRIDS,
    openAlbus,
    drawn,
    click("Photo 1 of 6 from you: lake.webp"),
    ({ page }) => page.getByRole("dialog").getByRole("img").waitFor(),
    ({ page }) => page.waitForTimeout(300),
  ],
  "attachments-viewer-failed": [
    GRIDS,
    openAlbus,
    drawn,
    fail(/\/messageoh\/media\/\w+\/view$/),
    click("Photo 1 of 6 from you: lake.webp"),
    offers("Retry"),
  ],
};
