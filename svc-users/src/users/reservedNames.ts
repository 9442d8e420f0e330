import { DELETED_NAME, HIDDEN_NAME } from "@messageoh/contracts/avatars";
import { nameSkeletons } from "./nameSkeletons.ts";

/** Names that would make their user look like the product, its operators, or a deleted or hidden account. */
const RESERVED = [DELETED_NAME, HIDDEN_NAME, "Admin", "System", "Support", "Messageoh"];
const skeletons = new Set(RESERVED.flatMap(nameSkeletons));

/** Returns whether a name is reserved or looks like a reserved one, so that no user can choose it. */
export const isReserved = (name: string): boolean => nameSkeletons(name).some((skeleton) => skeletons.has(skeleton));
