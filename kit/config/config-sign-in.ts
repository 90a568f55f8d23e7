import { z } from 'zod'

/** One OpenID provider of `PLINTH_OIDC_PROVIDERS`. */
const Oidc = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_-]{1,30}$/, 'must be of a-z, 0-9, - and _'),
  issuer: z.string().regex(/^https?:\/\/\S+$/, 'must start with https://'),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  label: z.string().min(1).max(40).optional(),
  scopes: z.array(z.string().regex(/^\S+$/)).default(['openid', 'email', 'profile']),
})

function parsedJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' })
    return z.NEVER
  }
}

/** Names that the sign-in protocol uses for something else. */
const reserved = ['email', 'phone', 'anonymous_users', 'github', 'sso', 'web3', 'saml']

const OidcList = z
  .string()
  .default('[]')
  .transform(parsedJson)
  .pipe(z.array(Oidc))
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'names repeat')
  .refine(
    (list) => list.every(({ name }) => !reserved.includes(name)),
    `cannot be named ${reserved.join(', ')}`,
  )

/** Where people of the dashboard can sign in besides by password. */
export const signInEnvironment = {
  PLINTH_GITHUB_CLIENT_ID: z.string().optional(),
  PLINTH_GITHUB_CLIENT_SECRET: z.string().optional(),
  PLINTH_GITHUB_URL: z
    .string()
    .regex(/^https?:\/\/[^\s/]+\/?$/, 'must be an address without a path')
    .default('https://github.com'),
  PLINTH_OIDC_PROVIDERS: OidcList,
  PLINTH_TRUSTED_SSO_DOMAINS: z.string().default(''),
}
const SignInEnvironment = z.object(signInEnvironment)

type Client = { name: string; label: string; clientId: string; clientSecret: string }
export type SignInProvider =
  | (Client & { kind: 'github'; url: string })
  | (Client & { kind: 'oidc'; issuer: string; scopes: string[] })

/** The providers in the order in which buttons stand. GitHub is one when it has both its id and its secret. */
export function signInProviders(e: z.output<typeof SignInEnvironment>): SignInProvider[] {
  const { PLINTH_GITHUB_CLIENT_ID: clientId, PLINTH_GITHUB_CLIENT_SECRET: clientSecret } = e
  const url = e.PLINTH_GITHUB_URL.replace(/\/$/, '')
  const github = { kind: 'github', name: 'github', label: 'GitHub', url } as const
  return [
    ...(clientId && clientSecret ? [{ ...github, clientId, clientSecret }] : []),
    ...e.PLINTH_OIDC_PROVIDERS.map(({ name, issuer, label, scopes, ...client }) => ({
      kind: 'oidc' as const,
      name,
      label: label ?? name,
      issuer,
      scopes,
      clientId: client.client_id,
      clientSecret: client.client_secret,
    })),
  ]
}
