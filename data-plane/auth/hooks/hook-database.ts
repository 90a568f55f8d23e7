import { OversizeError } from '#kit/postgres/message-watch'
import { AuthError } from '../errors.ts'
import { callHookFunction, hookFunction, type HookFunction } from './hook-store.ts'
import { sqlState, type Db } from '../store.ts'

const limitMs = 2_000
/** Bytes of an answer. */
const largestAnswer = 20 * 1024

/** Asks a function of the tenant's database, as this service's role, and gives the text of its answer. */
export async function askFunction(
  tx: Db,
  { schema, name }: { schema: string; name: string },
  payload: string,
): Promise<string> {
  const found = await hookFunction(tx, schema, name)
  const problem = problemOf(found, `${schema}.${name}`)
  if (!found || problem !== undefined) throw new AuthError('hook_failed', problem)
  const { argument } = found
  const answer = await callHookFunction(tx, { schema, name, argument }, payload, limitMs).catch(
    (cause: unknown) => {
      throw refusalOf(cause)
    },
  )
  if (answer !== null && Buffer.byteLength(answer) > largestAnswer) {
    const message = `Payload size exceeded size limit of ${largestAnswer} bytes`
    throw new AuthError('hook_payload_over_size_limit', message)
  }
  return answer ?? ''
}

function problemOf(found: HookFunction | undefined, name: string): string | undefined {
  if (!found) return `There is no function ${name} with one argument of type json or jsonb`
  return found.allowed ? undefined : `supabase_auth_admin may not call ${name}`
}

/** Why the service could not ask this function; undefined when it could. */
export async function hookFunctionProblem(
  db: Db,
  { schema, name }: { schema: string; name: string },
): Promise<string | undefined> {
  return problemOf(await hookFunction(db, schema, name), `${schema}.${name}`)
}

/** What the function raised is for the log; it may quote rows. A lost connection or a deadlock is not its doing. */
function refusalOf(cause: unknown): unknown {
  if (cause instanceof OversizeError) {
    return new AuthError('hook_payload_over_size_limit', cause.message, { cause })
  }
  const state = sqlState(cause)
  if (state === '57014') {
    const message = `Failed to reach hook within maximum time of ${limitMs / 1000} seconds`
    return new AuthError('hook_timeout', message, { cause })
  }
  if (state === undefined || /^(08|40|53|57|E)/.test(state)) return cause
  return new AuthError('hook_failed', "The hook's function raised an error", { cause })
}
