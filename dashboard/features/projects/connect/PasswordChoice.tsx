import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { placeholder } from './connection-uri.ts'
import type { ServerChoice } from './use-server.ts'

/** Puts the password into every string below, encoded as each of them needs it. */
export function PasswordChoice({ server, onPassword }: ServerChoice) {
  return (
    <PasswordField
      label="Database password"
      autoComplete="off"
      help={`Replaces ${placeholder} below, encoded as the format needs. It stays in this window.`}
      value={server.password ?? ''}
      onChange={(event) => onPassword(event.target.value)}
    />
  )
}
