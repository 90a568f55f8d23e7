import type { ReactNode } from 'react'
import { AskFirst } from './AskFirst.tsx'
import { GuardedPanel } from './GuardedPanel.tsx'
import type { SettingsGroup } from './setting-field.ts'
import { SettingFields } from './SettingFields.tsx'
import { useSettings } from './use-settings.ts'

type Props = SettingsGroup & {
  projectRef: string
  onClose: () => void
  /** Below the fields, as an address to copy. */
  children?: ReactNode
}

/** Settings in a panel over the page. */
export function SettingsPanel({ onClose, children, ...group }: Props) {
  const { projectRef, title } = group
  const settings = useSettings({ ...group, onSaved: onClose })
  const { dirty, pending, reason, error, submit, cancel } = settings
  return (
    <>
      <GuardedPanel
        title={title}
        dirty={dirty}
        pending={pending}
        reason={reason}
        error={error}
        onSubmit={submit}
        onCancel={cancel}
        onClose={onClose}
      >
        <SettingFields projectRef={projectRef} settings={settings} />
        {children}
      </GuardedPanel>
      <AskFirst settings={settings} />
    </>
  )
}
