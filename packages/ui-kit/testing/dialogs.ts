/** Adds the methods of `<dialog>` that jsdom lacks. Esc sends `cancel` to the dialog that opened last. */
export function installDialogs(): void {
  const open: HTMLDialogElement[] = [];
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.setAttribute("open", "");
    open.push(this);
    this.querySelector<HTMLElement>("button, input")?.focus();
  };
  HTMLDialogElement.prototype.close = function close() {
    this.removeAttribute("open");
    open.splice(open.indexOf(this), 1);
    this.dispatchEvent(new Event("close"));
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) {
      open.at(-1)?.dispatchEvent(new Event("cancel", { cancelable: true }));
    }
  });
}
