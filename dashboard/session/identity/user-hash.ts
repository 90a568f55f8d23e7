const key = 'plinth.reporting-id'

/** SHA-256 of a user's id in base64 (requirements §7): tells two people apart and names neither. */
export async function hashUserId(userId: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(userId))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
}

/** Whose errors these are, for who reads the reports; kept in this browser while they are there. */
export async function keepReportingId(userId: string, isThere: () => boolean): Promise<void> {
  // Browsers hash only on pages that came safely; on others reports go without it.
  if (!isSecureContext) return
  const hash = await hashUserId(userId)
  // Hashing takes a moment, in which they may have signed out: then nothing of them is kept.
  if (isThere()) localStorage.setItem(key, hash)
}

export const reportingId = (): string => localStorage.getItem(key) ?? ''
export const forgetReportingId = () => localStorage.removeItem(key)
