import type { ReactNode } from 'react'
import { FormCard } from '../../../ui/controls/FormCard.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { type SettingsForm, useSettings } from './use-settings.ts'
import type { SettingsGroup } from './setting-field.ts'
import { SettingFields } from './SettingFields.tsx'

type Props = SettingsGroup & { projectRef: string; children?: ReactNode }

/** Some settings of the auth service that belong together, saved together. */
export function SettingsCard({ children, ...group }: Props) {
  const { projectRef, title } = group
  const settings = useSettings(group)
  return (
    <>
      <FormCard
        title={title}
        error={settings.error}
        dirty={settings.dirty}
        pending={settings.pending}
        reason={settings.reason}
        onSubmit={settings.submit}
        onCancel={settings.cancel}
      >
        <div className="form-stack">
          <SettingFields projectRef={projectRef} settings={settings} />
          {children}
        </div>
      </FormCard>
      <AskFirst settings={settings} />
    </>
  )
}

/** Asks before a change that locks somebody out. It stands beside the form: a form within it would send that one, too. */
export function AskFirst({ settings }: { settings: SettingsForm }) {
  const { asking, stopAsking, agree, pending } = settings
  return (
    <ConfirmDialog
      open={asking !== undefined}
      title={asking?.caution.title}
      verb={asking?.caution.verb ?? ''}
      danger={asking?.caution.harmless !== true}
      error={undefined}
      pending={pending}
      onClose={stopAsking}
      onConfirm={agree}
    >
      <p>{asking?.caution.text}</p>
    </ConfirmDialog>
  )
}
