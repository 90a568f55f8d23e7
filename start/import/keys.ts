import { setTimeout as delay } from 'node:timers/promises'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { RefusedError } from '../manage-client.ts'
import { send } from './http.ts'
import type { Api, Base } from './run.ts'

const Key = z.looseObject({ id: z.string() })
/** How long the services may take to hear of a key. */
const patienceMs = 20_000

/** Whether the target lets somebody in by this token. */
async function opens(targetApi: Api, key: string): Promise<boolean> {
  const answer = await send({ url: targetApi.url, key }, '/rest/v1/')
  await answer.body.dump()
  return answer.statusCode === 200
}

const signed = (secret: string) =>
  new SignJWT({ role: 'service_role', iss: 'supabase' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(new TextEncoder().encode(secret))

/** Tokens and keys that the source has given out go on being good when the target knows the secret that signed them. */
export async function importKeys(
  { ask, ref, targetApi, state, report, isRehearsal }: Base,
  { secret, serviceKey }: { secret: string | undefined; serviceKey: string | undefined },
): Promise<void> {
  const isToken = serviceKey?.split('.').length === 3
  const proof = secret === undefined ? (isToken ? serviceKey : undefined) : await signed(secret)
  report.advise('give apps the address and the keys of this project: npx plinth keys REF --reveal')
  if (proof !== undefined && (await opens(targetApi, proof))) {
    report.count('keys', 'signing secret', { found: 1, before: 1 })
    return
  }
  if (secret === undefined) {
    report.leave(
      'keys',
      'signing secret',
      'JWT secret',
      'it is not known here: tokens and keys of the source open nothing',
    )
    report.advise(
      'to keep tokens and legacy keys of the source good, run this again with --only keys --from-jwt-secret, or add the secret as a standby key on the page JWT keys',
    )
    return
  }
  report.count('keys', 'signing secret', { found: 1 })
  if (isRehearsal) return
  const path = `/v1/projects/${ref}/config/auth/signing-keys`
  const jwk = { kty: 'oct', alg: 'HS256', k: Buffer.from(secret).toString('base64url') }
  try {
    const made = await ask(`POST ${path}`, Key, {
      algorithm: 'HS256',
      status: 'standby',
      private_jwk: jwk,
    })
    // It verifies and never signs: the target signs with keys of its own.
    await ask(`PATCH ${path}/${made.id}`, Key, { status: 'previously_used' })
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    report.leave('keys', 'signing secret', 'JWT secret', error.message)
    return
  }
  await state.note('key', 'jwt secret')
  for (const deadline = Date.now() + patienceMs; !(await opens(targetApi, proof ?? ''));) {
    if (Date.now() > deadline) {
      report.leave(
        'keys',
        'signing secret',
        'JWT secret',
        'it was added, and the services do not take it yet',
      )
      return
    }
    await delay(200)
  }
  report.count('keys', 'signing secret', { imported: 1 })
}
