import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { CopyButton } from '../controls/CopyButton.tsx'
import { IconButton } from '../controls/IconButton.tsx'

type Props = { secret: string; what: string; label?: string }

/** A secret in a box: masked until asked for, copied without being shown. */
export function SecretText({ secret, what, label }: Props) {
  const [shown, setShown] = useState(false)
  return (
    <div className="in f mono secret ends">
      {label && <span className="faint">{label}</span>}
      <span className="grow ell">{shown ? secret : mask(secret)}</span>
      <IconButton
        icon={shown ? EyeOff : Eye}
        iconSize="s"
        label={shown ? `Hide ${what}` : `Reveal ${what}`}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      />
      <CopyButton text={secret} what={what} />
    </div>
  )
}

/** A secret with its middle hidden: enough is left to tell two keys apart, too little to use one. */
function mask(secret: string): string {
  const keep = secret.length >= 24 ? 4 : 0
  const prefix = /^[a-z]+_/.exec(secret)?.[0] ?? ''
  return `${prefix}${'•'.repeat(20)}${keep ? secret.slice(-keep) : ''}`
}
