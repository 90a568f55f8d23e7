import { useState, type ReactNode } from 'react'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { SaveCancel } from '../../ui/SaveCancel.tsx'
import { SidePanel } from '../../ui/SidePanel.tsx'
import { AskFirst } from './AskFirst.tsx'
import type { SettingsGroup } from './setting-field.ts'
import { SettingFields } from './SettingFields.tsx'
import { useSettings } from './use-settings.ts'

type Props = SettingsGroup & {
  projectRef: string
  onClose: () => void
  /** Below the fields, as an address to copy. */
  children?: ReactNode
}

/** Settings in a panel over the page. Closing it with changes that are not saved asks first. */
export function SettingsPanel({ onClose, children, ...group }: Props) {
  const { projectRef, title } = group
  const settings = useSettings({ ...group, onSaved: onClose })
  const { dirty, pending, reason, submit } = settings
  const [leaving, setLeaving] = useState(false)
  const close = () => (dirty ? setLeaving(true) : onClose())
  return (
    <>
      <SidePanel
        open
        size="large"
        title={title}
        onClose={close}
        shell={(inside) => (
          <Form error={undefined} pending={pending} onSubmit={submit}>
            {inside}
          </Form>
        )}
        footer={
          <SaveCancel dirty={dirty} pending={pending} reason={reason} onCancel={settings.cancel} />
        }
      >
        <div className="form-stack">
          <SettingFields projectRef={projectRef} settings={settings} />
          {children}
          {settings.error && (
            <p className="err" role="alert">
              {settings.error}
            </p>
          )}
        </div>
      </SidePanel>
      <AskFirst settings={settings} />
      <ConfirmDialog
        open={leaving}
        title="Close without saving?"
        verb="Close"
        error={undefined}
        pending={false}
        onClose={() => setLeaving(false)}
        onConfirm={onClose}
      >
        <p>What was changed here is not saved yet. Closing drops these changes.</p>
      </ConfirmDialog>
    </>
  )
}
