// Sharing React needs an asynchronous first step; inside a shell the shell has made it.
import("./standalonePage.tsx");
