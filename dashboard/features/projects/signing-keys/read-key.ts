import type { PrivateJwk, SigningAlgorithm } from '#contract/projects/signing-keys'

/**
 * What was typed or pasted, as a private JWK. For a shared secret its text is enough; a JWK is taken as it is, and what
 * is wrong in it is for the server to say.
 */
export function readKeyText(
  algorithm: SigningAlgorithm,
  typed: string,
): { jwk: PrivateJwk } | { problem: string } {
  const text = typed.trim()
  if (text === '') return { problem: 'Enter the key' }
  const json = parsed(text)
  if (json) return { jwk: json }
  if (algorithm !== 'HS256') return { problem: 'Not a JWK: a JSON object is required' }
  const bytes = new TextEncoder().encode(text)
  if (bytes.length < 32) return { problem: 'A secret needs at least 32 characters' }
  return { jwk: { kty: 'oct', k: base64url(bytes) } }
}

function parsed(text: string): PrivateJwk | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    // An object in JSON has string keys only.
    return JSON.parse(text) as PrivateJwk
  } catch {
    return undefined
  }
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
