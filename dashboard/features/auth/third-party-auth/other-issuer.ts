export const keySources = ['issuer', 'address', 'keys'] as const
export type KeySource = (typeof keySources)[number]

export type OtherIssuer = { issuer: string; source: KeySource; address: string; keys: string }

type Body = { oidc_issuer_url?: string; jwks_url?: string; custom_jwks?: unknown }
type Read = { body: Body } | { problems: Partial<Record<'issuer' | 'address' | 'keys', string>> }

const isAddress = (text: string) => /^https:\/\/\S+$/.test(text) && URL.canParse(text)

/** What was entered, as it is sent; or what is wrong with it, by field. */
export function readOtherIssuer({ issuer, source, address, keys }: OtherIssuer): Read {
  const named = issuer.trim()
  const own = named === '' ? {} : { oidc_issuer_url: named }
  if (named === '' ? source === 'issuer' : !isAddress(named))
    return { problems: { issuer: 'Enter the full URL, including https://' } }
  if (source === 'issuer') return { body: own }
  if (source === 'address') {
    if (!isAddress(address.trim()))
      return { problems: { address: 'Enter the full URL, including https://' } }
    return { body: { ...own, jwks_url: address.trim() } }
  }
  try {
    const read: unknown = JSON.parse(keys)
    return { body: { ...own, custom_jwks: read } }
  } catch {
    return { problems: { keys: 'This is not JSON. Enter a key set: {"keys": […]}' } }
  }
}
