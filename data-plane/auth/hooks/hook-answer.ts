import { z } from 'zod'
import { AuthError } from '../errors.ts'

const Refusal = z.object({
  error: z.object({
    http_code: z.number().int().min(400).max(599).optional().catch(undefined),
    message: z.string().min(1),
  }),
})

/** Most characters of what a hook says that are passed on. */
const longestMessage = 1000

/** The object that a hook answered; no answer at all is an empty one. Throws what it refuses with. */
export function answerIn(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  const answer = objectIn(text)
  if (!answer) throw new AuthError('hook_failed', 'The hook did not answer with a JSON object')
  const refusal = refusalIn(answer)
  if (refusal) throw refusal
  return answer
}

/** What a hook refuses with, in its own words and with its own status. */
export function refusalIn(answer: unknown): AuthError | undefined {
  const parsed = Refusal.safeParse(answer)
  if (!parsed.success) return undefined
  const { http_code: status, message } = parsed.data.error
  return new AuthError('hook_rejected', message.slice(0, longestMessage), {
    ...(status !== undefined && { status }),
  })
}

export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined // checked in the line before
  } catch {
    return undefined
  }
}
