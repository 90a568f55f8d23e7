import { setTimeout as delay } from 'node:timers/promises'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { RefusedError } from '../manage/manage-client.ts'
import { send, type Api } from './http.ts'
import type { Base } from './parts.ts'

const Key = z.looseObject({ id: z.string() })
/** How long the services may take to hear of a key. */
const timeoutMs = 20_000

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

type Given = { secret: string | undefined; serviceKey: string | undefined }

/** Tokens and keys that the source has given out go on being good when the target knows the secret that signed them. */
export async function importKeys(run: Base, { secret, serviceKey }: Given): Promise<void> {
  const { targetApi, report, isRehearsal } = run
  report.advise('give apps the address and the keys of this project: npx plinth keys REF --reveal')
  report.count('keys', 'signing secret', { found: 1 })
  // Other keys than the legacy ones are no tokens, and are known to the source alone.
  const legacyKey = serviceKey?.split('.').length === 3 ? serviceKey : undefined
  const leave = (name: string, reason: string) =>
    report.leave('keys', 'signing secret', name, reason)
  if (secret === undefined) {
    if (legacyKey !== undefined && (await opens(targetApi, legacyKey)))
      return report.count('keys', 'signing secret', { before: 1 })
    leave('JWT secret', 'it is not known here: tokens and keys of the source open nothing')
    report.advise(
      'to keep tokens and legacy keys of the source good, run this again with --only keys --from-jwt-secret, or add the secret as a standby key on the page JWT keys',
    )
    return
  }
  const proof = await signed(secret)
  if (await opens(targetApi, proof)) report.count('keys', 'signing secret', { before: 1 })
  else if (isRehearsal) return
  else {
    const failure = await addSecret(run, secret, proof)
    if (failure !== undefined) return leave('JWT secret', failure)
    report.count('keys', 'signing secret', { imported: 1 })
  }
  if (legacyKey !== undefined && !(await opens(targetApi, legacyKey)))
    leave('legacy keys', 'another secret than --from-jwt-secret has signed them: they open nothing')
}

/** It verifies and never signs: the target signs with keys of its own. Answers why it is not known. */
async function addSecret(
  { ask, ref, targetApi, state }: Base,
  secret: string,
  proof: string,
): Promise<string | undefined> {
  const path = `/v1/projects/${ref}/config/auth/signing-keys`
  const jwk = { kty: 'oct', alg: 'HS256', k: Buffer.from(secret).toString('base64url') }
  try {
    const body = { algorithm: 'HS256', status: 'standby', private_jwk: jwk }
    const made = await ask(`POST ${path}`, Key, body)
    await ask(`PATCH ${path}/${made.id}`, Key, { status: 'previously_used' })
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return error.message
  }
  await state.note('signing secret', 'jwt secret')
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await delay(200))
    if (await opens(targetApi, proof)) return undefined
  return 'it was added, and the services do not take it yet'
}
