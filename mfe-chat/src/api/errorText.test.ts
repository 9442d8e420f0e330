import { ApiError } from "@messageoh/contracts/client";
import { errorText } from "./errorText.ts";

test("the server's error is shown as it is", () => {
  expect(errorText(new ApiError(400, "Please choose one of the avatars"))).toBe("Please choose one of the avatars");
});

test("a call without a readable answer is 'Something went wrong with your request'", () => {
  expect(errorText(new ApiError(0))).toBe("Something went wrong with your request");
});
