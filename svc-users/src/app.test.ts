import { serveUsers, type TestService } from "../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await serveUsers();
});
afterAll(() => service.close());

describe("every response", () => {
  it("carries a request id: the caller's if it is valid, otherwise a new one", async () => {
    const given = await service.call("/healthz", { headers: { "x-request-id": "abc-1" } });
    const made = await service.call("/healthz", { headers: { "x-request-id": "with space" } });
    expect(given.headers.get("x-request-id")).toBe("abc-1");
    expect(made.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
  });

  it("is JSON with an error for an unknown path or method", async () => {
    expect(await service.call("/nothing")).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    expect(await service.call("/login", { method: "DELETE" })).toMatchObject({
      status: 405,
      body: { error: expect.any(String) },
    });
    expect((await service.call("/readyz")).status).toBe(200);
  });
});
