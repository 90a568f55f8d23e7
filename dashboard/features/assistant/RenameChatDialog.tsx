import { useForm } from 'react-hook-form'
import { renameChat, type Chat } from '../../session/assistant-state.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { TextField } from '../../ui/TextField.tsx'
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
    <Dialog
      open
      onClose={onClose}
      title="Rename chat"
      size="small"
      shell={(inside) => (
        <Form error={undefined} pending={false} onSubmit={save}>
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="form" variant="primary" disabled={!isDirty}>
            Rename
          </Button>
        </>
      }
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
    </Dialog>
  )
}
