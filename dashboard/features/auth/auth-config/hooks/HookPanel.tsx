import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { GuardedPanel } from '../GuardedPanel.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { PasswordField } from '../../../../ui/controls/PasswordField.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { ClosedNote } from '../SettingNote.tsx'
import { newSecret } from './hook-draft.ts'
import { type HookForm, useHook } from './use-hook.ts'
import { HookFunction } from './HookFunction.tsx'
import type { Hook } from './hooks.ts'

type Props = { projectRef: string; hook: Hook; onClose: () => void }

/** Makes a hook, changes it, switches it on and off, or takes it away. */
export function HookPanel({ projectRef, hook, onClose }: Props) {
  const form = useHook(projectRef, hook, onClose)
  const { draft, change, closed, locked, slug } = form
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      <GuardedPanel
        title={hook.title}
        dirty={form.dirty}
        pending={form.pending}
        reason={form.reason}
        error={form.error}
        onSubmit={form.submit}
        onCancel={form.cancel}
        onClose={onClose}
      >
        <p className="muted">{hook.help}</p>
        <div className="setting">
          <div className="setting-check">
            <Checkbox
              label="Enable this hook"
              checked={draft.enabled}
              disabled={locked || closed !== undefined}
              onChange={(event) => change({ enabled: event.target.checked })}
            />
          </div>
          {closed && <ClosedNote closed={closed} slug={slug} />}
        </div>
        <div className="labelled">
          <span>Hook type</span>
          <div>
            <Segmented
              label="Hook type"
              options={[
                { value: 'function', label: 'Postgres function' },
                { value: 'http', label: 'HTTPS' },
              ]}
              value={draft.kind}
              onChange={(kind) => !locked && change({ kind })}
            />
          </div>
        </div>
        {draft.kind === 'function' ? (
          <HookFunction projectRef={projectRef} form={form} />
        ) : (
          <HookAddress form={form} kept={form.config[hook.secrets] !== ''} />
        )}
        {form.isThere && (
          <div>
            <Button
              variant="danger-quiet"
              icon={Trash2}
              disabledReason={form.reason}
              onClick={() => setDeleting(true)}
            >
              Delete hook
            </Button>
          </div>
        )}
      </GuardedPanel>
      <ConfirmDialog
        open={deleting}
        title={`Delete ${hook.title}?`}
        verb="Delete hook"
        error={deleting ? form.error : undefined}
        pending={form.pending}
        onClose={() => setDeleting(false)}
        onConfirm={form.remove}
      >
        <p>
          The auth service stops calling the hook and behaves as it does without one. The URL and
          secret of the hook are deleted.
        </p>
      </ConfirmDialog>
    </>
  )
}

type HookAddressProps = {
  form: HookForm
  /** A secret is stored. */
  kept: boolean
}

/** A hook that is asked over the network: where, and what its requests are signed with. */
function HookAddress({ form: { draft, change, errors, locked }, kept }: HookAddressProps) {
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
