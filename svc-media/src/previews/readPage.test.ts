import { readPage } from "./readPage.ts";

const read = (html: string | Buffer, type = "text/html; charset=utf-8") => readPage(Buffer.from(html), type);
const titleOf = (html: string | Buffer, type?: string) => read(html, type)?.title;

it("prefers what a page says for previews, and takes its title otherwise", () => {
  const meta = '<meta property="og:title" content="For &amp; previews"><meta content="/a.jpg" property="og:image">';
  expect(read(`<head><title>Title</title>${meta}</head>`)).toEqual({ title: "For & previews", picture: "/a.jpg" });
  expect(read("<title>Only a &lt;title&gt;</title>")).toEqual({ title: "Only a <title>" });
  expect(read('<meta name="twitter:title" content="T"><meta name="twitter:image" content="b.png">')).toEqual({
    ...{ title: "T", picture: "b.png" },
  });
  expect(titleOf('<meta property="og:title" content=" "><title>T</title>')).toBe("T");
});

it.each([
  ["has no title", "<p>text"],
  ["has an empty title", "<title> \n </title>"],
  ["names a title in its body only", "<body><title>Body</title>"],
  ["names a title after its head", "<head></head><title>Later</title>"],
  ["is empty", ""],
])("returns nothing of a page that %s", (_, html) => {
  expect(read(html)).toBeNull();
});

it("returns one line of at most 200 characters without characters that deceive", () => {
  expect(titleOf("<title>\n One\n\ttwo \u202Ethree\u0000 </title>")).toBe("One two three");
  const long = titleOf(`<title>${"🦊".repeat(1_000)}</title>`) ?? "";
  expect([Array.from(long).length, long.endsWith("🦊…")]).toEqual([200, true]);
});

describe("the character set", () => {
  const latin = Buffer.from('<meta charset="windows-1252"><title>Caf\xe9</title>', "latin1");

  it("is what the header names, then what the page names, then UTF-8", () => {
    expect(titleOf(Buffer.from("<title>Caf\xe9</title>", "latin1"), "text/html; charset=ISO-8859-1")).toBe("Café");
    expect(titleOf(latin, "text/html")).toBe("Café");
    expect(titleOf(latin, "text/html; charset=utf-8")).toBe("Caf\uFFFD");
    expect(titleOf("<title>Café</title>", "text/html")).toBe("Café");
  });

  it("may be in an older form, quoted, or unknown", () => {
    const old = '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><title>\xf0</title>';
    expect(titleOf(Buffer.from(old, "latin1"), "text/html")).toBe("П");
    expect(titleOf(Buffer.from("<title>\xa4\xe9</title>", "latin1"), 'text/html; charset="Shift_JIS"')).toBe("､�");
    expect(titleOf("<title>Café</title>", "text/html; charset=no-such-set")).toBe("Café");
  });
});

it("stops at a depth that no page has, because the parser slows down with each level", () => {
  const deep = "<b>".repeat(400);
  expect(titleOf(`${deep}${" ".repeat(4_096)}<title>Deep</title>`)).toBeUndefined();
  expect(titleOf(`${"<meta><p>".repeat(400)}<title>Flat</title>`)).toBe("Flat");
});
