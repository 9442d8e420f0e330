import { friendCalls } from "./friends.ts";
import { PASSWORD, registerUser, type TestService, type TestUser } from "./service.ts";

/** Ann, and somebody who may learn something about her. */
export interface World {
  ann: TestUser;
  viewer: TestUser;
}

/** Returns the name of ann after {@link createRelations} has renamed her. */
export const newName = ({ name }: TestUser) => name.replace("Old", "New");

let counter = 0;

/** Returns what ann can do to the viewer, and a function that creates the two in a relation that such acts lead to. */
export function createRelations(service: TestService) {
  const calls = friendCalls(service);

  const send = async ({ cookie }: TestUser, method: string, path: string, body: object) => {
    const { status } = await service.call(path, { method, cookie, body });
    expect(status).toBe(200);
  };
  const registerBoth = async (): Promise<World> => ({
    ann: await registerUser(service, `Old ann ${++counter}`),
    viewer: await registerUser(service),
  });
  async function befriendBoth(): Promise<World> {
    const world = await registerBoth();
    expect((await calls.add(world.ann, world.viewer)).status).toBe(200);
    return world;
  }

  const acts = {
    unfriend: ({ ann, viewer }: World) => calls.unfriend(ann, viewer),
    block: ({ ann, viewer }: World) => calls.block(ann, viewer),
    unblock: ({ ann, viewer }: World) => calls.unblock(ann, viewer),
    "be blocked": ({ ann, viewer }: World) => calls.block(viewer, ann),
    "accept no new friends": ({ ann }: World) => calls.allow(ann, "nobody"),
    async rename({ ann }: World) {
      await send(ann, "PUT", `/users/${ann.id}/name`, { name: newName(ann) });
      await send(ann, "PUT", `/users/${ann.id}`, { avatar_id: "cat-id" });
    },
    "delete the account": ({ ann }: World) =>
      send(ann, "POST", `/users/${ann.id}/deletion`, { password: PASSWORD, texts: "keep" }),
  };

  type Relation = readonly [begin: () => Promise<World>, ...then: (keyof typeof acts)[]];
  const relations: Record<string, Relation> = {
    friend: [befriendBoth],
    former: [befriendBoth, "unfriend"],
    "former, hidden": [befriendBoth, "unfriend", "accept no new friends"],
    "former, blocked": [befriendBoth, "block"],
    stranger: [registerBoth],
    "stranger, hidden": [registerBoth, "accept no new friends"],
    "stranger, blocked": [registerBoth, "block"],
    blocker: [befriendBoth, "be blocked"],
  };

  return {
    acts,
    async create(relation: string): Promise<World> {
      const [begin, ...then] = relations[relation] as Relation;
      const world = await begin();
      for (const act of then) await acts[act](world);
      return world;
    },
  };
}
export type Act = keyof ReturnType<typeof createRelations>["acts"];
