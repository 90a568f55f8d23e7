/** What the auth service refused, in words for the form that asked (requirements §8). */
export function authErrorText(message: string, supportEmail: string): string {
  // The service cannot mail an address that GitHub has not verified.
  if (message.includes('Error sending confirmation mail'))
    return `Please verify your email on GitHub first, then reach out to us at ${supportEmail} to log into the dashboard.`
  if (isUnreachable(message))
    return 'Unable to reach the server. Please check your network or try again later.'
  return message
}

/** How the browsers word a request that never arrived. */
const isUnreachable = (message: string) =>
  /^(?:failed to fetch|load failed|networkerror\b.*|fetch failed)$/i.test(message)

/** What a call of the auth service failed of: words for the reader, and the code that says which field they are about. */
export class SignInError extends Error {
  readonly code: string | undefined
  constructor(message: string, code: string | undefined) {
    super(message)
    this.code = code
  }
}

export type AuthField = 'email' | 'password' | 'code'

/** Wrong credentials are about no field: which of the two is wrong is not said to strangers. */
const fieldOf: Partial<Record<string, AuthField>> = {
  email_address_invalid: 'email',
  email_address_not_authorized: 'email',
  email_exists: 'email',
  email_not_confirmed: 'email',
  user_already_exists: 'email',
  sso_provider_not_found: 'email',
  weak_password: 'password',
  same_password: 'password',
  mfa_challenge_expired: 'code',
  mfa_verification_failed: 'code',
}

/** Where a refusal stands in a form with these fields: beside the one that it is about, else above the button. */
export function errorsAt(
  error: SignInError | null,
  ...fields: AuthField[]
): Partial<Record<AuthField | 'form', string>> {
  if (!error) return {}
  const field = fieldOf[error.code ?? '']
  return { [field && fields.includes(field) ? field : 'form']: error.message }
}
