import type { Identity } from '../requests/incoming.ts'
import { badToken, type Problem } from '../answers/problem.ts'
import type { Schema } from '../catalog/schema.ts'

/**
 * Whoever a token is for is told in text. Where the setting `jwt_aud` names an audience, one that names others is refused;
 * one that names none is for everybody (contract §8). @throws Problem 401
 */
export function checkAudience({ options }: Pick<Schema, 'options'>, identity: Identity): void {
  const named = audienceOf(identity)
  if (!named.every((one) => typeof one === 'string'))
    throw refusal("The JWT 'aud' claim must be a string or an array of strings")
  const audience = options.get('jwt_aud')
  if (audience && named.length > 0 && !named.includes(audience))
    throw refusal('JWT not in audience')
}

/** A verified token is the same identity until it expires, and is read once. */
const audiences = new WeakMap<Identity, readonly unknown[]>()

function audienceOf(identity: Identity): readonly unknown[] {
  const found = audiences.get(identity)
  if (found) return found
  const named = readAudience(identity.claims)
  audiences.set(identity, named)
  return named
}

function readAudience(claims: string): readonly unknown[] {
  if (!claims.includes('"aud"')) return []
  const { aud } = JSON.parse(claims) as { aud?: unknown }
  if (aud === undefined || aud === null) return []
  return Array.isArray(aud) ? aud : [aud]
}

const refusal = (message: string): Problem => badToken('PGRST303', message, null)
