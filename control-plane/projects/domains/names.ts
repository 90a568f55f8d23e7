import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'

/** A name that can be used, as DNS has it, or why it cannot. */
export type ReadName = { name: string } | { problem: string }

/** The TXT record stands below the name, and a name has 253 characters at most. */
export const challengePrefix = '_plinth-challenge.'
const longest = 253 - challengePrefix.length

/** Names that no public name server answers for. */
const notPublic = new Set([
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'invalid',
  'example',
  'onion',
  'arpa',
  'alt',
])

/**
 * Scripts that stand together in a word of some language. A label that mixes others, such as a Cyrillic letter among Latin ones, is
 * made to look like another name.
 */
const scripts = [
  ['Latin'],
  ['Cyrillic'],
  ['Greek'],
  ['Arabic'],
  ['Hebrew'],
  ['Armenian'],
  ['Georgian'],
  ['Ethiopic'],
  ['Devanagari'],
  ['Bengali'],
  ['Gujarati'],
  ['Gurmukhi'],
  ['Tamil'],
  ['Telugu'],
  ['Kannada'],
  ['Malayalam'],
  ['Sinhala'],
  ['Thai'],
  ['Lao'],
  ['Khmer'],
  ['Myanmar'],
  ['Han', 'Hiragana', 'Katakana', 'Latin'],
  ['Han', 'Hangul', 'Latin'],
  ['Han', 'Bopomofo', 'Latin'],
].map((names) => {
  const classes = names.map((name) => `\\p{Script=${name}}`).join('')
  return new RegExp(`^[${classes}\\p{Nd}\\p{Mn}\\p{Mc}\\u30fb\\u30fc-]+$`, 'u')
})
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const isBelow = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`)

/** Whether a name can stand in the public DNS; addresses, single labels and names for inner networks cannot. */
export function isPublicName(name: string): boolean {
  const labels = name.split('.')
  const last = labels.at(-1) ?? ''
  return (
    labels.length > 1 &&
    isIP(name) === 0 &&
    !notPublic.has(last) &&
    !/^\d+$/.test(last) &&
    labels.every((one) => label.test(one))
  )
}

/** @param own The domains of the installation itself: neither they nor what lies below them is anybody else's. */
export function readHostname(text: string, own: readonly string[]): ReadName {
  const typed = text.trim()
  if (typed.includes('*')) return { problem: 'A custom hostname cannot have wildcards' }
  const bare = typed.endsWith('.') ? typed.slice(0, -1) : typed
  const last = bare.split('.').at(-1) ?? ''
  if (isIP(bare.replace(/^\[|\]$/g, '')) !== 0 || /^(?:0x[\da-f]*|\d+)$/i.test(last))
    return { problem: 'A custom hostname cannot be an IP address' }
  if (/[\s/\\:@?#%_[\]]/.test(bare))
    return { problem: 'Enter the hostname alone, such as api.example.com' }
  const name = domainToASCII(bare.normalize('NFC'))
  if (name === '' || domainToASCII(domainToUnicode(name)) !== name)
    return { problem: 'This is not a valid hostname' }
  if (name.length > longest)
    return { problem: `A custom hostname can have up to ${longest} characters` }
  const labels = name.split('.')
  if (labels.length < 2)
    return { problem: 'Enter a full hostname with its domain, such as api.example.com' }
  if (
    isIP(name) !== 0 ||
    !labels.every((one) => label.test(one) && (one.startsWith('xn--') || one.slice(2, 4) !== '--'))
  )
    return { problem: 'This is not a valid hostname' }
  const shown = domainToUnicode(name).split('.')
  if (!shown.every((one) => scripts.some((script) => script.test(one))))
    return { problem: 'A part of this hostname mixes letters of different scripts' }
  if (!isPublicName(name)) return { problem: 'This hostname cannot be in the public DNS' }
  if (own.some((domain) => isBelow(name, domain)))
    return { problem: 'This hostname belongs to the platform itself' }
  return { name }
}

/** Names that people would take for the platform, its mail or its staff. */
const reserved = new Set(
  `about abuse account accounts admin administrator api app apps assets auth autoconfig autodiscover
   billing blog cache cdn ci cname console contact content control dashboard data database db default demo dev
   developer developers dns docs domain domains download downloads edge email example files forum ftp function
   functions gateway git graphql health help home host hostmaster hosting http https id image images imap info internal
   invoice invoices legal local localhost log login logout logs mail mailer manage management master mcp media metrics
   mobile monitor monitoring mx mysql name new news noc noreply no-reply ns ns1 ns2 ns3 ns4 oauth official oidc
   operations operator ops origin password pay payment payments ping platform plinth pooler pop pop3 portal postgres
   postgresql postmaster preview privacy private production project projects proxy public realtime ref register rest
   root s3 saml sandbox search secret secure security server service services setup shop signin signup site sites
   smtp sql ssh ssl sso staff staging stage static stats status storage store studio support system team telemetry
   terms test testing tls token tokens trust update upload uploads user users vault verify vpn web webhook webhooks
   webmail webmaster wpad ws www www1 www2`.split(/\s+/),
)

/** Why a vanity subdomain cannot be called so; undefined when it can. */
export function vanityProblem(name: string): string | undefined {
  if (!/^[a-z0-9-]{3,63}$/.test(name) || !label.test(name) || name.slice(2, 4) === '--')
    return 'Use 3 to 63 lower-case letters, digits and hyphens, with a letter or digit at each end'
  if (/^\d+$/.test(name)) return 'Use at least one letter'
  if (/^[a-z]{20}$/.test(name)) return 'Names of 20 letters are kept for project references'
  if (reserved.has(name) || name.startsWith('plinth'))
    return 'This name is reserved for the platform'
  return undefined
}
