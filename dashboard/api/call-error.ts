/** Why a call failed: the requirements' error shape (§3, §7), with `code` the HTTP status; 0 means the server was not reached. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** The HTTP status. */
  readonly code: number
  /** The machine-readable reason of contract/errors.ts, when the server gave one. */
  readonly reason: string | undefined
  readonly requestId: string | undefined
  /** Seconds to wait before trying again. */
  readonly retryAfter: number | undefined
  /** The slug of the organization whose page says what to do first. */
  readonly organization: string | undefined
  /** All that the server said, for who knows what else is in it. */
  readonly answer: Readonly<Record<string, unknown>>

  constructor(
    message: string,
    rest: {
      code: number
      reason?: string | undefined
      requestId?: string | undefined
      retryAfter?: number | undefined
      organization?: string | undefined
      answer?: Record<string, unknown> | undefined
    },
  ) {
    super(message)
    this.code = rest.code
    this.reason = rest.reason
    this.requestId = rest.requestId
    this.retryAfter = rest.retryAfter
    this.organization = rest.organization
    this.answer = rest.answer ?? {}
  }
}

// Word for word from the requirements' error catalogue (§8).
export const texts = {
  network: 'Unable to reach the server. Please check your network or try again later.',
  api: 'API error happened while trying to communicate with the server.',
  connection: 'API Error: happened while trying to acquire connection to the database',
  fallback: (status: number) => `An error has occurred: ${status}`,
}

/** The words to show for anything that was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error && error.message ? error.message : texts.api
