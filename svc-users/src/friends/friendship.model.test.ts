import { openTestDatabase } from "@messageoh/service-kit/testing/engines";
import { befriend, createFriendshipModel } from "./friendship.model.ts";

it("creates one friendship for simultaneous requests in both directions", async () => {
  const { connection, drop } = await openTestDatabase();
  const model = createFriendshipModel(connection);
  await model.createIndexes();
  for (let round = 0; round < 15; round += 1) {
    const [ann, bob] = [`ann-${round}`, `bob-${round}`];
    const rows = await Promise.all(
      [0, 1, 2, 3].map((n) => (n % 2 === 0 ? befriend(model, ann, bob) : befriend(model, bob, ann))),
    );
    expect(new Set(rows.map((row) => row._id)).size).toBe(1);
  }
  expect(await model.countDocuments()).toBe(15);
  await drop();
});
