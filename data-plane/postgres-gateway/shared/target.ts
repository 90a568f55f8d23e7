import { projectOfTenant } from '#contract/projects/replicas'
import type { Refusal } from '../refusals.ts'
import { readParameters } from '../startup.ts'

/** Whose database somebody wants to reach, as whom, and with which settings. */
export type Target = {
  /** The ref of the project, or what a replica of it is called (`REF-rr-IDENTIFIER`). */
  ref: string
  role: string
  database: string
  /** What the server is told: everything of the packet but who and where. */
  parameters: ReadonlyMap<string, string>
  /** Names of the protocol's own options, which nobody here knows. */
  unknownOptions: readonly string[]
  /** A later version than 3.0 was asked for. */
  isNewer: boolean
}

const noProject: Refusal = {
  code: '28000',
  message: 'no project is named: nobody knows whose database is meant',
  hint: 'Connect as NAME.REF, such as postgres.abcdefghijklmnopqrst, or with options=reference=REF.',
}
const twoProjects: Refusal = {
  code: '28000',
  message: 'two projects are named: by the user, by options=reference or by the host one each',
}
const isRef = (text: string) => projectOfTenant(text) !== undefined

/**
 * Takes the project out of the packet: the end of the user's name, or `reference=REF` among the options. `ofHost` is the one that the
 * name of the host has named.
 */
export function readTarget(first: Buffer, ofHost?: string): Target | { refusal: Refusal } {
  const length = first.readUInt32BE(0)
  const given = readParameters(first.subarray(8, length)) ?? new Map<string, string>()
  const { references, options } = splitOptions(given.get('options') ?? '')
  const user = given.get('user') ?? ''
  const dot = user.lastIndexOf('.')
  const [head, tail] = dot < 0 ? [user, ''] : [user.slice(0, dot), user.slice(dot + 1)]
  const named = new Set([...references, ...[tail, ofHost ?? ''].filter(isRef)])
  const [ref] = named
  if (named.size > 1) return { refusal: twoProjects }
  if (ref === undefined || !isRef(ref)) return { refusal: noProject }
  const role = isRef(tail) ? head : user
  if (role === '') return { refusal: noProject }
  const names = [...given.keys()]
  const own = new Set(['user', 'database', 'options'])
  const parameters = new Map(
    [...given].filter(([name]) => !own.has(name) && !name.startsWith('_pq_.')),
  )
  if (options !== '') parameters.set('options', options)
  return {
    ref,
    role,
    // Who names no database means the one that every project has: none has the name of a role with a ref.
    database: given.get('database') || 'postgres',
    parameters,
    unknownOptions: names.filter((name) => name.startsWith('_pq_.')),
    isNewer: (first.readUInt32BE(4) & 0xffff) > 0,
  }
}

/** Words are parted by white space, unless a backslash stands before it. */
function splitOptions(text: string): { references: string[]; options: string } {
  const words = text.match(/(?:\\[\s\S]|[^\s\\])+/g) ?? []
  const references = words.flatMap((word) => /^(?:--)?reference=(.*)$/s.exec(word)?.[1] ?? [])
  return {
    references,
    options: words.filter((word) => !/^(?:--)?reference=/.test(word)).join(' '),
  }
}

/** Roles that the platform has made for itself, and nobody comes in as from outside. */
export const isPlatformRole = (role: string): boolean =>
  /^(?:supabase_\w+|plinth_\w+|pg_\w+|authenticator(?:_\w+)?|dashboard_user)$/.test(role)
