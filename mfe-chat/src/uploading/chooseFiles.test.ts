import type { ChosenFile } from "../outbox/chosenFile.ts";
import { chooseFiles, type Tray } from "./chooseFiles.ts";
import type { Prepared } from "./prepare.ts";
import { refusalOf } from "./refusals.ts";

const file = (name: string, size: number) => ({ name, size });
const bytes = (count: number) => ({ bytes: count });

describe("the rules of chosen files", () => {
  it("allows ten files of 100 MB", () => {
    const ten = Array.from({ length: 10 }, () => file("a", 100_000_000));
    expect(refusalOf(ten, [], [])).toBeNull();
    expect(
      refusalOf(
        [file("b", 1)],
        Array.from({ length: 10 }, () => bytes(1)),
        [],
      ),
    ).toBe("A message has at most 10 files. Send the others in another message.");
  });

  it.each([
    [file("film.mkv", 100_000_001), "“\u2068film.mkv\u2069” is larger than 100 MB, so it cannot be sent."],
    [file("none.txt", 0), "“\u2068none.txt\u2069” is empty, so it cannot be sent."],
    [file("\u202etxt.exe", 0), "“\u2068txt.exe\u2069” is empty, so it cannot be sent."],
  ])("refuses %j", (added, refusal) => {
    expect(refusalOf([file("a", 1), added], [], [])).toBe(refusal);
  });

  it("bounds the bytes that this browser stores", () => {
    expect(refusalOf([file("a", 1)], [bytes(400_000_000)], [bytes(600_000_000)])).toBe(
      "At most 1000 MB can wait to be sent. Wait until some files are sent, or remove some.",
    );
  });
});

describe("a tray", () => {
  function aTray() {
    let files: readonly ChosenFile[] = [];
    const notes: string[] = [];
    const tray: Tray = {
      get: () => files,
      set: (changed) => {
        files = changed;
      },
      waiting: [],
      note: (text) => void notes.push(text),
    };
    return { tray, notes, shown: () => files.map(({ name, preparing }) => (preparing ? `${name}...` : name)) };
  }
  const ready = async (tray: Tray) => Promise.all(tray.get().map(({ preparing }) => preparing));

  it("shows files at once, and what is sent instead when it is ready", async () => {
    const { tray, shown } = aTray();
    const small: Prepared = { content: new Blob(["small"]), bytes: 5, name: "a.webp", width: 4, height: 3 };
    chooseFiles(tray, [new File(["large picture"], "a.jpg")], async () => small);
    expect(shown()).toEqual(["a.jpg..."]);
    await ready(tray);
    expect(tray.get()).toMatchObject([{ name: "a.webp", bytes: 5, width: 4, content: small.content, preparing: null }]);
  });

  it("sends a picture as it is if it cannot be made smaller", async () => {
    const warn = jest.spyOn(console, "warn").mockReturnValue();
    const { tray, shown } = aTray();
    chooseFiles(tray, [new File(["picture"], "a.jpg")], () => Promise.reject(new Error("No canvas")));
    await ready(tray);
    expect([shown(), tray.get()[0]?.bytes]).toEqual([["a.jpg"], 7]);
    warn.mockRestore();
  });

  it("leaves files that were sent meanwhile to their message", async () => {
    const warn = jest.spyOn(console, "warn").mockReturnValue();
    const { tray, notes, shown } = aTray();
    const folder = new File(["x"], "photos");
    folder.slice = () => ({ arrayBuffer: () => Promise.reject(new Error("A folder")) }) as unknown as Blob;
    chooseFiles(tray, [folder, new File(["text"], "a.txt")], async () => ({}));
    const prepared = ready(tray);
    tray.set([]);
    await prepared;
    expect([shown(), notes]).toEqual([[], []]);
    warn.mockRestore();
  });

  it("adds none of several files if one is refused", () => {
    const { tray, notes, shown } = aTray();
    chooseFiles(tray, [new File(["text"], "a.txt"), new File([], "b.txt")]);
    expect(shown()).toEqual([]);
    expect(notes).toEqual(["“\u2068b.txt\u2069” is empty, so it cannot be sent."]);
  });

  it("drops what cannot be read, such as a folder, and keeps the others", async () => {
    const warn = jest.spyOn(console, "warn").mockReturnValue();
    const { tray, notes, shown } = aTray();
    const folder = new File(["x"], "photos");
    folder.slice = () => ({ arrayBuffer: () => Promise.reject(new Error("A folder")) }) as unknown as Blob;
    chooseFiles(tray, [folder, new File(["text"], "a.txt")], async () => ({}));
    await ready(tray);
    await Promise.resolve();
    expect(shown()).toEqual(["a.txt"]);
    expect(notes).toEqual(["“\u2068photos\u2069” cannot be read, so it cannot be sent."]);
    warn.mockRestore();
  });
});
