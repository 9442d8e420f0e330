// Run by MongoDB's shell as the root user, every time the stack comes up: makes the server a replica set of one node if
// it is none yet, and sees to it that each service has a user of its own with the password that the settings say.
const { MONGO_USERS_PASSWORD, MONGO_MESSAGES_PASSWORD } = process.env;
const hello = db.hello();
if (hello.isreplicaset && !hello.setName) {
  rs.initiate({ _id: "rs0", members: [{ _id: 0, host: "mongo:27017" }] });
}
while (!db.hello().isWritablePrimary) sleep(200);

const admin = db.getSiblingDB("admin");
function ensureUser(user, pwd, database) {
  try {
    admin.createUser({ user, pwd, roles: [{ role: "readWrite", db: database }] });
  } catch {
    // It is there already, or else this fails too.
    admin.updateUser(user, { pwd });
  }
}
ensureUser("svc-users", MONGO_USERS_PASSWORD, "users");
ensureUser("svc-messages", MONGO_MESSAGES_PASSWORD, "messages");
print("MongoDB is ready");
