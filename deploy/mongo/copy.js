// Copies the documents of all services to the server TO: TO=URL npx mongosh@2 SOURCE_URL deploy/mongo/copy.js
// The services create their indexes when they start.
const to = new Mongo(process.env.TO);
for (const database of ["users", "messages", "media"]) {
  const from = db.getSiblingDB(database);
  for (const name of from.getCollectionNames().filter((name) => !name.startsWith("system."))) {
    const target = to.getDB(database)[name];
    target.deleteMany({});
    let batch = [];
    const flush = () => {
      if (batch.length > 0) target.insertMany(batch);
      batch = [];
    };
    from[name].find().forEach((row) => {
      if (batch.push(row) === 1_000) flush();
    });
    flush();
    print(`${database}.${name}: ${target.countDocuments({})} documents`);
  }
}
