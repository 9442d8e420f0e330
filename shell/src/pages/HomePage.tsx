import { type ReactElement, useEffect } from "react";
import { useParams } from "react-router-dom";
import { loadPage } from "../federation/loadPage.ts";
import { RemotePage } from "../federation/RemotePage.tsx";
import { useStableNavigate } from "../routing/useStableNavigate.ts";
import { sendEarly } from "../session/earlyCalls.ts";
import { ForUsers } from "../session/guards.tsx";
import { DEVICE_DATABASE } from "../session/rememberedUser.ts";
import type { Session } from "../session/useSession.ts";

/** Renders the chat of mfe_chat for a logged-in user. */
export function HomePage({ session }: { session: Session }): ReactElement {
  const { friendId } = useParams();
  const navigate = useStableNavigate();
  const isChecking = session.state.status === "checking";

  // Load the chat in parallel with the session check; RemotePage reports a failure.
  useEffect(() => {
    if (isChecking) loadPage("mfe_chat/ChatPage").catch(() => undefined);
  }, [isChecking]);

  return (
    <ForUsers session={session}>
      {({ user, isUnconfirmed }) => (
        // The key discards all state of the previous user.
        <RemotePage
          key={user.id}
          name="mfe_chat/ChatPage"
          title="Messageoh"
          pageProps={{
            user,
            friendId,
            navigate,
            onUserChanged: session.changeUser,
            onLoggedOut: session.end,
            deviceDatabase: DEVICE_DATABASE,
            isUnconfirmed,
            send: sendEarly,
          }}
        />
      )}
    </ForUsers>
  );
}
