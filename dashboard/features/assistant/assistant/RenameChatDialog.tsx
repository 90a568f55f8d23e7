import { useForm } from 'react-hook-form'
import { renameChat, type Chat } from '../../../modules/assistant/assistant-state.ts'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { useAssistant } from './use-assistant.ts'

const longestName = 100

export function RenameChatDialog({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const { update } = useAssistant()
  const { register, handleSubmit, formState } = useForm({ values: { name: chat.name } })
  const { errors, isDirty } = formState
  const save = handleSubmit(({ name }) => {
    update((state, now) => renameChat(state, chat.id, name, now.at))
    onClose()
  })
  return (
    <FormDialog
      title="Rename chat"
      size="small"
      verb="Rename"
      disabled={!isDirty}
      pending={false}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoComplete="off"
        error={errors.name?.message}
        {...register('name', {
          validate: (name) =>
            (name.trim().length > 0 && name.trim().length <= longestName) ||
            `A name has 1 to ${longestName} characters`,
        })}
      />
    </FormDialog>
  )
}
