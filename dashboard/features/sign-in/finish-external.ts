import { supportEmail } from '../../session/support.ts'
import { toast } from '../../ui/toast.ts'
import { messageOf } from '../../api/client.ts'
import { authErrorText } from './auth-error.ts'

type Answer = { code: string | undefined; refusal: string | undefined }

/** The way back from another place: takes the session of the code, or tells why there is none (requirements §4, §8). */
export async function finishExternalSignIn({ code, refusal }: Answer): Promise<void> {
  if (refusal !== undefined) return tell(refusal)
  try {
    if (code === undefined) return
    // The client of the auth service is no part of the first load.
    const { takeExternalSession } = await import('../../session/external-auth.ts')
    await takeExternalSession(code)
  } catch (error) {
    tell(messageOf(error))
  }
}

const tell = (message: string) =>
  void toast.error(authErrorText(message, supportEmail), { id: 'external-sign-in' })
