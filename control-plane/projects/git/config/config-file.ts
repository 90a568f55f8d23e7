import { authConfig } from '#contract/auth/auth-config'
import { dataApi as dataApiContract } from '#contract/data-api/data-api'
import { travellingAuthKeys, type TravelArea } from '#contract/projects/branch-travel'
import { authNames, requirementsOf, secondsOf, type Kind } from './auth-names.ts'
import { readToml, TomlProblem, type TomlEntry, type TomlValue } from './toml.ts'

/** What a setting can be. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
/** Settings of an area by their names. */
export type Settings = Readonly<Record<string, Json>>
/** What a file says of one function; paths are those of the folder. */
export type FunctionConfig = {
  verify_jwt?: boolean
  enabled?: boolean
  entrypoint?: string
  import_map?: string
}
export type ConfigFile = {
  /** By area; only what goes with branches, too. */
  settings: Partial<Record<TravelArea, Settings>>
  functions: ReadonlyMap<string, FunctionConfig>
  /** What is there and is not used, in words. */
  unused: string[]
}

const empty = (unused: string[]): ConfigFile => ({ settings: {}, functions: new Map(), unused })
const travels: ReadonlySet<string> = new Set(travellingAuthKeys)

/** What a config.toml, as public command line clients have it, says of a project. What cannot be read at all is said, and nothing is used. */
export function readConfig(text: string): ConfigFile {
  let entries: TomlEntry[]
  try {
    entries = readToml(text)
  } catch (error) {
    if (error instanceof TomlProblem) return empty([`config.toml: ${error.message}`])
    throw error
  }
  const auth: Record<string, Json> = {}
  const dataApi: Record<string, Json> = {}
  const functions = new Map<string, FunctionConfig>()
  const unknown: string[][] = []
  const wrong: string[] = []
  const put = (
    area: 'auth' | 'data_api',
    key: string,
    { path }: TomlEntry,
    value: Json | undefined,
  ) => {
    const name = path.join('.')
    const problem =
      value === undefined ? 'has no value that can be used' : whyWrong(area, key, value)
    if (problem !== undefined) wrong.push(`config.toml: ${name} ${problem}`)
    else (area === 'auth' ? auth : dataApi)[key] = value ?? null
  }
  for (const entry of entries) {
    const [section = '', ...rest] = entry.path
    const name = rest.join('.')
    if (isFromEnvironment(entry.value))
      wrong.push(`config.toml: ${entry.path.join('.')} is to come from the environment`)
    else if (section === 'auth') {
      const found = authNames.get(name)
      if (found && travels.has(found.key))
        put('auth', found.key, entry, valueOf(found.kind, entry.value))
      else unknown.push(entry.path)
    } else if (section === 'api' && Object.hasOwn(apiNames, name)) {
      const { key, read } = apiNames[name as keyof typeof apiNames]
      put('data_api', key, entry, read(entry.value))
    } else if (section === 'functions' && rest.length === 2) {
      const [slug = '', field = ''] = rest
      const known = functionField(field, entry.value)
      if (known) functions.set(slug, { ...functions.get(slug), ...known })
      else unknown.push(entry.path)
    } else unknown.push(entry.path)
  }
  return {
    settings: {
      ...(Object.keys(auth).length > 0 && { auth }),
      ...(Object.keys(dataApi).length > 0 && { data_api: dataApi }),
    },
    functions,
    unused: [...wrong, ...bySection(unknown)],
  }
}

/** By the same rules as of everybody who sets it. Undefined: it can be set. */
function whyWrong(area: 'auth' | 'data_api', key: string, value: Json): string | undefined {
  const { input } = area === 'auth' ? authConfig.update : dataApiContract.updateConfig
  const { error } = input.safeParse({ ref: anyRef, [key]: value })
  const [issue] = error?.issues ?? []
  return issue && `cannot be set so: ${issue.message}`
}
const anyRef = 'a'.repeat(20)

const apiNames = {
  schemas: { key: 'db_schema', read: namesIn },
  extra_search_path: { key: 'db_extra_search_path', read: namesIn },
  max_rows: { key: 'max_rows', read: (value: TomlValue) => valueOf('whole', value) },
}

function namesIn(value: TomlValue): string | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? value.join(', ')
    : undefined
}

/** Such as env(SECRET): a value that stands on the machine of whoever runs a tool. */
const isFromEnvironment = (value: TomlValue) =>
  typeof value === 'string' && /^env\(.*\)$/.test(value)

/** Undefined: it is not of this kind. */
function valueOf(kind: Kind, value: TomlValue): Json | undefined {
  if (kind === 'flag' || kind === 'inverted') {
    if (typeof value !== 'boolean') return undefined
    return kind === 'flag' ? value : !value
  }
  if (kind === 'whole') return Number.isInteger(value) ? (value as number) : undefined
  if (typeof value !== 'string') return undefined
  if (kind === 'text') return value
  if (kind === 'requirements') return requirementsOf.get(value)
  const seconds = secondsOf(value)
  if (kind === 'seconds' || seconds === undefined) return seconds
  return seconds % 3600 === 0 ? seconds / 3600 : undefined
}

function functionField(field: string, value: TomlValue): FunctionConfig | undefined {
  if ((field === 'verify_jwt' || field === 'enabled') && typeof value === 'boolean')
    return { [field]: value }
  if ((field === 'entrypoint' || field === 'import_map') && typeof value === 'string')
    return { [field]: value.replace(/^(?:\.\/)+/, '') }
  return undefined
}

/** A line for each section, with the names of what it has. */
function bySection(paths: readonly string[][]): string[] {
  const sections = new Map<string, string[]>()
  for (const path of paths) {
    const section = path.slice(0, -1).join('.')
    const name = path.at(-1) ?? ''
    sections.set(section, [...(sections.get(section) ?? []), name])
  }
  return [...sections].map(
    ([section, names]) =>
      `config.toml${section === '' ? '' : ` [${section}]`}: ${names.slice(0, 50).join(', ')}`,
  )
}
