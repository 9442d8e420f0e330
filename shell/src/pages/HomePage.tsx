import { type ReactElement, useEffect } from "react";
import { useParams } from "react-router-dom";
import { loadPage } from "../federation/loadPage.ts";
import { RemotePage } from "../federation/RemotePage.tsx";
import { useStableNavigate } from "../routing/useStableNavigate.ts";
import { ForUsers } from "../session/guards.tsx";
import type { Session } from "../session/useSession.ts";

/** The chat, from mfe_chat, for whoever is logged in. */
export function HomePage({ session }: { session: Session }): ReactElement {
  const { friendId } = useParams();
  const navigate = useStableNavigate();
  const isChecking = session.state.status === "checking";

  // The chat comes while the server is asked who this is; a failure shows once the page itself is wanted.
  useEffect(() => {
    if (isChecking) loadPage("mfe_chat/ChatPage").catch(() => undefined);
  }, [isChecking]);

  return (
    <ForUsers session={session}>
      {(user) => (
        // Another user is another page: nothing of the one before may stay.
        <RemotePage
          key={user.id}
          name="mfe_chat/ChatPage"
          title="Messageoh"
          pageProps={{ user, friendId, navigate, onUserChanged: session.changeUser, onLoggedOut: session.end }}
        />
      )}
    </ForUsers>
  );
}
