import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { supportEmail } from '../../../session/support.ts'
import { AppCodeForm } from './AppCodeForm.tsx'
import { RecoveryCodeForm } from './RecoveryCodeForm.tsx'

/** /sign-in-mfa: asks for the second factor of who has one, or for one of their recovery codes. */
export function SignInMfaPage({ onVerified }: { onVerified: () => void }) {
  const [lost, setLost] = useState(false)
  const after = (
    <>
      <p className="t12 muted">
        {lost ? 'Found your app? ' : 'Lost your app? '}
        <button type="button" className="link" onClick={() => setLost(!lost)}>
          {lost ? 'Use its code' : 'Use a recovery code'}
        </button>
        {lost ? '. Without any code, write to ' : ', another app you have added, or write to '}
        <a className="link" href={`mailto:${supportEmail}`}>
          {supportEmail}
        </a>
        .
      </p>
      <Link className="link t12" to="/logout">
        Sign in as someone else
      </Link>
    </>
  )
  return (
    <>
      <h1>Two-factor authentication</h1>
      <p className="muted t14">
        {lost
          ? 'Enter one of the recovery codes that you have saved. Each works once.'
          : 'Enter the code that your authenticator app shows now.'}
      </p>
      {lost ? (
        <RecoveryCodeForm onVerified={onVerified} after={after} />
      ) : (
        <AppCodeForm onVerified={onVerified} after={after} />
      )}
    </>
  )
}
