/** An OAuth 2 provider without OpenID, as data: where it is, what it wants to hear, and where its answer says who signed in. */
export type OAuthSpec = {
  authorize: string
  token: string
  /** Who signed in; read with the access token. */
  user: string
  scopes: readonly string[]
  /** Of the authorization: the parameter for the scopes when it is not `scope`, and what stands between them. */
  scopeParameter?: string
  scopeSeparator?: string
  parameters?: Readonly<Record<string, string>>
  /** It knows PKCE (RFC 7636). */
  pkce?: true
  /** It knows the client by an Authorization header instead of fields of the body. */
  basic?: true
  /** It takes the token request as JSON instead of a form. */
  json?: true
  /** Where the access token is in the token answer, when not at `access_token`. */
  tokenAt?: string
  /** Headers of the requests that read; `{client_id}` is the client's. */
  headers?: Readonly<Record<string, string>>
  /** Requests that read carry an HMAC of the token by the client's secret. */
  proof?: string
  /** A further address that lists the person's e-mail addresses. */
  emails?: {
    address: string
    list: string
    email: string
    primary: string
    verified: string
  }
  profile: {
    /** What never changes and is never given to somebody else. */
    subject: string
    email?: string
    /** Where it says so; `true` for a provider that names verified addresses only. */
    verified?: string | boolean
    /** Templates, of which the first that can be filled counts: `{first_name} {last_name}`. */
    name: readonly string[]
    userName?: string
    picture?: readonly string[]
  }
}

/** The value at a path such as `data.0.id`; undefined where there is none. */
export function valueAt(source: unknown, path: string): unknown {
  let value = source
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    // Any object can be read by name.
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

/** A text, or a number as text; undefined for anything else, and for an empty one. */
export function textAt(source: unknown, path: string): string | undefined {
  const value = valueAt(source, path)
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Providers say yes in several ways. */
export function isYes(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true'
}

/** Fills `{path}` in templates; the first that has a value for each of its places. */
export function firstFilled(source: unknown, templates: readonly string[]): string | undefined {
  for (const template of templates) {
    let complete = true
    const filled = template.replaceAll(/\{([^}]+)\}/g, (_, path: string) => {
      const value = textAt(source, path)
      if (value === undefined) complete = false
      return value ?? ''
    })
    if (complete) return filled
  }
  return undefined
}
