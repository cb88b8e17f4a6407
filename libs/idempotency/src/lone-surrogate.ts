/** With the `u` flag a pair is one character, so only halves match. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
