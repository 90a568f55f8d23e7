import { Button } from '../../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { PasswordField } from '../../../../ui/controls/PasswordField.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { newSecret } from './hook-draft.ts'
import type { HookForm } from './use-hook.ts'

type Props = {
  form: HookForm
  /** A secret is stored. */
  kept: boolean
}

/** A hook that is asked over the network: where, and what its requests are signed with. */
export function HookAddress({ form: { draft, change, errors, locked }, kept }: Props) {
  return (
    <>
      <TextField
        label="URL"
        mono
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        help="It must respond within 5 seconds."
        error={errors.url}
        readOnly={locked}
        value={draft.url}
        onChange={(event) => change({ url: event.target.value })}
      />
      <PasswordField
        label="Secret"
        autoComplete="new-password"
        placeholder={kept ? 'Stored. Leave it empty to keep it.' : 'v1,whsec_…'}
        help={
          draft.secret === ''
            ? 'Signs requests, so that your server can verify who sent them.'
            : 'Copy it to your server now: it is not shown again once it is saved.'
        }
        error={errors.secret}
        readOnly={locked}
        value={draft.secret}
        action={draft.secret !== '' && <CopyButton text={draft.secret} what="secret" />}
        onChange={(event) => change({ secret: event.target.value })}
      />
      {!locked && (
        <div>
          <Button onClick={() => change({ secret: newSecret() })}>
            {kept ? 'Generate a new secret' : 'Generate secret'}
          </Button>
        </div>
      )}
    </>
  )
}
