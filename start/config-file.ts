import { SettingError } from '#data-plane/rest/server/server-settings'

/** White space and comments, up to what is said next. */
const nothing = /(?:\s|#[^\n]*)*/y
const key = /([A-Za-z][\w.-]*)\s*=\s*/y
const value = /"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?|true|false|on|off)(?![\w.-])/sy

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', '"': '"', '\\': '\\' }

/**
 * Reads a configuration file as PostgREST has it: `name = "text"`, a number, or true and false, one after the other,
 * with comments behind `#`. @throws SettingError with the line
 */
export function readConfigFile(text: string, file: string): [name: string, value: string][] {
  const found: [string, string][] = []
  let at = 0
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) at = pattern.lastIndex
    return match
  }
  const refuse = (words: string): never => {
    const line = text.slice(0, at).split('\n').length
    throw new SettingError(`${file}:${line}: ${words}`)
  }
  for (;;) {
    next(nothing)
    if (at >= text.length) return found
    const name = next(key)?.[1] ?? refuse('expected name = value')
    const [, quoted, plain] =
      next(value) ?? refuse(`${name}: expected a text in quotes, a number, true or false`)
    if (quoted === undefined) found.push([name, booleanOf(plain ?? '')])
    else found.push([name, unescaped(quoted) ?? refuse(`${name}: has an escape that is not known`)])
  }
}

const booleanOf = (text: string) => ({ on: 'true', off: 'false' })[text] ?? text

function unescaped(text: string): string | undefined {
  let known = true
  const plain = text.replaceAll(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_, code?: string, letter = '') => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    const meant = escapes[letter]
    if (meant === undefined) known = false
    return meant ?? ''
  })
  return known ? plain : undefined
}
