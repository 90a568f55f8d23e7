import type {
  SigningAlgorithm,
  SigningKey,
  SigningKeyStatus,
} from '#contract/projects/signing-keys'
import type { Tone } from '../../../ui/text/Badge.tsx'

export const statusWords: Record<SigningKeyStatus, { name: string; tone: Tone; about: string }> = {
  in_use: { name: 'Current key', tone: 'success', about: 'Signs every new token' },
  standby: {
    name: 'Standby key',
    tone: 'info',
    about: 'Already verifies tokens, and signs after a rotation',
  },
  previously_used: {
    name: 'Previously used',
    tone: 'neutral',
    about: 'No longer signs, but verifies tokens it signed',
  },
  revoked: { name: 'Revoked', tone: 'danger', about: 'Verifies no tokens' },
}

export const algorithmWords: Record<SigningAlgorithm, { name: string; about: string }> = {
  ES256: {
    name: 'ES256 (elliptic curve P-256)',
    about: 'Short and fast. Anyone with the public key can verify tokens. A good choice.',
  },
  RS256: {
    name: 'RS256 (RSA, 2048 bits)',
    about: 'Anyone with the public key can verify tokens. The most widely supported.',
  },
  EdDSA: {
    name: 'EdDSA (Ed25519)',
    about:
      'Anyone with the public key can verify tokens, but not getClaims of the JavaScript client.',
  },
  HS256: {
    name: 'HS256 (shared secret)',
    about: 'Whoever can verify can also sign. Only for programs that support nothing else.',
  },
}

export const nameOfKey = ({ is_legacy, algorithm }: Pick<SigningKey, 'is_legacy' | 'algorithm'>) =>
  is_legacy ? 'Legacy JWT secret' : algorithm

/** What tokens name a key by; the id where nobody is told. */
export const kidOf = ({ id, public_jwk: jwk }: SigningKey): string =>
  typeof jwk?.['kid'] === 'string' ? jwk['kid'] : id

/** "1 hour", "90 minutes", "2 days". */
export function lifetimeWords(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const
  const [size, unit] = units.find(([each]) => seconds >= each && seconds % each === 0) ?? [
    1,
    'second',
  ]
  const count = seconds / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
