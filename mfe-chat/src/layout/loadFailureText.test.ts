import { ApiError } from "@messageoh/contracts/client";
import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { loadFailureText } from "./loadFailureText.ts";

it("says how long to wait when it was too often, and the usual text for all else", () => {
  expect(loadFailureText(new ApiError(429, "Too fast, try again in 3 seconds"))).toBe(
    "Too fast, try again in 3 seconds",
  );
  expect(loadFailureText(new ApiError(429))).toBe(GENERIC_ERROR);
  expect(loadFailureText(new ApiError(500, "internals"))).toBe(GENERIC_ERROR);
  expect(loadFailureText(new Error("network"))).toBe(GENERIC_ERROR);
});
