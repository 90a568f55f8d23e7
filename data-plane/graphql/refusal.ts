type More = {
  code?: string | undefined
  details?: unknown
  hint?: string | null
  headers?: Readonly<Record<string, string>>
}

/** Why a request is not answered as asked; `status` is what HTTP says when nothing of it can be executed. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly details: unknown
  readonly hint: string | null
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, more: More = {}) {
    super(message)
    this.status = status
    this.code = more.code
    this.details = more.details ?? null
    this.hint = more.hint ?? null
    this.headers = more.headers ?? {}
  }

  /** What a client reads beside the message. */
  extensions(): Record<string, unknown> {
    const { code, details, hint } = this
    return {
      ...(code === undefined ? {} : { code }),
      ...(details === null ? {} : { details }),
      ...(hint === null ? {} : { hint }),
    }
  }
}
