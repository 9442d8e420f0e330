import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { expect, test } from "../../support/test.ts";

test(
  "is installable: a manifest with icons, which the gateway serves with their types",
  CHROMIUM_ONLY,
  async ({ page, request }) => {
    await page.goto("/");
    const session = await page.context().newCDPSession(page);
    const { errors, data } = await session.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    const { icons, ...manifest } = JSON.parse(data ?? "{}");
    expect(manifest).toMatchObject({ name: "Messageoh", start_url: "/home", scope: "/", display: "standalone" });
    // Contexts of Playwright are incognito, in which Chromium installs nothing.
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);

    const served = await request.get("/manifest.webmanifest");
    expect(served.headers()).toMatchObject({
      "content-type": "application/manifest+json; charset=utf-8",
      "cache-control": "no-cache",
    });
    expect(icons).toContainEqual(expect.objectContaining({ purpose: "maskable", sizes: "512x512" }));
    const apple = await page.locator("link[rel=apple-touch-icon]").getAttribute("href");
    for (const { src, sizes, type } of [...icons, { src: apple, sizes: "180x180", type: "image/png" }]) {
      const { status, headers, width } = await page.evaluate(async (address) => {
        const response = await fetch(address);
        const image = new Image();
        image.src = address;
        await image.decode();
        return { status: response.status, headers: Object.fromEntries(response.headers), width: image.naturalWidth };
      }, src);
      expect([src, status, headers["content-type"]]).toEqual([src, 200, type]);
      expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      if (sizes !== "any") expect(`${width}x${width}`).toBe(sizes);
    }
  },
);
