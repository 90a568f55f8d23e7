/** What the server says of a failed statement. */
export type DatabaseError = Error & { code: string }

export const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
