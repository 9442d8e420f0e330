import type { Breakage } from "./breakage.ts";

/** Many log-outs and changes of the password. */
const ACTIVE = ["--actions", "4", "--minutes", "0.15"];
/** A tab that is opened again loads what it missed. */
const SAME_TABS = ["log out", "reload", "close"].flatMap((text) => ["--without", text]);

/** Breakages of sessions, accounts and friendships. */
export const ACCOUNTS: readonly Breakage[] = [
  {
    name: "a failed session check counts as no session",
    find: 'return unavailable("Your session could not be checked");',
    replace: "return unauthorised();",
    check: "no 401 with a valid session",
    // A new instance knows no session yet.
    faults: [
      "half-open connections between services and svc-users",
      "a partition between services and svc-users",
      "kill a realtime instance",
    ],
    load: ["--small"],
  },
  {
    name: "a failed call signs the user out",
    find: "      return await result;\n    } catch (error) {\n      if (error instanceof ApiError && error.status === 401)",
    replace: "      return await result;\n    } catch (error) {\n      if (error instanceof ApiError)",
    check: "no sign-out of a valid session",
    faults: ["kill a messages instance", "freeze a messages instance", "kill a users instance"],
    load: ["--small"],
  },
  {
    name: "a log-out does not end the session",
    find: "    await sessions.end(session.user.id, session.session_id);\n",
    replace: "",
    check: "an ended session is refused",
    load: ACTIVE,
  },
  {
    name: "a change of the password changes nothing",
    find: "    const change = { $set: { password_hash }, $inc: { password_version: 1 } };",
    replace: "    const change = { $inc: { password_version: 1 } };\n    void password_hash;",
    check: "a valid sign-in is accepted",
    load: ACTIVE,
  },
  {
    name: "the old password stays valid",
    find: "    const row = await checkPassword.ofLogIn({ ...body, address, device, findUser, logger, isGone });",
    replace: "    const row = await findUser();\n    void checkPassword;",
    check: "an old password is refused",
    load: ACTIVE,
  },
  {
    name: "only one side has the friendship",
    find: "friendships.find({ user_ids: userId }).sort(",
    replace: 'friendships.find({ "user_ids.0": userId }).sort(',
    check: "both sides have a friendship",
  },
  {
    name: "the end of a friendship is not announced",
    find: 'store.dispatch({ type: "friendRemoved", friendId: user_id });',
    replace: "if (Date.now() > 0) return;",
    check: "both sides have a friendship",
    load: ACTIVE,
  },
  {
    name: "a new name is not shown",
    find: ": friendChanges.friendChanged(state, { friendId: user.id, change: user })",
    replace: ": state",
    check: "friends see the current name",
    load: [...ACTIVE, ...SAME_TABS],
  },
  {
    name: "a deleted account keeps its picture",
    find: "      avatar_id: DELETED_AVATAR_ID,\n      held_names,",
    replace: "      held_names,",
    check: "a deleted account is gone",
    load: ACTIVE,
  },
];
