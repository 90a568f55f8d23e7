import type { ThirdPartyType } from '#contract/auth/third-party-auth'

/** What a form of an integration asks for. */
export type Blank = {
  name: string
  label: string
  help?: string
  placeholder?: string
  optional?: boolean
  /** What the text has to look like. */
  form: RegExp
  /** What is said when it does not. */
  problem: string
}

export type Party = {
  type: ThirdPartyType
  title: string
  about: string
  blanks: readonly Blank[]
  /** The issuer that comes of what was entered. */
  issuerOf: (filled: Record<string, string>) => string
  /** What has to be done there, so that its tokens are of use here. */
  there: string
}

const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i
const domain = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i

export const parties: readonly Party[] = [
  {
    type: 'firebase',
    title: 'Firebase',
    about: 'Firebase Authentication and Google Identity Platform',
    blanks: [
      {
        name: 'project',
        label: 'Firebase project ID',
        help: 'In the Firebase console under Project settings.',
        placeholder: 'my-shop-1a2b3',
        form: label,
        problem: 'A project ID has letters, digits and hyphens',
      },
    ],
    issuerOf: ({ project = '' }) => `https://securetoken.google.com/${project}`,
    there: 'Add the custom claim role with the value authenticated to every user.',
  },
  {
    type: 'clerk',
    title: 'Clerk',
    about: 'Session tokens of a Clerk instance',
    blanks: [
      {
        name: 'domain',
        label: 'Clerk domain',
        help: 'In the Clerk dashboard, without https://.',
        placeholder: 'clerk.example.com',
        form: domain,
        problem: 'Enter only the domain, such as clerk.example.com',
      },
    ],
    issuerOf: ({ domain: host = '' }) => `https://${host.toLowerCase()}`,
    there: 'Add the claim role with the value authenticated to the session token.',
  },
  {
    type: 'auth0',
    title: 'Auth0',
    about: 'Tokens of an Auth0 tenant',
    blanks: [
      {
        name: 'tenant',
        label: 'Tenant',
        help: 'The first part of the domain of the tenant.',
        placeholder: 'my-shop',
        form: label,
        problem: 'A tenant has letters, digits and hyphens',
      },
      {
        name: 'region',
        label: 'Region (optional)',
        help: 'The second part, where the domain has one: eu, us, au or jp.',
        placeholder: 'eu',
        optional: true,
        form: label,
        problem: 'A region has letters, digits and hyphens',
      },
    ],
    issuerOf: ({ tenant = '', region = '' }) =>
      `https://${[tenant, region, 'auth0.com'].filter(Boolean).join('.').toLowerCase()}`,
    there: 'Add the claim role with the value authenticated in a post-login action.',
  },
  {
    type: 'awsCognito',
    title: 'AWS Cognito',
    about: 'Tokens of a Cognito user pool',
    blanks: [
      {
        name: 'pool',
        label: 'User pool ID',
        placeholder: 'eu-central-1_AbCdEfGhI',
        form: /^[\w-]+_[0-9a-z]+$/i,
        problem: 'A user pool ID has the form region_name',
      },
      {
        name: 'region',
        label: 'Region',
        placeholder: 'eu-central-1',
        form: /^[a-z]+(?:-[a-z0-9]+)+$/,
        problem: 'A region looks like eu-central-1',
      },
    ],
    issuerOf: ({ pool = '', region = '' }) => `https://cognito-idp.${region}.amazonaws.com/${pool}`,
    there: 'Add the claim role with the value authenticated in a pre token generation trigger.',
  },
  {
    type: 'workos',
    title: 'WorkOS',
    about: 'Access tokens of WorkOS AuthKit',
    blanks: [
      {
        name: 'issuer',
        label: 'Issuer URL',
        placeholder: 'https://api.workos.com/user_management/client_01ABC',
        form: /^https:\/\/\S+\.\S+$/,
        problem: 'Enter the full URL, including https://',
      },
    ],
    issuerOf: ({ issuer = '' }) => issuer,
    there: 'Add the claim role with the value authenticated to the template of the token.',
  },
]

export const otherIssuer = {
  type: 'custom',
  title: 'Other issuer',
  about: 'Any OpenID issuer, or your own keys',
} as const

export const titleOf = (type: ThirdPartyType): string =>
  parties.find((party) => party.type === type)?.title ?? otherIssuer.title

/** The problems in a form, by the name of the blank; empty when it can be sent. */
export function problemsIn(party: Party, filled: Record<string, string>): Record<string, string> {
  const wrong = party.blanks.filter(({ name, form, optional }) => {
    const text = filled[name] ?? ''
    return text === '' ? !optional : !form.test(text)
  })
  return Object.fromEntries(
    wrong.map(({ name, label: fieldLabel, problem }) => [
      name,
      filled[name] ? problem : `Enter the ${fieldLabel}`,
    ]),
  )
}

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
