import { AuthError } from './errors.ts'
import { callHookFunction, hookFunction } from './hook-store.ts'
import { sqlState, type Db } from './store.ts'

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
  if (!found) {
    const message = `There is no function ${schema}.${name} with one argument of type json or jsonb`
    throw new AuthError('hook_failed', message)
  }
  if (!found.allowed) {
    throw new AuthError('hook_failed', `supabase_auth_admin may not call ${schema}.${name}`)
  }
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

/** What the function raised is for the log; it may quote rows. A lost connection or a deadlock is not its doing. */
function refusalOf(cause: unknown): unknown {
  const state = sqlState(cause)
  if (state === '57014') {
    const message = `Failed to reach hook within maximum time of ${limitMs / 1000} seconds`
    return new AuthError('hook_timeout', message, { cause })
  }
  if (state === undefined || /^(08|40|53|57|E)/.test(state)) return cause
  return new AuthError('hook_failed', 'The function of the hook raised an error', { cause })
}
