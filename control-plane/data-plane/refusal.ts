import { z } from 'zod'
import { errors, type ErrorCode } from '#contract/errors'
import { ApiError } from '#kit/errors'

const Refusal = z.object({
  message: z.string().optional().catch(undefined),
  /** Ours, or an SQLSTATE. */
  code: z.string().optional().catch(undefined),
  hint: z.string().optional().catch(undefined),
})

const isCode = (code: string | undefined): code is ErrorCode =>
  code !== undefined && Object.hasOwn(errors, code)

/** What a status stands for whose answer says no more. */
const byStatus: Record<number, ErrorCode> = {
  402: 'organization_restricted',
  404: 'project_not_found',
  408: 'query_timeout',
  429: 'rate_limited',
}

/**
 * What the data plane refused, as an error of ours: by its code where that is one of ours, as what the database refused
 * where it has words for that, and otherwise by its status.
 */
export function refusalOf(status: number, body: unknown): ApiError {
  const { code, message, hint } = Refusal.safeParse(body).data ?? {}
  if (hint === errors.quota_exceeded.message) return new ApiError('quota_exceeded')
  // The data plane lets who may only read try, and says with the refusal why it was none of a permission (25006).
  const isRestricted = code === '25006' || hint === errors.organization_restricted.message
  if (isRestricted) return new ApiError('organization_restricted')
  if (isCode(code) && code !== 'internal') return new ApiError(code, message)
  const known = byStatus[status]
  if (known) return new ApiError(known)
  if (status === 400 && message !== undefined) return new ApiError('query_failed', message)
  return new ApiError('project_unreachable')
}
