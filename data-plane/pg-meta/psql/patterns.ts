/** A name as psql's commands take it, as regular expressions of Postgres; null is any. */
export type Pattern = { schema: string | null; name: string | null }

/**
 * Reads `books`, `b*`, `public.*`, `"My table"`: a star is any text, a question mark any character, and letters outside
 * of quotes are small.
 */
export function readPattern(text: string): Pattern {
  const parts: string[] = ['']
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '"' && quoted && text.charAt(at + 1) === '"') {
      parts.push(`${parts.pop() ?? ''}"`)
      at += 1
    } else if (char === '"') quoted = !quoted
    else if (char === '.' && !quoted) parts.push('')
    else parts.push(`${parts.pop() ?? ''}${quoted ? literal(char) : wildcard(char)}`)
  }
  const name = parts.pop() ?? ''
  return { schema: whole(parts.pop()), name: whole(name) }
}

/** Whether a name can be only one. */
export const isPlainName = (text: string): boolean => !/[*?]/.test(text.replaceAll(/"[^"]*"/g, ''))

const literal = (char: string) => (/[\p{L}\p{N}_]/u.test(char) ? char : `[${escaped(char)}]`)
/** What would mean something within brackets. */
const escaped = (char: string) => (/[\\\]^[-]/.test(char) ? `\\${char}` : char)
const wildcard = (char: string) =>
  char === '*' ? '.*' : char === '?' ? '.' : literal(char.toLowerCase())

const whole = (part: string | undefined) => (part ? `^(${part})$` : null)
