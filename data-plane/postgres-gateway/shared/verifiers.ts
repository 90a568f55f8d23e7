import { isLoginRole } from '#contract/database/login-roles'
import { readVerifier, type Verifier } from '#kit/postgres/scram-keys'

/**
 * What the server keeps of a role's password: a SCRAM verifier; `other`: something else; null: nothing, or nobody of this name may
 * sign in now. Rejects when nobody can tell.
 */
export type PasswordSource = (ref: string, role: string) => Promise<string | null>
export type Known = Verifier | 'other' | undefined

/** As long as others may go on after a password was changed; what comes later is asked of the server. */
const freshMs = 5000
/** While nobody can tell, what was known is used: the server itself still checks each connection that it takes. */
const usableMs = 600_000
const maxKnown = 10_000

type Entry = { asked: Promise<Known>; at: number; value?: { known: Known; at: number } }

/** Asks for verifiers, and remembers them for a moment: many connections begin at once. */
export function createVerifiers(source: PasswordSource, now = () => performance.now()) {
  const entries = new Map<string, Entry>()
  let lastTookMs = 2

  async function ask(ref: string, role: string, before: Entry | undefined): Promise<Known> {
    const begun = now()
    try {
      const text = await source(ref, role)
      lastTookMs = now() - begun
      return text === null ? undefined : (readVerifier(text) ?? 'other')
    } catch (error) {
      const last = before?.value
      if (last && now() - last.at < usableMs) return last.known
      throw error
    }
  }

  return {
    /** Undefined: there is no such role, or it has no password. Rejects when nobody can tell. */
    of(ref: string, role: string): Promise<Known> {
      const name = `${ref} ${role}`
      const before = entries.get(name)
      // Each command of a program may have a new password for these.
      if (before && !isLoginRole(role) && now() - before.at < freshMs) return before.asked
      const asked = ask(ref, role, before)
      const entry: Entry = { asked, at: now(), ...(before?.value && { value: before.value }) }
      asked.then(
        (known) => {
          entry.value = { known, at: now() }
        },
        () => {
          // Whoever comes next asks again.
          if (entries.get(name) === entry) entries.delete(name)
        },
      )
      entries.delete(name)
      entries.set(name, entry)
      const [oldest] = entries.keys()
      if (entries.size > maxKnown && oldest !== undefined) entries.delete(oldest)
      return asked
    },
    /** The server knows another one. */
    forget(ref: string, role: string): void {
      entries.delete(`${ref} ${role}`)
    },
    /** Takes as long as asking did the last time. */
    pretend: () => new Promise<void>((resolve) => setTimeout(resolve, lastTookMs)),
  }
}
export type Verifiers = ReturnType<typeof createVerifiers>
