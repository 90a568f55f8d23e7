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
  phone_not_confirmed: [400, 'Phone not confirmed'],
  email_provider_disabled: [400, 'Email logins are disabled'],
  phone_provider_disabled: [400, 'Phone logins are disabled'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  session_expired: [400, 'Invalid Refresh Token: Session Expired'],
  reauthentication_needed: [400, 'Password update requires reauthentication'],
  current_password_required: [400, 'Send the current password to set a new one'],
  captcha_failed: [400, 'captcha protection: request disallowed'],
  no_authorization: [401, 'This endpoint requires a Bearer token'],
  bad_jwt: [403, 'Invalid JWT: unable to parse or verify signature'],
  not_admin: [403, 'User not allowed'],
  session_not_found: [403, 'Session from session_id claim in JWT does not exist'],
  otp_expired: [403, 'Token has expired or is invalid'],
  flow_state_expired: [403, 'The sign-in flow has expired, start again'],
  bad_oauth_state: [400, 'The sign-in was not started here, or took too long. Start again'],
  bad_oauth_callback: [400, 'Signing in with the provider failed. Try again'],
  provider_disabled: [400, 'Provider is not enabled'],
  web3_provider_disabled: [422, 'Web3 provider is disabled'],
  web3_unsupported_chain: [400, 'Unsupported chain'],
  unexpected_audience: [400, 'Unacceptable audience in id_token'],
  provider_email_needs_verification: [403, 'The email address is not verified'],
  sso_provider_not_found: [404, 'No SSO provider assigned for this domain'],
  saml_relay_state_not_found: [404, 'The sign-in was not started here, or is over. Start again'],
  saml_relay_state_expired: [403, 'The sign-in took too long. Start again'],
  saml_assertion_no_user_id: [422, 'The identity provider sent no lasting id of the person'],
  saml_assertion_no_email: [422, 'The identity provider sent no email address'],
  saml_provider_disabled: [404, 'SAML 2.0 is disabled'],
  saml_metadata_fetch_failed: [422, 'The metadata could not be read from its address'],
  saml_idp_already_exists: [422, 'There is a provider with this entity ID already'],
  sso_domain_already_exists: [422, 'The domain belongs to another SSO provider'],
  email_address_not_authorized: [
    403,
    'The identity provider may not sign in people with an address of this domain',
  ],
  manual_linking_disabled: [404, 'Manual linking is disabled'],
  bad_code_verifier: [403, 'Code challenge does not match the code verifier'],
  flow_state_not_found: [404, 'No sign-in flow belongs to this code'],
  user_not_found: [404, 'User not found'],
  mfa_factor_not_found: [404, 'Factor not found'],
  not_found: [404, 'There is nothing at this address'],
  custom_provider_not_found: [404, 'Custom provider not found'],
  oauth_client_not_allowed: [403, 'Apps cannot do this for the user'],
  oauth_client_not_found: [404, 'OAuth client not found'],
  oauth_authorization_not_found: [404, 'OAuth authorization not found'],
  oauth_authorization_expired: [400, 'The authorization has expired, start again in the app'],
  oauth_consent_not_found: [404, 'This app has no access to the account'],
  oauth_dynamic_client_registration_disabled: [403, 'Apps cannot register themselves here'],
  feature_disabled: [404, 'This is not enabled'],
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
  identity_already_exists: [422, 'Identity is already linked'],
  identity_not_found: [422, 'This account has no such identity'],
  single_identity_not_deletable: [422, 'User must have at least 1 identity after unlinking'],
  email_conflict_identity_not_deletable: [
    422,
    'The address that would be left belongs to another account',
  ],
  user_sso_managed: [422, 'This account is managed by single sign-on'],
  insufficient_aal: [422, 'This requires a second factor'],
  mfa_factor_name_conflict: [422, 'A factor with this friendly name already exists'],
  mfa_challenge_expired: [422, 'The challenge has expired, create a new one'],
  mfa_verification_failed: [422, 'Invalid TOTP code entered'],
  mfa_totp_enroll_not_enabled: [422, 'MFA enroll is disabled for TOTP'],
  mfa_totp_verify_not_enabled: [422, 'MFA verification is disabled for TOTP'],
  mfa_phone_enroll_not_enabled: [422, 'MFA enroll is disabled for Phone'],
  mfa_phone_verify_not_enabled: [422, 'MFA verification is disabled for Phone'],
  mfa_verified_factor_exists: [
    422,
    'A verified phone factor already exists, unenroll the existing factor to continue',
  ],
  mfa_webauthn_enroll_not_enabled: [422, 'MFA enroll is disabled for WebAuthn'],
  mfa_webauthn_verify_not_enabled: [422, 'MFA verification is disabled for WebAuthn'],
  passkey_disabled: [422, 'Passkeys are disabled'],
  too_many_passkeys: [422, 'Maximum number of passkeys reached, delete one to continue'],
  webauthn_challenge_not_found: [404, 'The challenge is unknown, or was answered before'],
  webauthn_challenge_expired: [422, 'The challenge has expired, start again'],
  webauthn_verification_failed: [422, 'The passkey could not be verified'],
  webauthn_credential_exists: [422, 'This passkey is registered already'],
  webauthn_credential_not_found: [404, 'Passkey not found'],
  too_many_enrolled_mfa_factors: [
    422,
    'Maximum number of factors reached, unenroll one to continue',
  ],
  mfa_verification_rejected: [403, 'Further MFA verification attempts will be rejected.'],
  hook_rejected: [422, 'The hook of this project refused'],
  hook_failed: [422, 'The hook of this project did not answer as it has to'],
  hook_timeout: [422, 'Failed to reach hook within maximum time'],
  hook_timeout_after_retry: [422, 'Failed to reach hook after maximum retries'],
  hook_payload_over_size_limit: [422, 'The answer of the hook is too large'],
  hook_payload_invalid_content_type: [422, 'The answer of the hook is not JSON'],
  sms_send_failed: [422, 'The text message with the code could not be sent'],
  conflict: [409, 'Someone else changed this at the same moment, try again'],
  over_request_rate_limit: [429, 'Request rate limit reached'],
  over_email_send_rate_limit: [429, 'Email rate limit exceeded'],
  over_sms_send_rate_limit: [429, 'SMS rate limit exceeded'],
  provider_unreachable: [503, 'The sign-in provider does not answer, try again shortly'],
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
  /** For the log: what this came from. */
  cause?: unknown
}

/** The one error a feature of this service throws on purpose. Anything else is a bug. */
export class AuthError extends Error {
  readonly code: AuthErrorCode
  readonly status: number
  readonly retryAfter: number | undefined
  readonly reasons: readonly string[] | undefined

  constructor(code: AuthErrorCode, message: string = table[code][1], details: Details = {}) {
    super(message, { cause: details.cause })
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
