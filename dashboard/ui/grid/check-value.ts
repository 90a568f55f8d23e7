import type { EditorKind } from './grid-types.ts'

const numberForm =
  /^\s*(?:[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?inf(?:inity)?|nan|0[xob][\da-f_]+)\s*$/i
/** What money prints: a sign, a currency, groups of digits. */
const moneyForm = /^\s*-?\(?-?\D{0,4}[\d,.]+\)?\s*$/
const uuidForm = /^\s*\{?[\da-f]{4}(?:-?[\da-f]{4}){7}\}?\s*$/i
const bytesForm = /^\\x(?:\s*[\da-f]{2})*\s*$/i

/** What is wrong with a typed value, as far as that can be said without asking the database. */
export function problemOf(editor: EditorKind | undefined, text: string): string | undefined {
  switch (editor) {
    case 'number':
      return numberForm.test(text) || moneyForm.test(text) ? undefined : 'This is not a number'
    case 'uuid':
      return uuidForm.test(text) ? undefined : 'A UUID has 32 hexadecimal digits'
    case 'json':
      return jsonProblem(text)
    case 'bytes':
      return text.startsWith('\\x') && !bytesForm.test(text)
        ? 'After \\x come pairs of hexadecimal digits'
        : undefined
    case 'list':
      return /^\s*(?:\{|\[)/.test(text) ? undefined : 'A list is written {a,b,"c d",NULL}'
    case 'text':
    case 'bool':
    case 'choice':
    case 'date':
    case 'time':
    case 'moment':
    case undefined:
      return undefined
  }
}

function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const said = error instanceof Error ? error.message : ''
    return `This is not JSON: ${said.replace(/^JSON\.parse: /, '')}`
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
