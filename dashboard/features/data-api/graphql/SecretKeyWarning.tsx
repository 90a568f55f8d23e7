import { X } from 'lucide-react'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { putWarningAway, useConsole } from './console-state.ts'

/** Said until it was put away once in this browser. */
export function SecretKeyWarning() {
  const warned = useConsole((state) => state.warned)
  if (warned) return null
  return (
    <div className="gq-warning" role="note">
      <span>
        <b>Documents run with the secret key.</b> Row level security does not apply to them. Choose
        another role to see what your users see.
      </span>
      <IconButton icon={X} iconSize="s" label="Don't warn me again" onClick={putWarningAway} />
    </div>
  )
}
