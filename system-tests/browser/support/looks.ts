import type { Locator } from "@playwright/test";

/** Returns a computed style of the element. */
export function style(locator: Locator, property: string): Promise<string> {
  return locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
}

/** Returns red, green and blue of a computed colour. */
async function colour(locator: Locator, property: string): Promise<[number, number, number]> {
  const [red = 0, green = 0, blue = 0] = (await style(locator, property)).match(/\d+/g)?.map(Number) ?? [];
  return [red, green, blue];
}

/** Returns whether a colour is the red of errors in either theme. */
export async function isRed(locator: Locator, property: string): Promise<boolean> {
  const [red, green, blue] = await colour(locator, property);
  return red > green + 60 && red > blue + 60;
}

/** Returns whether a colour is pink. */
export async function isPink(locator: Locator, property: string): Promise<boolean> {
  const [red, green, blue] = await colour(locator, property);
  return red > blue && blue > green + 30 && red > green + 80;
}

export async function heightOf(locator: Locator): Promise<number> {
  return Math.round((await locator.boundingBox())?.height ?? 0);
}

export async function widthOf(locator: Locator): Promise<number> {
  return Math.round((await locator.boundingBox())?.width ?? 0);
}
