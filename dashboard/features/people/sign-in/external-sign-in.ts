import { supportEmail } from '../../../session/support.ts'
import { messageOf } from '../../../api/client.ts'
import { safeReturnTo } from '../../../session/identity/return-to.ts'
import { authErrorText } from './auth-error.ts'

type Answer = { code: string | undefined; refusal: string | undefined }

/** Why the last way back brought no session; the page that the address without the code leads to tells it. */
let refused: string | undefined

export const externalRefusal = () => refused
export const forgetExternalRefusal = () => {
  refused = undefined
}

/** The way back from another place: takes the session of the code, or keeps why there is none (requirements §4, §8). */
export async function finishExternalSignIn({ code, refusal }: Answer): Promise<void> {
  if (refusal !== undefined) return keep(refusal)
  try {
    if (code === undefined) return
    // The client of the auth service is no part of the first load.
    const { takeExternalSession } = await import('../../../session/identity/external-auth.ts')
    await takeExternalSession(code)
  } catch (error) {
    keep(messageOf(error))
  }
}

function keep(message: string) {
  refused = authErrorText(message, supportEmail)
}

/** Where a sign-in at another place comes back to: the sign-in page, which takes the session and goes on. */
export function landingFor(returnTo: string | undefined): string {
  const landing = new URL('/sign-in', location.origin)
  if (returnTo && safeReturnTo(returnTo) === returnTo)
    landing.searchParams.set('returnTo', returnTo)
  return landing.href
}

const key = 'plinth.last-sign-in'

/** `password`, `sso`, or the name of another place. It stays when one signs out: it is about the browser. */
export const lastSignIn = (): string | null => localStorage.getItem(key)

export const rememberSignIn = (way: string): void => localStorage.setItem(key, way)
