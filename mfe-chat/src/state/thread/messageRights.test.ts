import { aThreadMessage } from "../../../testing/aThreadMessage.ts";
import { canDelete, canDeleteForBoth, isAnswerable, isEditable } from "./messageRights.ts";
import type { ThreadMessage } from "./shownMessages.ts";

const HOUR_MS = 3_600_000;
const sent = Date.parse(aThreadMessage(1).timestamp);
const own = (parts: Partial<ThreadMessage> = {}) => aThreadMessage(1, { isMine: true, sendState: "sent", ...parts });

describe("what the user can do with a message", () => {
  it("is to edit an own one for 24 hours and at most 10 times", () => {
    expect(isEditable(own(), sent + 24 * HOUR_MS - 1)).toBe(true);
    expect(isEditable(own(), sent + 24 * HOUR_MS)).toBe(false);
    expect(isEditable(own({ editCount: 9 }), sent)).toBe(true);
    expect(isEditable(own({ editCount: 10 }), sent)).toBe(false);
    expect(isEditable(aThreadMessage(1), sent)).toBe(false);
    expect(isEditable(own({ forwarded: 1 }), sent)).toBe(false);
  });

  it("is to edit an unsent one unless it was given up", () => {
    expect(isEditable(own({ seq: null, sendState: "sending" }), sent)).toBe(true);
    expect(isEditable(own({ seq: null, sendState: "not-sent" }), sent)).toBe(false);
  });

  it("is to reply to, react to and delete a stored one of either, and to delete an own one for both", () => {
    expect([isAnswerable(own()), isAnswerable(aThreadMessage(1)), isAnswerable(own({ seq: null }))]).toEqual([
      true,
      true,
      false,
    ]);
    const messages = [own(), aThreadMessage(1), own({ seq: null })];
    expect(messages.map(canDelete)).toEqual([true, true, false]);
    expect(messages.map(canDeleteForBoth)).toEqual([true, false, false]);
    expect(canDelete(own({ seq: null, isDeletable: true }))).toBe(true);
  });

  it("is only to delete it for themselves if the message is deleted", () => {
    const deleted = own({ isDeleted: true });
    expect([isEditable(deleted, sent), isAnswerable(deleted), canDeleteForBoth(deleted)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(canDelete(deleted)).toBe(true);
  });
});
