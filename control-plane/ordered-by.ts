import type { Caller, Origin } from '#kit/http'

/** Who ordered what a job does, and from where. */
export type OrderedBy = { userId: string; email: string; origin: Origin }

/** A job does it for somebody whose rights were looked at when they ordered it. */
export const callerOf = ({ userId, email }: OrderedBy): Caller => ({
  kind: 'session',
  userId,
  email,
  sessionId: '',
  aal: 'aal1',
  authorize: () => Promise.resolve(),
})
