import { basename } from "node:path";

// Loaded into the services of the paths "unstored" and "pinged", to see what storing costs: svc-messages goes on as if a
// batch were stored, at once or when the engine has answered a ping. Nothing that is sent to such a stack is kept.
if (basename(process.cwd()) === "svc-messages") {
  const { mongo } = await import("mongoose");
  const { COLLECTION } = await import("../../svc-messages/src/message.model.ts");
  const { command } = mongo.Db.prototype;
  mongo.Db.prototype.command = async function (document, options) {
    if (document.insert !== COLLECTION) return command.call(this, document, options);
    if (process.env.BENCH_PATH === "pinged") await command.call(this, { ping: 1 });
    return { ok: 1, n: document.documents.length };
  };
}
