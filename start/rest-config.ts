import {
  checkSetting,
  SettingError,
  type SettingValues,
} from '#data-plane/rest/server/server-settings'
import { settingNamed, settingPrefix, settingTable } from '#data-plane/rest/server/setting-table'

type Environment = Record<string, string | undefined>
/** One value, and how whoever gave it calls the setting. */
type Given = { label: string; name: string; value: string }

const variables = new Map(
  Object.entries(settingTable).flatMap(([name, { alias }]) =>
    [name, ...(alias === undefined ? [] : [alias])].map((known) => [variableOf(known), known]),
  ),
)
const appSettings = 'PGRST_APP_SETTINGS_'

function variableOf(name: string): string {
  return `PGRST_${name.replaceAll('-', '_').toUpperCase()}`
}

/**
 * The settings of `plinth rest`: flags come before variables of the environment, these before the file that an argument
 * names. @throws SettingError naming what is unknown or wrong
 */
export function readRestConfig(
  args: readonly string[],
  environment: Environment,
  readFile: (file: string) => string,
): SettingValues {
  const { flags, file } = readFlags(args)
  const lines = file === undefined ? [] : readConfigFile(contentOf(file, file, readFile), file)
  const fromFile = lines.map(([label, value]) => ({ label, name: label, value }))
  const values = new Map<string, string>()
  for (const source of [fromFile, readEnvironment(environment), flags]) {
    for (const { label, name: asked, value } of source) {
      const name = settingNamed(asked)
      if (name === undefined) throw new SettingError(`${label}: there is no such setting`)
      // An empty variable takes away what a file says, as it does with PostgREST.
      const text = value === '' ? '' : fileNamedBy({ label, name, value }, readFile)
      if (text !== '') checkSetting(label, name, text)
      values.set(name, text)
    }
  }
  return values
}

function readFlags(args: readonly string[]): { flags: Given[]; file: string | undefined } {
  const flags: Given[] = []
  let file: string | undefined
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (!arg.startsWith('-')) {
      if (file !== undefined) throw new SettingError(`${arg}: only one configuration file is read`)
      file = arg
      continue
    }
    const equals = arg.indexOf('=')
    const label = equals < 0 ? arg : arg.slice(0, equals)
    const name = label.replace(/^--/, '')
    if (name.startsWith('-') || settingNamed(name) === undefined) {
      throw new SettingError(`${label}: there is no such setting`)
    }
    const value = equals < 0 ? args[++i] : arg.slice(equals + 1)
    if (value === undefined) throw new SettingError(`${label}: needs a value`)
    flags.push({ label, name, value })
  }
  return { flags, file }
}

function readEnvironment(environment: Environment): Given[] {
  return Object.entries(environment).flatMap(([label, value]) => {
    if (!label.startsWith('PGRST_') || value === undefined) return []
    const name = label.startsWith(appSettings)
      ? settingPrefix + label.slice(appSettings.length)
      : variables.get(label)
    return [{ label, name: name ?? label, value }]
  })
}

/** `@` and the name of a file stand for what is in it, without the end of its last line. */
function fileNamedBy({ label, name, value }: Given, readFile: (file: string) => string): string {
  if (!value.startsWith('@') || !['db-uri', 'jwt-secret'].includes(name)) return value
  return contentOf(value.slice(1), label, readFile).replace(/\r?\n$/, '')
}

function contentOf(file: string, label: string, readFile: (file: string) => string): string {
  try {
    return readFile(file)
  } catch (error) {
    throw new SettingError(`${label}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** White space and comments, up to what is said next. */
const nothing = /(?:\s|#[^\n]*)*/y
const key = /([A-Za-z][\w.-]*)\s*=\s*/y
const valuePattern = /"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?|true|false|on|off)(?![\w.-])/sy

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', '"': '"', '\\': '\\' }

/**
 * Reads a configuration file as PostgREST has it: `name = "text"`, a number, or true and false, one after the other,
 * with comments behind `#`. @throws SettingError with the line
 */
export function readConfigFile(text: string, file: string): [name: string, valuePattern: string][] {
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
      next(valuePattern) ?? refuse(`${name}: expected a text in quotes, a number, true or false`)
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
