import { AVATAR_IDS, type AvatarId } from "@messageoh/contracts/avatars";
import avatars from "../art/avatars.svg";

/** URL of the file with the pictures of all avatars, each of which is a `<view>` with the avatar's id. */
export const AVATARS_ART: string = avatars;

/** Returns the URL of an avatar's picture; an unknown id has the fallback picture. */
export function avatarArt(id: AvatarId | "unknown"): string {
  // One file, because a browser creates a document per SVG file: 18 files cost three times as much CPU time.
  return `${avatars}#${id}`;
}

/** Returns whether a string is a known avatar id. */
export function isKnownAvatar(id: string): id is AvatarId {
  return (AVATAR_IDS as readonly string[]).includes(id);
}
