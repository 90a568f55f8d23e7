import { ProjectRef } from '#contract/values'
import type { Ask } from './manage-client.ts'

/** What was typed is not a command; the message says what is wrong. */
export class UsageError extends Error {}

export type Flags = {
  org?: string | undefined
  name?: string | undefined
  'sealed-as'?: string | undefined
  region?: string | undefined
  'db-password'?: string | undefined
  'jwt-secret'?: string | undefined
  'signing-key'?: string | undefined
  'new-tables'?: string | undefined
  example?: string | undefined
  schemas?: string | undefined
  lines?: string | undefined
  source?: string | undefined
  search?: string | undefined
  since?: string | undefined
  follow?: boolean | undefined
  json?: boolean | undefined
  'server-file'?: boolean | undefined
  port?: string | undefined
  reveal?: boolean | undefined
  remove?: boolean | undefined
  'from-db-url'?: string | undefined
  'from-url'?: string | undefined
  'from-service-key'?: string | undefined
  'from-access-token'?: string | undefined
  'from-ref'?: string | undefined
  'from-api'?: string | undefined
  'from-jwt-secret'?: string | undefined
  only?: string | undefined
  'dry-run'?: boolean | undefined
  yes?: boolean | undefined
  trust?: boolean | undefined
  preload?: string | undefined
  restart?: boolean | undefined
  force?: boolean | undefined
}
/** What a command returns: data for programs, lines for people. */
export type Result = {
  /** Undefined where everything has been printed already. */
  data: unknown
  lines: string[]
  /** The exit code, where that is not 0. */
  code?: number
}
export type Context = {
  ask: Ask
  flags: Flags
  home: string
  /** The platform that --url names; undefined for the one of this machine. */
  url: string | undefined
  /** As the local administrator itself. */
  isLocal: boolean
  /** Shows an address to the person, where there is a desktop. */
  browse: (url: string) => void
  environment: Readonly<Record<string, string | undefined>>
  /** Says how far something long is, beside what is answered. */
  notify: (line: string) => void
  /** Prints a line at once, for commands that keep running. */
  print: (line: string) => void
  /** Whether colours are shown, and not printed as signs. */
  isColoured: boolean
  /** From when it is asked for on, Ctrl-C says so here instead of ending the program. */
  interrupted: () => AbortSignal
  /** Milliseconds between two looks at what is new. */
  followMs: number
}
export type Command = {
  /** What it takes, such as `REF [--lines 100]`: its options are those that are named here. */
  takes: string
  /** What it does, as a sentence without the full stop. */
  does: string
  /** The most arguments that it takes. */
  max: number
  run: (rest: string[], context: Context) => Promise<Result>
}

export function refIn([ref]: string[]): string {
  if (ref === undefined) throw new UsageError('missing REF: the ref of a project')
  if (!ProjectRef.safeParse(ref).success) throw new UsageError(`"${ref}" is not a project ref`)
  return ref
}
