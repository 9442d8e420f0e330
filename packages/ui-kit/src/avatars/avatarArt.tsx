import type { AvatarId } from "@messageoh/contracts/avatars";
import bear from "../art/bear-id.svg";
import cat from "../art/cat-id.svg";
import chicken from "../art/chicken-id.svg";
import deer from "../art/deer-id.svg";
import deer2 from "../art/deer2-id.svg";
import dog from "../art/dog-id.svg";
import fish from "../art/fish-id.svg";
import fox from "../art/fox-id.svg";
import fox2 from "../art/fox2-id.svg";
import giraffe from "../art/giraffe-id.svg";
import koala from "../art/koala-id.svg";
import meerkat from "../art/meerkat-id.svg";
import panda from "../art/panda-id.svg";
import rabbit from "../art/rabbit-id.svg";
import rabbit2 from "../art/rabbit2-id.svg";
import seal from "../art/seal-id.svg";
import snake from "../art/snake-id.svg";
import unknown from "../art/unknown.svg";
import weasel from "../art/weasel-id.svg";

/** URL of each avatar's picture. */
export const AVATAR_ART: Readonly<Record<AvatarId, string>> = {
  "dog-id": dog,
  "cat-id": cat,
  "bear-id": bear,
  "fish-id": fish,
  "fox-id": fox,
  "giraffe-id": giraffe,
  "panda-id": panda,
  "rabbit-id": rabbit,
  "weasel-id": weasel,
  "seal-id": seal,
  "deer2-id": deer2,
  "koala-id": koala,
  "rabbit2-id": rabbit2,
  "meerkat-id": meerkat,
  "fox2-id": fox2,
  "deer-id": deer,
  "snake-id": snake,
  "chicken-id": chicken,
};

/** URL of the fallback picture for an unknown avatar id. */
export const UNKNOWN_AVATAR_ART: string = unknown;

/** Returns whether a string is a known avatar id. */
export function isKnownAvatar(id: string): id is AvatarId {
  return Object.hasOwn(AVATAR_ART, id);
}
