import { z } from 'zod'
import { RefusedError, type Ask } from './manage-client.ts'
import { UsageError } from './manage-command.ts'

/** What the commands about projects ask the Management API for. */
export const Project = z.looseObject({ ref: z.string(), name: z.string(), status: z.string() })
export const Detail = z.object({
  status: z.string(),
  endpoint: z.string(),
  db_host: z.string(),
  db_port: z.number().nullable(),
  failure: z.string().nullable(),
})
const Keys = z.array(
  z.looseObject({ name: z.string(), type: z.string().nullish(), api_key: z.string().nullish() }),
)
type Key = z.output<typeof Keys>[number]
export const Organization = z.looseObject({ slug: z.string(), name: z.string() })

export const databaseUrl = ({ db_host, db_port }: z.output<typeof Detail>, password: string) => {
  if (db_port === null) throw new RefusedError('the database of the project is not up yet')
  return `postgresql://postgres:${password}@${db_host}:${db_port}/postgres`
}
/** The legacy service key passes every policy, like a secret key: the API tells it as a whole, a terminal only when it is asked to. */
export async function keysOf(ask: Ask, ref: string, reveal: boolean): Promise<Key[]> {
  const keys = await ask(`GET /v1/projects/${ref}/api-keys?reveal=${reveal}`, Keys)
  if (reveal) return keys
  return keys.map((key) =>
    key.name === 'service_role' && key.api_key
      ? { ...key, api_key: `${key.api_key.slice(0, 6)}${'·'.repeat(10)}` }
      : key,
  )
}
/** A publishable and a secret key may have the same name; the first ones of a project do. */
export const titleOf = ({ name, type }: Key) =>
  type === 'publishable' || type === 'secret' ? `${type} ${name}` : name
export const keyLines = (keys: readonly Key[]) =>
  keys.map((key) => `${titleOf(key)}  ${key.api_key ?? '(not shown)'}`)

export const listener = (ref: string) => `/platform/projects/${ref}/listener`
const Listener = z.object({ url: z.string().nullable(), problem: z.string().nullable() })

export function portIn(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`--port: "${text}" is not a port`)
  return Number(text)
}

export async function listened(ask: Ask, request: string, body?: object) {
  const { url, problem } = await ask(request, Listener, body)
  if (problem !== null) throw new RefusedError(problem)
  return { url }
}
