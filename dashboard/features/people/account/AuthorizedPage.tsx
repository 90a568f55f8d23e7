import { useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { leaveAnswer } from './github-popup.ts'

type Props = { state: string | undefined; refusal: string | undefined }

/** /authorized: the end of a window that asked another place. The window that opened it takes the answer and closes this one. */
export function AuthorizedPage({ state, refusal }: Props) {
  const [taken] = useState(() => leaveAnswer(localStorage, { state, refusal }))
  return (
    <>
      <h1>{taken ? 'You can close this window' : 'This sign-in was not started here'}</h1>
      <div className="auth-note">
        <p className="muted t14">
          {taken
            ? (refusal ?? 'Continue in the window you came from.')
            : 'This response does not belong to a request from this browser. Nothing was changed.'}
        </p>
        <Button size="form" onClick={() => window.close()}>
          Close window
        </Button>
      </div>
    </>
  )
}
