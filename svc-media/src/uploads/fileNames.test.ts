import { cleanName } from "./fileNames.ts";

it.each([
  ["beach.jpg", "beach.jpg"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\ann\\notes.txt", "notes.txt"],
  ["invoice\u202Egpj.exe", "invoicegpj.exe"],
  ["a\u0000b\u001f\u200b.txt", "ab.txt"],
  ["line\nbreak\u2028.txt", "linebreak.txt"],
  ["a\r\nSet-Cookie: a=b.txt", "aSet-Cookie: a=b.txt"],
  ["a\u2066b.txt", "ab.txt"],
  ["%2e%2e%2f", "%2e%2e%2f"],
  ["\ud800.txt", ".txt"],
  ["  two   words .txt ", "two words .txt"],
  ["", "file"],
  [" ", "file"],
  ["...", "file"],
  ["\u202e", "file"],
  ["folder/", "file"],
  ["Grüße 👩‍👩‍👧.png", "Grüße 👩👩👧.png"],
  // As macOS writes it; a search for the letter as it is typed would not find it.
  ["re\u0301sume\u0301.pdf", "r\u00e9sum\u00e9.pdf"],
  [`${"x".repeat(500)}.pdf`, `${"x".repeat(196)}.pdf`],
  [`${"🦊".repeat(300)}.pdf`, `${"🦊".repeat(196)}.pdf`],
  ["y".repeat(500), "y".repeat(200)],
])("shows the name %j as %j", (given, shown) => {
  expect(cleanName(given)).toBe(shown);
});
