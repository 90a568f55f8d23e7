import { errors, type ErrorCode } from '#contract/errors'
import { restrictionErrors, type Restriction } from '../projects/restriction.ts'

/** No key, or one that this project does not know. */
export class KeyError extends Error {
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

/** There is no project of this name, or the name cannot be one. */
export class UnknownProjectError extends Error {
  constructor() {
    super('There is no project at this address')
  }
}

/** The project exists and cannot be served now. The message is for the client. */
export class UnavailableError extends Error {}

/** Its organization owes, or uses too much, for too long: reading goes on, all else is refused with the reason. */
export class RestrictedError extends Error {
  readonly code: ErrorCode

  constructor(restriction: Restriction) {
    const code = restrictionErrors[restriction]
    super(errors[code].message)
    this.code = code
  }
}

type Answer = { status: number; body: Record<string, string | null> }

/**
 * The gateway's own refusals, in the fields that the clients of all services read. Undefined: not one of them.
 * The body of a key problem is the contract's (rest.md §1).
 */
export function answerOf(error: unknown): Answer | undefined {
  if (error instanceof KeyError) {
    return { status: 401, body: { message: error.message, hint: error.hint } }
  }
  if (error instanceof UnknownProjectError) {
    return { status: 404, body: problem('project_not_found', error.message) }
  }
  if (error instanceof RestrictedError) {
    return { status: 402, body: problem(error.code, error.message) }
  }
  if (error instanceof UnavailableError) {
    return { status: 503, body: problem('project_unavailable', error.message) }
  }
  return undefined
}

const problem = (code: string, message: string) => ({ code, message, details: null, hint: null })
