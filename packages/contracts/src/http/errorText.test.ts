import { FRIEND_NOT_ADDED } from "../rules/errorTexts.ts";
import { ApiError } from "./client.ts";
import { errorText } from "./errorText.ts";

describe("errorText", () => {
  it("returns the server's text as it is", () => {
    expect(errorText(new ApiError(400, "Please choose one of the avatars"))).toBe("Please choose one of the avatars");
    expect(errorText(new ApiError(409, "That is you"), FRIEND_NOT_ADDED)).toBe("That is you");
  });

  it("returns 'Something went wrong with your request' for a call without a readable response", () => {
    expect(errorText(new ApiError(0))).toBe("Something went wrong with your request");
  });

  it.each([
    ["no response", new ApiError(0)],
    ["a response without a text", new ApiError(500)],
    ["anything else", new TypeError("bug")],
  ])("returns the screen's own text, 'Friend could not be added', for %s", (_, error) => {
    expect(errorText(error, FRIEND_NOT_ADDED)).toBe("Friend could not be added");
  });
});
