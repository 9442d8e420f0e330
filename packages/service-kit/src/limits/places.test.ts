import { createPlaces } from "./places.ts";

const settled = () => new Promise(setImmediate);

it("runs a limited number of tasks at the same time, in the order of their arrival, also after a failure", async () => {
  const inPlace = createPlaces(2);
  const started: string[] = [];
  const tasks = ["ann", "bob", "cid", "dan"].map((name) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const task = () => {
      started.push(name);
      return promise;
    };
    return { result: inPlace(task), end: () => resolve(name), fail: () => reject(new Error(name)) };
  });
  const [ann, bob, cid, dan] = tasks as [(typeof tasks)[0], (typeof tasks)[0], (typeof tasks)[0], (typeof tasks)[0]];
  await settled();
  expect(started).toEqual(["ann", "bob"]);
  bob.fail();
  await expect(bob.result).rejects.toThrow("bob");
  await settled();
  expect(started).toEqual(["ann", "bob", "cid"]);
  for (const { end } of [ann, cid, dan]) end();
  expect(await Promise.all([ann.result, cid.result, dan.result])).toEqual(["ann", "cid", "dan"]);
});
