import { avatarName } from "@messageoh/contracts/avatars";
import type { ReactElement } from "react";
import { classNames } from "../basics/classNames.ts";
import css from "./Avatar.module.css";
import { avatarArt, isKnownAvatar } from "./avatarArt.ts";

export interface AvatarProps {
  /** Avatar id; an unknown id shows the fallback picture. */
  avatarId: string;
  /** `default` is 52 px high and 66 px from 768 px up, `small` 40 px, `large` 144 px. */
  size?: "default" | "small" | "large";
  /** Alternative text, by default the animal's name. Set it to "" beside a visible name. */
  alt?: string;
  className?: string;
}

/** Renders a user's avatar. */
export function Avatar({ avatarId, size = "default", alt, className }: AvatarProps): ReactElement {
  const isKnown = isKnownAvatar(avatarId);
  return (
    <img
      className={classNames(css.avatar, css[size], className)}
      src={avatarArt(isKnown ? avatarId : "unknown")}
      alt={alt ?? (isKnown ? avatarName(avatarId) : "Unknown animal")}
      draggable={false}
    />
  );
}
