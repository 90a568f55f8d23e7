/** Two letters for a person ('Ines Okafor' and 'ines.okafor@x' are IO), one for a thing. */
export function initials(name: string, letters: 1 | 2 = 2): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/).filter(Boolean)
  return words
    .slice(0, letters)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase()
}
