import type { Secrets } from '#kit/secrets'

const identity = (ref: string) => `connection:${ref}`

/**
 * The opaque `connectionString` that metadata calls carry. One per project while this process lives: a new one at each
 * answer would look like a change.
 */
export function createMarkers(secrets: Secrets) {
  const known = new Map<string, string>()
  return {
    of(ref: string): string {
      const marker = known.get(ref) ?? secrets.seal(ref, identity(ref))
      known.set(ref, marker)
      return marker
    },
    isOf(marker: string, ref: string): boolean {
      try {
        return secrets.open(marker, identity(ref)) === ref
      } catch {
        // Any text that does not open is not a marker; why it does not is nobody's business.
        return false
      }
    },
  }
}
