/** Characters above U+00FF that the standard fonts of a PDF have (WinAnsi). */
const further = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ')
const plain: Record<string, string> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  ħ: 'h',
  Ħ: 'H',
  ŧ: 't',
  Ŧ: 'T',
  '−': '-',
}

const inFont = (char: string) =>
  (char >= ' ' && char <= '~') || (char >= '\u00a0' && char <= 'ÿ') || further.has(char)

/**
 * Text as the standard fonts can print it: every PDF reader has them, so the file needs none of its own. Letters that they
 * lack lose their marks; what has no Latin form at all becomes a question mark.
 */
export function inStandardFont(text: string): string {
  return Array.from(text.normalize('NFC'))
    .map((char) => {
      if (inFont(char)) return char
      const base = plain[char] ?? char.normalize('NFKD').replaceAll(/\p{M}/gu, '')
      return base !== '' && Array.from(base).every(inFont) ? base : '?'
    })
    .join('')
}
