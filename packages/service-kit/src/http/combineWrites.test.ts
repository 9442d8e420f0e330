import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { combineWrites } from "./combineWrites.ts";

/** Creates a connection that records what each system call would write. */
function createConnection() {
  const written: string[] = [];
  const connection = new Duplex({
    read() {},
    writev(chunks, done) {
      written.push(chunks.map(({ chunk }) => String(chunk)).join(" "));
      done();
    },
  });
  combineWrites(connection);
  /** Writes header and payload as `ws` does. */
  const send = (frame: string) => {
    connection.cork();
    connection.write("header");
    connection.write(frame);
    connection.uncork();
  };
  return { connection, written, send };
}

it("writes the frames of one turn of the event loop together, also those after a resolved promise", async () => {
  const { written, send } = createConnection();
  send("1");
  for (const frame of ["2", "3"]) void Promise.resolve().then(() => send(frame));
  await nextTurn();
  send("4");
  await nextTurn();
  expect(written).toEqual(["header 1 header 2 header 3", "header 4"]);
});

it("writes the last frame of a connection that ends", async () => {
  const { connection, written, send } = createConnection();
  send("1");
  connection.end();
  await nextTurn();
  expect(written).toEqual(["header 1"]);
});
