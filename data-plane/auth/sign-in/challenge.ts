import { invalid } from '../errors.ts'

/** What a client sends to bind a flow to itself (RFC 7636). */
export type Challenge = { value: string; method: 's256' | 'plain' }

/** Reads the two fields of a request; neither means the implicit flow. */
export function challengeOf(
  value: string | undefined,
  method: string | undefined,
): Challenge | undefined {
  if (!value && !method) return undefined
  if (!value || !method) {
    throw invalid('PKCE flow requires code_challenge_method and code_challenge')
  }
  const known = method.toLowerCase()
  if (known !== 's256' && known !== 'plain') {
    throw invalid('code_challenge_method must be s256 or plain')
  }
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(value)) {
    throw invalid('code_challenge must have between 43 and 128 characters of A-Z a-z 0-9 - . _ ~')
  }
  return { value, method: known }
}
