// The module that shells load. It evaluates the libraries and the chat in a task each, because one task for all would
// block a slow phone for more than 200 ms. "eager" keeps them in one file.
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

await nextTask();
await import(/* webpackMode: "eager", webpackExports: ["id"] */ "@messageoh/contracts/fields");
await nextTask();
await import(/* webpackMode: "eager", webpackExports: ["createChatApi"] */ "./fetching/chatApi.ts");
await nextTask();
await import(/* webpackMode: "eager", webpackExports: ["createChatSocket"] */ "./realtime/socket/socket.ts");
await nextTask();
await import(/* webpackMode: "eager", webpackExports: ["createChat"] */ "./createChat.ts");
await nextTask();
const { ChatPage } = await import(/* webpackMode: "eager", webpackExports: ["ChatPage"] */ "./ChatPage.tsx");

export default ChatPage;
