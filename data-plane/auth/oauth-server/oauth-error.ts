/** A refusal in the words of OAuth (RFC 6749 §5.2): `{error, error_description}`. */
export class OAuthError extends Error {
  readonly error: string
  readonly status: number

  constructor(error: OAuthErrorCode, description: string, status = 400) {
    super(description)
    this.name = 'OAuthError'
    this.error = error
    this.status = status
  }
}

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_token'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
