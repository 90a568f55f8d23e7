import type { Identity } from './incoming.ts'
import { badToken, type Problem } from './problem.ts'
import type { Schema } from './schema.ts'

/**
 * Where the setting `jwt_aud` names an audience, a token that names others is refused. One that names none is for
 * everybody (contract §8). @throws Problem 401
 */
export function checkAudience({ options }: Pick<Schema, 'options'>, { claims }: Identity): void {
  const audience = options.get('jwt_aud')
  if (!audience) return
  const { aud } = JSON.parse(claims) as { aud?: unknown }
  if (aud === undefined || aud === null || aud === audience) return
  if (typeof aud === 'string') throw refusal('JWT not in audience')
  if (!Array.isArray(aud) || !aud.every((one) => typeof one === 'string')) {
    throw refusal("The JWT 'aud' claim must be a string or an array of strings")
  }
  if (aud.length > 0 && !aud.includes(audience)) throw refusal('JWT not in audience')
}

const refusal = (message: string): Problem => badToken('PGRST303', message, null)
