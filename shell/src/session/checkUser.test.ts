import { ApiError } from "@messageoh/contracts/client";
import { outcomeOf } from "./checkUser.ts";

describe("a check of the stored user", () => {
  it.each([400, 401, 403, 404, 410])("is denied by %i", (status) => {
    expect(outcomeOf(new ApiError(status, "No"))).toBe("denied");
  });

  it("is denied by an error in an answer that calls itself fine", () => {
    expect(outcomeOf(new ApiError(200, "No such user"))).toBe("denied");
  });

  it.each([0, 408, 429, 500, 502, 503, 504])("is not answered by %i", (status) => {
    expect(outcomeOf(new ApiError(status))).toBe("unanswered");
  });

  it("is not answered when its own code breaks", () => {
    expect(outcomeOf(new TypeError("fetch is not a function"))).toBe("unanswered");
  });
});
