import type { User } from "@messageoh/contracts/users";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { AddableUserList } from "./AddableUserList.tsx";

const cleo: User = { id: "cleo", name: "Cleo", avatar_id: "fox-id" };
const dan: User = { id: "dan", name: "Dan", avatar_id: "fox-id" };

describe("the list of users to add", () => {
  it("keeps its rows in place while a pointer is pressed, so that the click arrives", async () => {
    const chosen: User[] = [];
    const list = (users: User[]) => (
      <AddableUserList users={users} onChoose={(user) => chosen.push(user)} onEndNear={() => undefined} />
    );
    const { rerender } = render(list([cleo, dan]));
    const row = await screen.findByRole("button", { name: "Cleo" });
    fireEvent.pointerDown(row);
    rerender(list([dan]));
    expect(screen.getByRole("button", { name: "Cleo" })).toBe(row);
    fireEvent.pointerUp(row);
    fireEvent.click(row);
    expect(chosen).toEqual([cleo]);
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Cleo" })).toBeNull());
  });
});
