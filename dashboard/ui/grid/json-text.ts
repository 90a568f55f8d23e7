/** Why a text is no JSON document; undefined when it is one. */
export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    return `This is not JSON: ${reason.replace(/^JSON\.parse: /, '')}`
  }
}

/** JSON over several lines. Numbers keep every digit: only the space between the parts changes. */
export function spread(text: string): string {
  let out = ''
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/g)) {
    if (part === '{' || part === '[') {
      depth += 1
      out += part + line()
    } else if (part === '}' || part === ']') {
      depth -= 1
      const open = part === '}' ? '{' : '['
      out = out.trimEnd().endsWith(open) ? `${out.trimEnd()}${part}` : out + line() + part
    } else if (part === ',') out += part + line()
    else out += part === ':' ? ': ' : part
  }
  return out
}
