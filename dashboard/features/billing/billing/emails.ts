/** The addresses of a text area: one a line, or with commas; each once. */
export const listOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,;]/)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
]

/** Good enough to catch slips; the server decides. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
