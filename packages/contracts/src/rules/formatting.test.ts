import { type Inline, mayBeFormatted, parseFormatting, plainText } from "./formatting.ts";

const TAGS = { bold: "b", italic: "i", strike: "s" };
const html = (nodes: readonly Inline[]): string =>
  nodes
    .map((node) => {
      if (typeof node === "string") return node;
      if (node.kind === "code") return `<code>${node.text}</code>`;
      return `<${TAGS[node.kind]}>${html(node.content)}</${TAGS[node.kind]}>`;
    })
    .join("");

/** Returns the formatting of a text in a short form: tags for marks, one line per block. */
const shown = (text: string) =>
  parseFormatting(text).map((block) => {
    if (block.kind === "code") return `pre(${block.text})`;
    if (block.kind === "list") return block.items.map(({ number, content }) => `${number ?? "•"} ${html(content)}`);
    return block.kind === "quote" ? `quote(${html(block.content)})` : html(block.content);
  });
const line = (text: string) => shown(text).join("\n");

describe("marks", () => {
  it.each([
    ["*bold* _italic_ ~strike~ `code`", "<b>bold</b> <i>italic</i> <s>strike</s> <code>code</code>"],
    ['(*a*), "_b_"; ~c~!', '(<b>a</b>), "<i>b</i>"; <s>c</s>!'],
    ["*two words*", "<b>two words</b>"],
    ["*_~all~_*", "<b><i><s>all</s></i></b>"],
    ["*a _b_ c*", "<b>a <i>b</i> c</b>"],
    ["_*bold* at the start_", "<i><b>bold</b> at the start</i>"],
    ["*überall* _मित्र_", "<b>überall</b> <i>मित्र</i>"],
    ["`*a* _b_`", "<code>*a* _b_</code>"],
    ["*`a*b` c*", "<b><code>a*b</code> c</b>"],
    ["*a*\n_b_", "<b>a</b>\n<i>b</i>"],
  ])("format %j", (text, expected) => expect(line(text)).toBe(expected));

  it.each([
    ["inside words", "snake_case_name 2*3*4 a~b~c it`s don`t"],
    ["before white space", "5 * 3 * 2, _ a_"],
    ["after white space", "*a *, ~b ~"],
    ["that nothing closes", "*bold, _italic, ~strike, `code"],
    ["across lines", "*a\nb* `c\nd`"],
    ["that are doubled", "**a** __b__ ~~c~~ ``d``"],
    ["around nothing", "** __ ~~ `` _*_x"],
    ["in a combining word", "नमस्ते_a_ e\u0301*b*"],
  ])("are text %s", (_, text) => expect(line(text)).toBe(text));

  it("that overlap format up to the first end", () => {
    expect(line("*a _b* c_")).toBe("<b>a _b</b> c_");
  });

  it("in an address are part of it, and around it format it", () => {
    expect(line("https://a.example/_b_/*c* and b.example/~d~/e")).toBe("https://a.example/_b_/*c* and b.example/~d~/e");
    expect(line("*https://a.example/_b_/c*, _see_")).toBe("<b>https://a.example/_b_/c</b>, <i>see</i>");
  });
});

it("keeps a text in one part if its marks are text", () => {
  expect(parseFormatting("see a.example?b=_c and *d\n_e")).toEqual([
    { kind: "text", content: ["see a.example?b=_c and *d\n_e"] },
  ]);
});

describe("blocks", () => {
  it("are quotes, lists and text", () => {
    expect(shown("Hi\n> one *two*\n> three\n- a\n* _b_\n1. c\n12. d\nEnd")).toEqual([
      "Hi",
      "quote(one <b>two</b>\nthree)",
      ["• a", "• <i>b</i>"],
      ["1 c", "12 d"],
      "End",
    ]);
  });

  it.each([">a", "> ", "-a", "*a", "1.a", "1234. a", " - a", "a\n>b"])("are text in %j", (text) => {
    expect(shown(text)).toEqual([text]);
  });

  it("of code keep everything inside, over several lines", () => {
    expect(shown("See\n```\n*a* > b\n  - c\n```\nor ```d``` *e*")).toEqual([
      "See",
      "pre(*a* > b\n  - c)",
      "or ",
      "pre(d)",
      " <b>e</b>",
    ]);
  });

  it.each(["``` *a", "a ``````", "``` ```", "```\n\n```"])("of no code are text: %j", (text) => {
    expect(plainText(text)).toBe(text);
    expect(shown(text)).toHaveLength(1);
  });
});

describe("plain text", () => {
  it.each([
    ["*a* _b_ ~c~ `d`", "a b c d"],
    ["> *a*\n- b\n* c\n2. d\n```\ne\n```", "a\n• b\n• c\n2. d\ne"],
    ["snake_case 5 * 3", "snake_case 5 * 3"],
    ["Hello", "Hello"],
  ])("of %j is %j", (text, expected) => expect(plainText(text)).toBe(expected));
});

it.each([
  ["Hello! See you at 9:30 - or 10.", false],
  ["a\n> b", true],
  ["*a*", true],
  ["1. a", true],
])("tells cheaply whether %j may be formatted", (text, expected) => expect(mayBeFormatted(text)).toBe(expected));

describe("formatting of hostile texts", () => {
  const UNITS = {
    "opened marks": "*a ",
    "all opened marks": "*a _b ~c `d ",
    "marks only": "*_~",
    "the same mark": "*",
    "code marks": "`a ",
    fences: "```",
    "fences of code": "```a",
    quotes: "> a\n> ",
    lists: "- *a\n",
    "short pairs": "*a* ",
    nesting: "*_~a~_* ",
    overlaps: "*a _b ~c* d_ e~ ",
    "words of dots": "a.",
    addresses: "https://*",
    slashes: "./_",
    spaces: "  ",
    lines: "\n",
  };
  const COUNTED: readonly (readonly [object, string])[] = [
    [RegExp.prototype, "exec"],
    [String.prototype, "indexOf"],
    [Array.prototype, "push"],
  ];

  /** Returns how many characters were tested and how many parts were moved. */
  function steps(text: string): number {
    let count = 0;
    const spied = COUNTED.map(([owner, name]) => {
      const methods = owner as Record<string, (...values: unknown[]) => unknown>;
      const original = methods[name] as (...values: unknown[]) => unknown;
      methods[name] = function counted(this: unknown, ...values: unknown[]) {
        count += values.length;
        return original.apply(this, values);
      };
      return { methods, name, original };
    });
    try {
      parseFormatting(text);
    } finally {
      for (const { methods, name, original } of spied) methods[name] = original;
    }
    return count;
  }

  it.each(Object.entries(UNITS))("takes steps in proportion to the length: %s", (_, unit) => {
    const long = `_${unit.repeat(8_000 / unit.length)}`;
    // Twice as long; what tries each pair of positions takes four times as many steps.
    expect(steps(long)).toBeLessThan(2.2 * steps(long.slice(0, 4_000)) + 50);
  });
});
