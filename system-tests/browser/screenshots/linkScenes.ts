import type { LinkPreview } from "@messageoh/contracts/linkPreviews";
import { aPicture, CORAL, TEAL } from "../support/pictures.ts";
import { change, offers, openAlbus, respond, type Scene, type Step, shows, THREAD_MESSAGES } from "./steps.ts";
import { NOW } from "./world.ts";

const HERONS: LinkPreview = {
  ...{ id: "herons", url: "https://herons.example/north-shore", site: "herons.example" },
  ...{ title: "Herons of the north shore: where to see them in May", picture: { width: 1200, height: 630 } },
};
const PLAIN: LinkPreview = { id: "plain", url: "https://ferry.example", title: "Ferry times", site: "ferry.example" };
const LONG: LinkPreview = {
  ...{ id: "long", url: "https://archive.regional-museum.example/a", site: "archive.regional-museum.example" },
  title: `Minutes of the ${"rowing club and ".repeat(11)}of its friends`,
};
const RTL: LinkPreview = {
  ...{ id: "rtl", url: "https://lake.example/he", site: "lake.example", picture: { width: 600, height: 600 } },
  title: "\u05ea\u05de\u05d5\u05e0\u05d5\u05ea \u05de\u05d4\u05d0\u05d2\u05dd",
};

/** Serves the pictures of pages. */
const pictures: Step = ({ page }) =>
  page.route(/\/messageoh\/media\/\w+\/thumb$/, (route) =>
    route.fulfill({ body: aPicture("heron.png", 320, 168, [TEAL, CORAL]).buffer, contentType: "image/png" }),
  );

/** Gives the newest messages of the thread texts with link previews, the last one first. */
const withPreviews =
  (...newest: { text: string; preview: LinkPreview }[]): Step =>
  async (stage) => {
    await pictures(stage);
    await change<object[]>(THREAD_MESSAGES, (messages) =>
      messages.map((message, index) => {
        const age = messages.length - 1 - index;
        const timestamp = new Date(NOW.getTime() - (3 + 4 * age) * 60_000).toISOString();
        // A change is newer than what the list of threads contains.
        return newest[age] ? { ...message, ...newest[age], timestamp, change: newest.length - age } : message;
      }),
    )(stage);
  };
const drawn: Step = async ({ page }) => {
  await page.waitForFunction(() =>
    [...document.querySelectorAll("img[src*=thumb]")].every((image) => (image as HTMLImageElement).naturalWidth > 0),
  );
};

/** Opens the thread with link previews turned on. */
const openAlbusWithPreviews: Step = (stage) =>
  stage.enterThread("Albus", { [`messageoh:link-previews:${stage.world.me.id}`]: "on" });

/** Scenes of link previews. */
export const LINK_SCENES: Record<string, Scene> = {
  "link-previews": [
    withPreviews(
      { text: "https://ferry.example", preview: PLAIN },
      { text: "This is the page that I meant: https://herons.example/north-shore", preview: HERONS },
      { text: "\u05ea\u05e8\u05d0\u05d5 https://lake.example/he", preview: RTL },
      { text: "https://archive.regional-museum.example/a", preview: LONG },
    ),
    openAlbus,
    shows("Ferry times"),
    drawn,
  ],
  "link-previews-composer": [
    pictures,
    respond("**/messageoh/media/previews", { preview: HERONS }),
    openAlbusWithPreviews,
    ({ person }) => person.composer.fill("This is the page that I meant: https://herons.example/north-shore"),
    offers("Remove link preview"),
    drawn,
  ],
};
