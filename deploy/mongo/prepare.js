// Runs in mongosh as the root user at every start. It initiates a replica set of one member, also with the data of a
// standalone server, and creates a user for each service.
const { MONGO_USERS_PASSWORD, MONGO_MESSAGES_PASSWORD, MONGO_MEDIA_PASSWORD } = process.env;

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
    // The user exists. Any other error repeats here.
    admin.updateUser(user, { pwd });
  }
}
ensureUser("svc-users", MONGO_USERS_PASSWORD, "users");
ensureUser("svc-messages", MONGO_MESSAGES_PASSWORD, "messages");
ensureUser("svc-media", MONGO_MEDIA_PASSWORD, "media");
print("MongoDB is ready");
