/** A value of TOML. Dates and times stay as they are written. */
export type TomlValue = string | number | boolean | TomlValue[] | Map<string, TomlValue>
/** One setting: its names from the outermost table on, and where it stands. */
export type TomlEntry = { path: string[]; value: TomlValue; line: number }

/** A text that is no TOML; the message says where. */
export class TomlProblem extends Error {}

/** Tables in tables, as far as anybody means it. */
const deepest = 50
const escapes: Record<string, string> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001b',
  '"': '"',
  '\\': '\\',
}
const bareKey = /[A-Za-z0-9_-]+/y
const bareValue = /[A-Za-z0-9_+.:-]+(?: [0-9][0-9:.+Z-]*)?/y

/** Every setting of a file, in its order. Tables of arrays have their place among the names. @throws TomlProblem */
export function readToml(text: string): TomlEntry[] {
  return createReader(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')).all()
}

function createReader(text: string) {
  let at = 0
  const lineAt = (index: number) => text.slice(0, index).split('\n').length
  const problem = (what: string) => new TomlProblem(`line ${lineAt(at)}: ${what}`)
  const peek = () => text.charAt(at)

  /** Blanks and comments; with `lines` also ends of lines. */
  function skip(lines: boolean): void {
    for (;;) {
      const char = peek()
      if (char === ' ' || char === '\t' || (lines && char === '\n')) at += 1
      else if (char === '#') while (at < text.length && peek() !== '\n') at += 1
      else return
    }
  }
  function expect(char: string): void {
    if (peek() !== char) throw problem(`expected ${char}`)
    at += 1
  }
  function endOfLine(): void {
    skip(false)
    if (at < text.length && peek() !== '\n') throw problem('expected the end of the line')
  }
  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    if (found !== undefined) at += found.length
    return found
  }

  function escape(isLong: boolean): string {
    const char = text.charAt(at)
    const digits = char === 'u' ? 4 : char === 'U' ? 8 : 0
    if (digits > 0) {
      const hex = text.slice(at + 1, at + 1 + digits)
      const code = /^[0-9a-fA-F]+$/.test(hex) && hex.length === digits ? Number(`0x${hex}`) : -1
      if (code < 0 || code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff))
        throw problem('this is no character')
      at += 1 + digits
      return String.fromCodePoint(code)
    }
    if (isLong && /\s/.test(char)) {
      while (/\s/.test(peek())) at += 1
      return ''
    }
    const known = Object.hasOwn(escapes, char) ? escapes[char] : undefined
    if (known === undefined) throw problem(`\\${char} is not known`)
    at += 1
    return known
  }
  function string(): string {
    const quote = peek()
    const isLong = text.startsWith(quote.repeat(3), at)
    const end = isLong ? quote.repeat(3) : quote
    at += end.length
    if (isLong && peek() === '\n') at += 1
    let found = ''
    for (;;) {
      if (at >= text.length || (!isLong && peek() === '\n')) throw problem('a text does not end')
      if (text.startsWith(end, at)) {
        // Up to two quotes may stand before those that end it.
        while (isLong && text.startsWith(quote, at + 3)) {
          found += quote
          at += 1
        }
        at += end.length
        return found
      }
      const char = text.charAt(at)
      at += 1
      found += char === '\\' && quote === '"' ? escape(isLong) : char
    }
  }

  function key(): string[] {
    const parts: string[] = []
    for (;;) {
      skip(false)
      const isQuoted = peek() === '"' || peek() === "'"
      const part = isQuoted ? string() : take(bareKey)
      if (part === undefined) throw problem('expected a name')
      parts.push(part)
      skip(false)
      if (peek() !== '.') return parts
      at += 1
    }
  }

  function list(depth: number): TomlValue[] {
    expect('[')
    const items: TomlValue[] = []
    for (;;) {
      skip(true)
      if (peek() === ']') break
      items.push(value(depth + 1))
      skip(true)
      if (peek() !== ',') break
      at += 1
    }
    skip(true)
    expect(']')
    return items
  }
  function inlineTable(depth: number): Map<string, TomlValue> {
    expect('{')
    const table = new Map<string, TomlValue>()
    for (;;) {
      skip(true)
      if (peek() === '}') break
      const names = key()
      expect('=')
      table.set(names.join('.'), value(depth + 1))
      skip(true)
      if (peek() !== ',') break
      at += 1
    }
    skip(true)
    expect('}')
    return table
  }
  function value(depth: number): TomlValue {
    if (depth > deepest) throw problem('this is nested too deeply')
    skip(false)
    const char = peek()
    if (char === '"' || char === "'") return string()
    if (char === '[') return list(depth)
    if (char === '{') return inlineTable(depth)
    const word = take(bareValue)
    if (word === undefined) throw problem('expected a value')
    if (word === 'true' || word === 'false') return word === 'true'
    if (
      /^[+-]?\d[\d_]*$/.test(word) ||
      /^[+-]?\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?$/.test(word)
    )
      return Number(word.replaceAll('_', ''))
    if (/^0[xob][\da-fA-F_]+$/.test(word)) return Number(word.replaceAll('_', ''))
    if (/^\d{4}-\d\d-\d\d|^\d\d:\d\d/.test(word)) return word
    throw problem(`${word} is no value`)
  }

  return {
    all(): TomlEntry[] {
      const entries: TomlEntry[] = []
      const counts = new Map<string, number>()
      let table: string[] = []
      for (;;) {
        skip(true)
        if (at >= text.length) return entries
        if (peek() !== '[') {
          const line = lineAt(at)
          const path = [...table, ...key()]
          expect('=')
          add(entries, { path, value: value(0), line })
          endOfLine()
          continue
        }
        at += 1
        const isOfList = peek() === '['
        if (isOfList) at += 1
        table = key()
        expect(']')
        if (isOfList) {
          expect(']')
          const name = table.join('.')
          const count = counts.get(name) ?? 0
          counts.set(name, count + 1)
          table = [...table, String(count)]
        }
        endOfLine()
      }
    },
  }
}

/** What stands in a table of one line is as if it stood in a table of its own. */
function add(entries: TomlEntry[], entry: TomlEntry): void {
  if (!(entry.value instanceof Map)) {
    entries.push(entry)
    return
  }
  for (const [name, value] of entry.value)
    add(entries, { ...entry, path: [...entry.path, name], value })
}
