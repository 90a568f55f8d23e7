import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { apiKeys, type ApiKey } from '#contract/projects/api-keys'
import { call, messageOf } from '../../../api/client.ts'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { toast } from '../../../ui/floats/toast.ts'

type Props = { projectRef: string; apiKey: ApiKey; denied: string | undefined }

/** A secret key: its beginning, and the whole once it is asked for. It is read for that only and kept nowhere. */
export function SecretCell({ projectRef, apiKey: { id, name, api_key }, denied }: Props) {
  const [text, setText] = useState<string>()
  const [reading, setReading] = useState(false)

  async function reveal() {
    setReading(true)
    try {
      setText((await call(apiKeys.get, { ref: projectRef, id, reveal: true })).api_key)
    } catch (error) {
      toast.error(`The key could not be read: ${messageOf(error)}`)
    }
    setReading(false)
  }

  const shown = text !== undefined
  return (
    <span className="row">
      <span className="mono ell">{text ?? api_key}</span>
      <IconButton
        icon={shown ? EyeOff : Eye}
        iconSize="s"
        label={shown ? `Hide the key ${name}` : `Reveal the key ${name}`}
        aria-pressed={shown}
        busy={reading}
        disabledReason={denied}
        onClick={() => (shown ? setText(undefined) : void reveal())}
      />
      {shown && <CopyButton text={text} what={`the key ${name}`} />}
    </span>
  )
}
