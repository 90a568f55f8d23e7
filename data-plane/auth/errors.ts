/**
 * Every refusal of this service: status and words by code. The codes are the public ones that client libraries
 * match on; the statuses are those of the contract.
 */
const table = {
  validation_failed: [400, 'The request is not valid'],
  bad_json: [400, 'Could not parse request body as JSON'],
  invalid_credentials: [400, 'Invalid login credentials'],
  email_not_confirmed: [400, 'Email not confirmed'],
  user_banned: [400, 'User is banned'],
  email_provider_disabled: [400, 'Email logins are disabled'],
  phone_provider_disabled: [400, 'Phone logins are disabled'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  session_expired: [400, 'Invalid Refresh Token: Session Expired'],
  reauthentication_needed: [400, 'Password update requires reauthentication'],
  current_password_required: [400, 'Send the current password to set a new one'],
  no_authorization: [401, 'This endpoint requires a Bearer token'],
  bad_jwt: [403, 'Invalid JWT: unable to parse or verify signature'],
  not_admin: [403, 'User not allowed'],
  session_not_found: [403, 'Session from session_id claim in JWT does not exist'],
  otp_expired: [403, 'Token has expired or is invalid'],
  flow_state_expired: [403, 'The sign-in flow has expired, start again'],
  bad_code_verifier: [403, 'Code challenge does not match the code verifier'],
  flow_state_not_found: [404, 'No sign-in flow belongs to this code'],
  user_not_found: [404, 'User not found'],
  not_found: [404, 'There is nothing at this address'],
  request_entity_too_large: [413, 'The request body is larger than 1 MiB'],
  weak_password: [422, 'Password is too weak'],
  same_password: [422, 'New password should be different from the old password.'],
  user_already_exists: [422, 'User already registered'],
  email_exists: [422, 'A user with this email address has already been registered'],
  phone_exists: [422, 'A user with this phone number has already been registered'],
  signup_disabled: [422, 'Signups not allowed for this instance'],
  otp_disabled: [422, 'Signups not allowed for otp'],
  anonymous_provider_disabled: [422, 'Anonymous sign-ins are disabled'],
  reauthentication_not_valid: [422, 'Nonce has expired or is invalid'],
  user_sso_managed: [422, 'This account is managed by single sign-on'],
  conflict: [409, 'Someone else changed this at the same moment, try again'],
  over_request_rate_limit: [429, 'Request rate limit reached'],
  over_email_send_rate_limit: [429, 'Email rate limit exceeded'],
  request_timeout: [504, 'The request took too long'],
  unexpected_failure: [500, 'Unexpected failure, please check server logs for more information'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type AuthErrorCode = keyof typeof table

/** What a client may learn beside code and message. */
type Details = {
  status?: number
  /** Seconds; becomes the Retry-After header. */
  retryAfter?: number
  /** Why a password is too weak: `length`, `characters`. */
  reasons?: readonly string[]
}

/** The one error a feature of this service throws on purpose. Anything else is a bug. */
export class AuthError extends Error {
  readonly code: AuthErrorCode
  readonly status: number
  readonly retryAfter: number | undefined
  readonly reasons: readonly string[] | undefined

  constructor(code: AuthErrorCode, message: string = table[code][1], details: Details = {}) {
    super(message)
    this.name = 'AuthError'
    this.code = code
    this.status = details.status ?? table[code][0]
    this.retryAfter = details.retryAfter
    this.reasons = details.reasons
  }
}

/** The refusal of a value, with our words about what is wrong with it. */
export function invalid(message: string): AuthError {
  return new AuthError('validation_failed', message)
}
