import { ApiError } from "@messageoh/contracts/client";
import { addFriendError } from "./addFriendError.ts";

test("the server's error is shown as it is", () => {
  expect(addFriendError(new ApiError(409, "That is you"))).toBe("That is you");
});

test.each([
  ["no answer", new ApiError(0)],
  ["an answer without a text", new ApiError(500)],
  ["anything else", new TypeError("bug")],
])("%s is 'Friend could not be added'", (_, error) => {
  expect(addFriendError(error)).toBe("Friend could not be added");
});
