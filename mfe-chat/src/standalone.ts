// Shared React modules need an asynchronous entry point; inside the shell, the shell provides it.
import("./standalonePage.tsx");
