import type { RemotePointer } from "@messageoh/contracts/releases";
import type { Page } from "@playwright/test";

export type RemoteName = "mfe_auth" | "mfe_chat";

/** Replaces the pointer of a remote for one page, both in the HTML and in `current.json`. */
export async function changePointer(
  page: Page,
  remote: RemoteName,
  change: (pointer: RemotePointer) => string,
): Promise<void> {
  const inlined = new RegExp(`(<script[^>]*id="?pointer-${remote}"?[^>]*>)([\\s\\S]*?)(?=</script>)`);
  await page.route(
    () => true,
    async (route) => {
      if (route.request().resourceType() !== "document") return route.fallback();
      const response = await route.fetch();
      const body = (await response.text()).replace(
        inlined,
        (_, tag: string, text: string) => tag + change(JSON.parse(text)),
      );
      return route.fulfill({ response, body });
    },
  );
  await page.route(`**/${remote.replace("_", "-")}/current.json`, async (route) => {
    const response = await route.fetch();
    return route.fulfill({ response, body: change(await response.json()) });
  });
}
