import { API_BASE, createClient, type Send } from "./client.ts";
import { getUser } from "./users.ts";

it("sends requests to the base path that all front ends share", async () => {
  const urls: string[] = [];
  const send: Send = async (url) => {
    urls.push(url);
    return { ok: true, status: 200, json: async () => ({ id: "u1", name: "Albus212", avatar_id: "fox-id" }) };
  };
  await createClient({ baseUrl: API_BASE, send })(getUser, { params: { user_id: "u1" } });
  expect(urls).toEqual(["/messageoh/users/u1"]);
});
