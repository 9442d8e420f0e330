import { ApiError } from "@messageoh/contracts/client";
import { outcomeOf } from "./checkUser.ts";

describe("check of the stored user", () => {
  it.each([400, 401, 403, 404, 410])("is denied on %i", (status) => {
    expect(outcomeOf(new ApiError(status, "No"))).toBe("denied");
  });

  it("is denied on an error in a response with status 200", () => {
    expect(outcomeOf(new ApiError(200, "No such user"))).toBe("denied");
  });

  it.each([0, 408, 429, 500, 502, 503, 504])("is unanswered on %i", (status) => {
    expect(outcomeOf(new ApiError(status))).toBe("unanswered");
  });

  it("is unanswered on an exception in its own code", () => {
    expect(outcomeOf(new TypeError("fetch is not a function"))).toBe("unanswered");
  });
});
