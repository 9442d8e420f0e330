/**
 * Returns a text in the form in which texts are searched: as MongoDB compares them without regard to case, where the
 * two small letters of Σ are the same.
 */
export const foldCase = (text: string): string => text.toLowerCase().replaceAll("ς", "σ");
