import { setDesktop } from "@messageoh/ui-kit/testing/layout";
import { screen, waitFor, within } from "@testing-library/react";
import { aMessage, anAttachment } from "../../testing/builders.ts";
import { renderChat } from "../../testing/renderChat.tsx";
import { someData, startChatServer } from "../../testing/server.ts";

const PHOTO = /^Photo from Bob.*: a\.webp$/;

function dataWithPhoto() {
  const data = someData();
  const photo = anAttachment({ id: "a", kind: "picture", name: "a.webp", type: "image/webp", width: 8, height: 6 });
  data.messages.push(aMessage({ seq: 4, attachments: [photo] }));
  return data;
}

startChatServer(dataWithPhoto);
beforeEach(() => localStorage.clear());
afterEach(() => setDesktop(true));

async function opened() {
  const chat = renderChat({ path: "/home/bob" });
  const { user } = chat;
  const photo = await within(await screen.findByRole("log")).findByRole("button", { name: PHOTO });
  await waitFor(() => expect(document.title).toBe("Messageoh"));
  let last = 4;
  return {
    photo,
    click: (element: HTMLElement) => user.click(element),
    async openShared() {
      await user.click(screen.getByRole("button", { name: "Menu of the thread with Bob" }));
      await user.click(screen.getByRole("menuitem", { name: "Media, files and links" }));
      return within(await screen.findByRole("dialog", { name: "Media, files and links" }));
    },
    closePhoto: async () =>
      user.click(within(await screen.findByRole("dialog", { name: "a.webp" })).getByRole("button", { name: "Close" })),
    async receive() {
      last += 1;
      await chat.receive((handlers) => handlers.receive_message(aMessage({ seq: last })));
    },
  };
}

describe("a thread that is covered", () => {
  it("by a photo keeps messages unread until the photo is closed", async () => {
    const { click, photo, closePhoto, receive } = await opened();
    await click(photo);
    await screen.findByRole("dialog", { name: "a.webp" });
    await receive();
    expect(document.title).toBe("(1) Messageoh");
    await closePhoto();
    expect(document.title).toBe("Messageoh");
  });

  it("by what fills a phone keeps messages unread, also when a photo above it is closed", async () => {
    setDesktop(false);
    const { click, openShared, closePhoto, receive } = await opened();
    const shared = await openShared();
    await receive();
    expect(document.title).toBe("(1) Messageoh");
    await click(await shared.findByRole("button", { name: PHOTO }));
    await closePhoto();
    await receive();
    expect(document.title).toBe("(2) Messageoh");
    await click(shared.getByRole("button", { name: "Back" }));
    expect(document.title).toBe("Messageoh");
  });

  it("in part by a dialog has its messages read at once", async () => {
    const { openShared, receive } = await opened();
    await openShared();
    await receive();
    expect(document.title).toBe("Messageoh");
  });
});
