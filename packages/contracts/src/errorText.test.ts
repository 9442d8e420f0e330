import { ApiError } from "./client.ts";
import { errorText, loadErrorText } from "./errorText.ts";
import { FRIEND_NOT_ADDED, GENERIC_ERROR } from "./errorTexts.ts";

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

describe("loadErrorText", () => {
  it("returns how long to wait after too many requests, and the generic text otherwise", () => {
    expect(loadErrorText(new ApiError(429, "Too fast, try again in 3 seconds"))).toBe(
      "Too fast, try again in 3 seconds",
    );
    expect(loadErrorText(new ApiError(429))).toBe(GENERIC_ERROR);
    expect(loadErrorText(new ApiError(500, "internals"))).toBe(GENERIC_ERROR);
    expect(loadErrorText(new Error("network"))).toBe(GENERIC_ERROR);
  });
});
