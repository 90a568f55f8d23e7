/** The refusals of RFC 6749 §5.2 and RFC 7009, in that protocol's own shape. */
const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  temporarily_unavailable: 429,
} as const
export type OAuthErrorCode = keyof typeof statuses

/** A refusal that an app gets as `{error, error_description}`. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: number

  constructor(code: OAuthErrorCode, description: string) {
    super(description)
    this.name = 'OAuthError'
    this.code = code
    this.status = statuses[code]
  }
}
