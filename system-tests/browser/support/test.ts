import { type Browser, type BrowserContextOptions, test as base, expect } from "@playwright/test";
import { fillAsTyped } from "./engines.ts";
import { uniqueName } from "./names.ts";
import { Person } from "./person.ts";
import { ProtocolClient } from "./protocolClient.ts";

export interface EnterOptions extends BrowserContextOptions {
  path?: string;
  /** Runs before the page opens, for example to install a clock or intercept calls. */
  prepare?: (person: Person) => Promise<unknown>;
}

export interface Pair {
  ann: ProtocolClient;
  bob: ProtocolClient;
  threadId: string;
}

interface WorkerFixtures {
  browser: Browser;
}

interface Fixtures {
  /** Registers a user without a browser. */
  newUser: (name: string) => Promise<ProtocolClient>;
  /** Registers two friends. */
  newPair: () => Promise<Pair>;
  /** Registers Ann and two friends of hers, who are no friends of each other. */
  newTrio: () => Promise<Pair & { cid: ProtocolClient }>;
  /** Opens a browser for a user (default path: /home). */
  enter: (user: ProtocolClient, options?: EnterOptions) => Promise<Person>;
}

/** Fixtures that create users over HTTP, so that the browser runs only the steps under test. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  browser: [
    async ({ browser, browserName }, use) => {
      if (browserName === "firefox") await fillAsTyped(browser);
      await use(browser);
    },
    { scope: "worker" },
  ],
  newUser: async ({ baseURL }, use) => {
    const users: ProtocolClient[] = [];
    await use(async (name) => {
      const user = await new ProtocolClient(baseURL ?? "", uniqueName(name)).register();
      users.push(user);
      return user;
    });
    for (const user of users) user.close();
  },
  newPair: async ({ newUser }, use) => {
    await use(async () => {
      const [ann, bob] = await Promise.all([newUser("Ann"), newUser("Bob")]);
      return { ann, bob, threadId: await ann.befriend(bob) };
    });
  },
  newTrio: async ({ newPair, newUser }, use) => {
    await use(async () => {
      const pair = await newPair();
      const cid = await newUser("Cid");
      await pair.ann.befriend(cid);
      return { ...pair, cid };
    });
  },
  enter: async ({ browser, viewport, contextOptions }, use) => {
    const people: Person[] = [];
    await use(async (user, { path = "/home", prepare, ...options } = {}) => {
      const person = await Person.loggedIn(browser, user, { viewport, ...contextOptions, ...options });
      people.push(person);
      await prepare?.(person);
      await person.page.goto(path);
      return person;
    });
    for (const person of people) await person.close();
  },
});

export { expect };
