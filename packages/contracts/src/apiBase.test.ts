import { API_BASE, createClient, type Send } from "./client.ts";
import { getUser } from "./users.ts";

it("goes to the base address that all front ends share", async () => {
  const asked: string[] = [];
  const send: Send = async (url) => {
    asked.push(url);
    return { ok: true, status: 200, json: async () => ({ id: "u1", name: "Albus212", avatar_id: "fox-id" }) };
  };
  await createClient({ baseUrl: API_BASE, send })(getUser, { params: { user_id: "u1" } });
  expect(asked).toEqual(["/messageoh/users/u1"]);
});
