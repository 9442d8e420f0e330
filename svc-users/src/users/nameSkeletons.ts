import unhomoglyph from "unhomoglyph";

/**
 * Returns the skeletons (UTS 39) of a name as written and in lower case. Names that share a skeleton look the same:
 * `paypal` and `pаypal` with a Cyrillic а, `AI` and `Al`, `Ivan` and `Іvan`.
 */
export function nameSkeletons(name: string): string[] {
  const plain = name.trim().normalize("NFKC");
  return [...new Set([skeleton(skeleton(plain).toLowerCase()), skeleton(plain.toLowerCase())])];
}

/**
 * UTS 39, section 4: decompose, remove invisible characters, replace each character by its prototype, decompose again.
 */
function skeleton(text: string): string {
  const visible = text.normalize("NFD").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return unhomoglyph(visible).normalize("NFD").replace(/\s+/g, " ");
}
