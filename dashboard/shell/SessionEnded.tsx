import { useLocation } from '@tanstack/react-router'
import { forgetEndedSession, useEndedSession } from '../session/identity/ended-session.ts'
import { returnToOf } from '../session/identity/return-to.ts'
import { Button } from '../ui/controls/Button.tsx'
import { buttonClass } from '../ui/controls/button-class.ts'
import { Dialog } from '../ui/floats/Dialog.tsx'

/** Over the page that stands there: nobody loses what they have typed because a session has ended. */
export function SessionEnded() {
  const isEnded = useEndedSession(({ of }) => of !== undefined)
  const { pathname, searchStr } = useLocation()
  const returnTo = returnToOf(pathname + searchStr)
  const close = () => useEndedSession.setState({ of: undefined })
  const query = returnTo ? `?${new URLSearchParams({ returnTo }).toString()}` : ''
  return (
    <Dialog
      open={isEnded}
      onClose={close}
      title="Your session has ended"
      size="small"
      footer={
        <>
          <Button size="form" onClick={close}>
            Not now
          </Button>
          <a
            className={buttonClass({ size: 'form', variant: 'primary' })}
            href={`/sign-in${query}`}
            target="_blank"
            rel="opener"
            // The tab asks for a password only where no session is stored.
            onClick={forgetEndedSession}
          >
            Sign in
          </a>
        </>
      }
    >
      <p>
        Sign in again in a new tab. This page stays as it is, and continues as soon as you are
        signed in.
      </p>
    </Dialog>
  )
}
