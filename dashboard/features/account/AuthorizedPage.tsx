import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { leaveAnswer } from './github-popup.ts'

type Props = { state: string | undefined; refusal: string | undefined }

/** /authorized: the end of a window that asked another place. The window that opened it takes the answer and closes this one. */
export function AuthorizedPage({ state, refusal }: Props) {
  const [taken] = useState(() => leaveAnswer(localStorage, { state, refusal }))
  return (
    <>
      <h1>{taken ? 'You can close this window' : 'Nobody here asked for this'}</h1>
      <div className="auth-note">
        <p className="muted t14">
          {taken
            ? (refusal ?? 'Plinth goes on in the window you came from.')
            : 'This answer does not belong to anything that was begun in this browser. Nothing was changed here.'}
        </p>
        <Button size="form" onClick={() => window.close()}>
          Close window
        </Button>
      </div>
    </>
  )
}
