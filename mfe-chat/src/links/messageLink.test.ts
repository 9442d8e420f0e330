import { linkedMessage, messageLink } from "./messageLink.ts";

it("names a thread and a number, which its address gives back", () => {
  const link = new URL(messageLink({ thread_id: "a b&c", seq: 41 }, "https://chat.example"));
  expect([link.origin, link.pathname, link.search]).toEqual(["https://chat.example", "/home", ""]);
  expect(linkedMessage(link.hash)).toEqual({ thread_id: "a b&c", seq: 41 });
});

it.each(["", "#", "#thread=t", "#message=3", "#thread=t&message=0", "#thread=t&message=1.5", "#thread=t&message=x"])(
  "finds no message in %j",
  (hash) => {
    expect(linkedMessage(hash)).toBeNull();
  },
);
