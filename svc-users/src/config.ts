import { commonConfig, loadConfig } from "@messageoh/service-kit/config";
import { z } from "zod";

export const readConfig = () =>
  loadConfig(
    z.object({
      ...commonConfig,
      MONGO_URL: z.string().min(1).describe("MongoDB server; this service keeps the database `users`"),
      BCRYPT_COST: z.coerce.number().int().min(4).max(15).default(12).describe("2^cost rounds per password"),
      SESSION_DAYS: z.coerce.number().positive().default(30).describe("A session unused for this long ends"),
    }),
  );
