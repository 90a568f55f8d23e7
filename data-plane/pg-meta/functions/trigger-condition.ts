/**
 * The condition of a trigger, from its definition as Postgres prints it; null when there is none. What reads like
 * the words of the grammar inside of quoted names and texts is passed over.
 */
export function conditionIn(definition: string): string | null {
  const head = /^(?:"(?:[^"]|"")*"|[^"])*? FOR EACH (?:ROW|STATEMENT) (WHEN \()?/.exec(definition)
  if (!head?.[1]) return null
  const start = head[0].length
  let depth = 1
  for (let at = start; at < definition.length; at += 1) {
    const sign = definition[at]
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (depth === 0) return definition.slice(start, at)
    if (sign === '"' || sign === "'") {
      // Doubled ones close and open again, which comes to the same.
      at = definition.indexOf(sign, at + 1)
      if (at < 0) return null
    }
  }
  return null
}
