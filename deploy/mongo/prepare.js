// MongoDB's shell runs this as the root user, every time the stack comes up. It makes the server a replica set of one
// member, also where the volume holds data of a standalone server, and gives each service a user of its own with the
// password from the settings.
const { MONGO_USERS_PASSWORD, MONGO_MESSAGES_PASSWORD } = process.env;

try {
  rs.initiate({ _id: "rs0", members: [{ _id: 0, host: "mongo:27017" }] });
} catch (error) {
  if (error.codeName !== "AlreadyInitialized") throw error;
}
print("waiting for MongoDB to become primary");
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
