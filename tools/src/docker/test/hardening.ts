import { strict as assert } from "node:assert";
import type { Check } from "../../testing/checks.ts";
import type { ComposeStack, Container } from "../compose.ts";

/** Checks the restrictions of the running containers. */
export async function checkHardening(stack: ComposeStack, check: Check): Promise<void> {
  const containers = await stack.containers();
  const find = (service: string): Container => {
    const found = containers.find((container) => container.service === service);
    assert(found, `${service} runs`);
    return found;
  };
  const everywhere = async (command: string, expected: RegExp): Promise<void> => {
    for (const container of containers) {
      assert.match(await stack.exec(container, command), expected, `${container.service}: ${command}`);
    }
  };

  await check("every long-running part has a container", async () => {
    const services = containers.map(({ service }) => service).sort();
    const one = ["gateway", "mongo", "redis", "svc-media", "svc-messages", "svc-realtime", "svc-realtime", "svc-users"];
    assert.deepEqual(services, one);
  });
  await check("no container runs as root", () => everywhere("id -u", /^[1-9]\d*$/));
  await check("containers can write to their volumes and /tmp only", async () => {
    await everywhere("touch /tmp/probe && rm /tmp/probe && echo fine", /^fine$/);
    await everywhere("touch /usr/probe", /Read-only file system/);
    await everywhere("touch /etc/probe", /Read-only file system/);
  });
  await check("no container has or can gain a capability", async () => {
    await everywhere("grep CapBnd /proc/1/status", /\s0{16}$/);
    await everywhere("grep NoNewPrivs /proc/1/status", /\s1$/);
  });
  await check("every container has limits of memory and processes", async () => {
    for (const { id, service } of containers) {
      const format = "{{.HostConfig.Memory}} {{.HostConfig.PidsLimit}}";
      const limits = await stack.engine.docker(["inspect", "--format", format, id]);
      assert.match(limits, /^[1-9]\d+ [1-9]\d+$/, `${service}: ${limits}`);
    }
  });
  await check("no process shows a secret in its command line", async () => {
    for (const container of containers) {
      const output = await stack.exec(container, "cat /proc/[0-9]*/cmdline | tr '\\0' ' '");
      assert.notEqual(output, "");
      for (const secret of stack.secrets) assert(!output.includes(secret), container.service);
    }
  });
  await check("only the gateway publishes a port", () => {
    const open = containers.filter(({ published }) => published.length > 0).map(({ service }) => service);
    assert.deepEqual(open, ["gateway"]);
  });
  await check(
    "the gateway and svc-realtime cannot reach MongoDB, and only svc-users and svc-media, which call push services and S3, the Internet",
    async () => {
      const fromGateway = await stack.exec(find("gateway"), "curl -sS --max-time 3 http://mongo:27017/");
      assert.match(fromGateway, /Could not resolve host/);
      const tryFrom = (service: string, host: string, port: number) => {
        const connect = `require("net").connect(${port}, "${host}").on("connect", () => { console.log("connected"); process.exit() }).on("error", (e) => { console.log(e.code); process.exit() })`;
        return stack.exec(find(service), `timeout 5 node -e '${connect}' || echo silence`);
      };
      assert.equal(await tryFrom("svc-messages", "mongo", 27_017), "connected");
      assert.notEqual(await tryFrom("svc-realtime", "mongo", 27_017), "connected");
      for (const service of ["svc-messages", "svc-realtime"])
        assert.notEqual(await tryFrom(service, "1.1.1.1", 443), "connected");
    },
  );
  await check("MongoDB and Redis require a password", async () => {
    const mongo = `mongosh --quiet mongodb://mongo:27017 --eval 'db.getSiblingDB("users").users.findOne()'`;
    assert.match(await stack.exec(find("mongo"), mongo), /auth/i);
    assert.match(await stack.exec(find("redis"), "redis-cli ping"), /NOAUTH/);
  });
  await check("MongoDB is a replica set with a key file, and each service reads only its own database", async () => {
    const mongo = find("mongo");
    assert.equal(await stack.exec(mongo, "stat -c %a /tmp/keyfile"), "600");
    const evaluate = async (service: string, script: string): Promise<string> => {
      const url = await stack.exec(find(service), "printenv MONGO_URL");
      return stack.exec(mongo, `mongosh --quiet '${url}' --eval '${script}'`);
    };
    const read = (database: string): string => `db.getSiblingDB("${database}").nothing.findOne()`;
    for (const [service, own, other] of [
      ["svc-users", "users", "messages"],
      ["svc-messages", "messages", "users"],
      ["svc-media", "media", "messages"],
    ] as const) {
      assert.equal(await evaluate(service, "db.hello().setName"), "rs0");
      assert.equal(await evaluate(service, read(own)), "null");
      assert.match(await evaluate(service, read(other)), /not authorized/);
    }
  });
  await check("internal paths are not reachable through the gateway", async () => {
    for (const path of ["/internal/messages", "/messageoh/internal/sessions", "/metrics", "/readyz"]) {
      assert.equal((await fetch(`${stack.url}${path}`, { method: "POST" })).status, 404, path);
    }
  });
}
