import unhomoglyph from "unhomoglyph";

/**
 * Returns what a name looks like: the skeleton of UTS 39, as the name is written and in lower case, both without regard
 * to case. Two names that share one are confusable: `paypal` and `pаypal` with a Cyrillic а, `AI` and `Al`, `Ivan` and
 * `Іvan`.
 */
export function nameSkeletons(name: string): string[] {
  const plain = name.trim().normalize("NFKC");
  return [...new Set([skeleton(skeleton(plain).toLowerCase()), skeleton(plain.toLowerCase())])];
}

/** UTS 39, section 4: decompose, drop what is invisible, replace each character by its prototype, decompose again. */
function skeleton(text: string): string {
  const visible = text.normalize("NFD").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return unhomoglyph(visible).normalize("NFD").replace(/\s+/g, " ");
}
