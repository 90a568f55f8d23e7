/** Names of parameters whose values let somebody in. Some travel in links, which is why they stand in addresses at all. */
const secretNames = new Set([
  'apikey',
  'token',
  'token_hash',
  'access_token',
  'refresh_token',
  'provider_token',
  'provider_refresh_token',
  'id_token',
  'code',
  'code_verifier',
  'password',
  'secret',
  'client_secret',
  'key',
  'signature',
])
const isSecret = (name: string) => secretNames.has(name) || name.startsWith('x-amz-')

const placeholder = '[redacted]'

/**
 * A query (`?a=1&token=x`, with or without its question mark) without the values of secret parameters, whichever way their
 * names are spelt. What is no query comes back as it is.
 */
export function redactSearch(search: string): string {
  if (!search.includes('=')) return search
  return search
    .split('&')
    .map((part) => {
      const equals = part.indexOf('=')
      if (equals < 0) return part
      const start = part.startsWith('?') ? 1 : 0
      return isSecret(plain(part.slice(start, equals)))
        ? `${part.slice(0, equals + 1)}${placeholder}`
        : part
    })
    .join('&')
}

/** An address with its query and fragment redacted: fragments of sign-in links carry tokens, too. */
export function redactUrl(url: string): string {
  const at = url.search(/[?#]/)
  if (at < 0) return url
  const [query = '', fragment] = url.slice(at).split('#', 2)
  const rest = fragment === undefined ? '' : `#${redactSearch(fragment)}`
  return url.slice(0, at) + redactSearch(query) + rest
}

/** Text of anybody's: tokens in it are told by their shape, secrets by the name in front of them. */
export function redactText(text: string): string {
  return text
    .replaceAll(/\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g, placeholder)
    .replaceAll(/\bsb_(secret|publishable)_[\w-]+/g, `sb_$1_${placeholder}`)
    .replaceAll(
      /\b(token_hash|access_token|refresh_token|code_verifier|password|secret|apikey|token)(["']?\s*[=:]\s*["']?)[^\s"'&,;]+/gi,
      `$1$2${placeholder}`,
    )
}

/** Form spelling and percent-encoding, however often it was encoded. */
function plain(name: string): string {
  let text = name
  for (let round = 0; round < 3 && text.includes('%'); round++) {
    try {
      text = decodeURIComponent(text)
    } catch {
      break
    }
  }
  return text.toLowerCase()
}
