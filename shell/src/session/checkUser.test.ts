import { ApiError } from "@messageoh/contracts/request";
import { checkUser, outcomeOf } from "./checkUser.ts";

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

  it.each([
    ["a user", { id: "u1", name: "Ann", avatar_id: "fox-id" }, "confirmed"],
    ["an id only", { id: "u1" }, "unanswered"],
    ["a number as the name", { id: "u1", name: 1, avatar_id: "fox-id" }, "unanswered"],
    ["an empty id", { id: "", name: "Ann", avatar_id: "fox-id" }, "unanswered"],
    ["nothing", null, "unanswered"],
  ])("reads a response with %s", async (_, body, type) => {
    const fetched = jest.spyOn(globalThis, "fetch").mockResolvedValue(Response.json(body));
    expect(await checkUser("u/1", new AbortController().signal)).toMatchObject({ type });
    expect(fetched.mock.calls[0]?.[0]).toBe("/messageoh/users/u%2F1");
    fetched.mockRestore();
  });

  it("is unanswered on an exception in its own code", () => {
    expect(outcomeOf(new TypeError("fetch is not a function"))).toBe("unanswered");
  });
});
