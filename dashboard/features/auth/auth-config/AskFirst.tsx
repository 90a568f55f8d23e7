import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import type { SettingsForm } from './use-settings.ts'

/** Asks before a change that locks somebody out. It stands beside the form: a form within it would send that one, too. */
export function AskFirst({ settings }: { settings: SettingsForm }) {
  const { asking, stopAsking, agree, pending } = settings
  return (
    <ConfirmDialog
      open={asking !== undefined}
      title={asking?.caution.title}
      verb={asking?.caution.verb ?? ''}
      error={undefined}
      pending={pending}
      onClose={stopAsking}
      onConfirm={agree}
    >
      <p>{asking?.caution.text}</p>
    </ConfirmDialog>
  )
}
