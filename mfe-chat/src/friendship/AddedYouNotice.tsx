import type { Friend } from "@messageoh/contracts/users";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { NoticeBar } from "@messageoh/ui-kit/feedback/NoticeBar";
import { type ReactElement, useState } from "react";
import { useChat } from "../useChat.ts";
import css from "./AddedYouNotice.module.css";
import { EndFriendship } from "./EndFriendship.tsx";
import type { Ending } from "./EndFriendshipDialog.tsx";

/** Renders that a friend has added the user, with the possible answers. */
export function AddedYouNotice({ friend }: { friend: Friend }): ReactElement {
  const { answerNotice } = useChat().friends;
  const [ending, setEnding] = useState<Ending | null>(null);

  return (
    <>
      <NoticeBar
        label="New friend"
        answers={
          <>
            <Button onClick={() => answerNotice(friend.id)}>OK</Button>
            <Button variant="secondary" onClick={() => setEnding("unfriend")}>
              Unfriend
            </Button>
            <Button variant="secondary" onClick={() => setEnding("block")}>
              Block
            </Button>
          </>
        }
      >
        <bdi className={css.name}>{friend.name}</bdi> added you
      </NoticeBar>
      {ending ? <EndFriendship friend={friend} how={ending} onCancel={() => setEnding(null)} /> : null}
    </>
  );
}
