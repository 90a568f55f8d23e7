import { OAuthError } from './oauth-error.ts'
import type { ClientProof, Form } from './tokens.ts'

function fromParams(params: URLSearchParams): Form {
  const form: Form = {}
  for (const [name, value] of params) {
    // Two readers could otherwise each believe another one (RFC 6749 §3.1).
    if (Object.hasOwn(form, name))
      throw new OAuthError('invalid_request', 'A parameter is repeated')
    if (value.includes('\0'))
      throw new OAuthError('invalid_request', 'NUL cannot be part of a value')
    form[name] = value
  }
  return form
}

/** The parameters of an address, each at most once. */
export const readQuery = (url: string): Form =>
  fromParams(new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : ''))

/** A form, or the same as a JSON object of texts. */
export function readForm(body: unknown): Form {
  if (typeof body === 'string') return fromParams(new URLSearchParams(body))
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : []
  const texts = entries.filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && !entry[1].includes('\0'),
  )
  if (texts.length !== entries.length) {
    throw new OAuthError('invalid_request', 'Every parameter must be a string')
  }
  return Object.fromEntries(texts)
}

/** What the client proves itself with; one way at a time. */
export function readProof(authorization: string | undefined, form: Form): ClientProof {
  const inBody = { id: form['client_id'], secret: form['client_secret'] }
  if (authorization === undefined) return inBody
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  const pair = encoded ? Buffer.from(encoded, 'base64').toString().split(':') : []
  if (inBody.secret !== undefined || pair.length !== 2) {
    throw new OAuthError(
      'invalid_client',
      'Authenticate the app in one way only: HTTP Basic or the body',
    )
  }
  const [id, secret] = pair.map(decoded)
  if (inBody.id !== undefined && inBody.id !== id) {
    throw new OAuthError('invalid_client', 'Two different apps are named')
  }
  return { id, secret }
}

/** Basic credentials are form-encoded first (RFC 6749 §2.3.1). */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // Half a percent sign is not an encoded text; it is taken as it is and will not match.
    return text
  }
}
