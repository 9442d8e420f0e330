/** How to allow notifications after they were refused; the browser does not ask a second time. */
export const BLOCKED_TEXT =
  "Your browser blocks notifications of this site. To allow them again, open the site settings with the icon beside the address, set Notifications to Allow, and reload this page.";

export const UNSUPPORTED_TEXT =
  "This browser does not show notifications. On an iPhone or iPad, add Messageoh to the home screen first.";

export const PUSH_FAILED_TEXT =
  "Notifications for when Messageoh is closed could not be changed. Those of an open Messageoh do not depend on it.";

/** Shows the browser's question and returns the answer. Call it on a click. */
export const askPermission = (): Promise<NotificationPermission> => Notification.requestPermission();
