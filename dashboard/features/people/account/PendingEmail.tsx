import type { User } from '@supabase/auth-js'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../../api/client.ts'
import { auth } from '../../../session/identity/auth.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'

import { toast } from '../../../ui/floats/toast.ts'
import { cancelEmailChange, forgetAuth } from './account-data.ts'
import { Ago } from '../../../ui/text/Ago.tsx'
import { useAuthAction } from './use-auth-action.ts'

/** A change of address that waits for its mails to be confirmed. */
export function PendingEmail({ user, newEmail }: { user: User; newEmail: string }) {
  const tell = (error: Error) => toast.error(messageOf(error))
  const resend = useAuthAction(
    async () =>
      (await auth()).resend({
        type: 'email_change',
        // The account is found by the address it has.
        email: user.email ?? '',
        options: { emailRedirectTo: `${location.origin}/account/me` },
      }),
    async () => {
      toast.success('Sent again')
      await forgetAuth('user')
    },
  )
  const cancel = useMutation({
    mutationFn: cancelEmailChange,
    onSuccess: async () => {
      toast.success('Your email address was not changed')
      await forgetAuth('user')
    },
    onError: tell,
  })
  return (
    <div className="pad-x">
      <Alert
        variant="info"
        title={
          <span className="plain">
            Waiting for <span className="med">{newEmail}</span> to be confirmed
          </span>
        }
        action={
          <span className="row">
            <Button
              busy={resend.isPending}
              onClick={() => resend.mutate(undefined, { onError: tell })}
            >
              Send again
            </Button>
            <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
              Cancel change
            </Button>
          </span>
        }
      >
        Open the links in the emails to both addresses.
        {user.email_change_sent_at && (
          <>
            {' '}
            Sent <Ago at={user.email_change_sent_at} />.
          </>
        )}
      </Alert>
    </div>
  )
}
