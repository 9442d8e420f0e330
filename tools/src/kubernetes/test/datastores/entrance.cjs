// Forwards connections to the gateway, whose pods come and go, unlike the pod of a port-forward.
const { readFileSync } = require("node:fs");
const { createServer } = require("node:net");
const { connect } = require("node:tls");

// The certificate is for localhost.
const gateway = { host: "gateway", port: 443, servername: "localhost", ca: readFileSync("/tls/tls.crt") };

createServer((client) => {
  const upstream = connect(gateway);
  client.pipe(upstream).pipe(client);
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ]) {
    socket.on("error", () => {});
    // A reset would end the whole port-forward.
    socket.on("close", () => other.end());
  }
}).listen(8080);
