// Connects mongosh as the root user before prepare.js runs.
const password = encodeURIComponent(process.env.MONGO_ROOT_PASSWORD);
db = connect(`mongodb://root:${password}@mongo:27017/admin?directConnection=true`);
