import type { Identity } from '../requests/incoming.ts'
import { badToken, type Problem } from '../answers/problem.ts'
import type { Schema } from '../catalog/schema.ts'

/**
 * Whoever a token is for is told in text. Where the setting `jwt_aud` names an audience, one that names others is refused;
 * one that names none is for everybody (contract §8). @throws Problem 401
 */
export function checkAudience({ options }: Pick<Schema, 'options'>, { claims }: Identity): void {
  if (!claims.includes('"aud"')) return
  const { aud } = JSON.parse(claims) as { aud?: unknown }
  if (aud === undefined || aud === null) return
  const named: unknown[] = Array.isArray(aud) ? aud : [aud]
  if (!named.every((one) => typeof one === 'string'))
    throw refusal("The JWT 'aud' claim must be a string or an array of strings")
  const audience = options.get('jwt_aud')
  if (audience && named.length > 0 && !named.includes(audience))
    throw refusal('JWT not in audience')
}

const refusal = (message: string): Problem => badToken('PGRST303', message, null)
