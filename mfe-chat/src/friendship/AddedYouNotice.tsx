import type { Friend } from "@messageoh/contracts/users";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { type ReactElement, useState } from "react";
import { useChat } from "../useChat.ts";
import css from "./AddedYouNotice.module.css";
import { EndFriendship } from "./EndFriendship.ts";
import type { Ending } from "./EndFriendshipDialog.tsx";

/** Renders that a friend has added the user, with the possible answers. */
export function AddedYouNotice({ friend }: { friend: Friend }): ReactElement {
  const { answerNotice } = useChat().friends;
  const [ending, setEnding] = useState<Ending | null>(null);

  return (
    <>
      <section className={css.bar} aria-label="New friend">
        <p className={css.text}>
          <bdi className={css.name}>{friend.name}</bdi> added you
        </p>
        <div className={css.answers}>
          <Button onClick={() => answerNotice(friend.id)}>OK</Button>
          <Button variant="secondary" onClick={() => setEnding("unfriend")}>
            Unfriend
          </Button>
          <Button variant="secondary" onClick={() => setEnding("block")}>
            Block
          </Button>
        </div>
      </section>
      {ending ? <EndFriendship friend={friend} how={ending} onClose={() => setEnding(null)} /> : null}
    </>
  );
}
