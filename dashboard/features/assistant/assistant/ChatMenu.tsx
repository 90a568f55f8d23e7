import { Ellipsis, Eraser, LockKeyhole, PencilLine, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  clearMessages,
  deleteChat,
  type Chat,
  renameChat,
} from '../../../modules/assistant/assistant-state.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem, MenuSeparator } from '../../../ui/floats/MenuItem.tsx'
import { useAssistant, allowChanges, useAllowsChanges } from './use-assistant.ts'
import { useForm } from 'react-hook-form'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'

const longestName = 100

function RenameChatDialog({ chat, onClose }: { chat: Chat; onClose: () => void }) {
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

/** What can be done with the chat that is open. */
export function ChatMenu({ chat }: { chat: Chat }) {
  const { update, answers, asking } = useAssistant()
  const [dialog, setDialog] = useState<'rename' | 'clear' | 'delete'>()
  const allowed = useAllowsChanges(chat.id)
  const busy = asking(chat.id)?.status === 'asking' && 'Wait for the current answer'
  const count = chat.messages.length
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu label="Chat" align="end" trigger={<IconButton icon={Ellipsis} label="Chat actions" />}>
        <MenuItem icon={PencilLine} onSelect={() => setDialog('rename')}>
          Rename
        </MenuItem>
        <MenuItem
          icon={Eraser}
          disabledReason={busy || (count === 0 && 'There are no messages')}
          onSelect={() => setDialog('clear')}
        >
          Clear messages
        </MenuItem>
        {allowed && (
          <MenuItem icon={LockKeyhole} onSelect={() => allowChanges(chat.id, false)}>
            Stop allowing changes
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={Trash2} danger onSelect={() => setDialog('delete')}>
          Delete chat
        </MenuItem>
      </Menu>
      {dialog === 'rename' && <RenameChatDialog chat={chat} onClose={close} />}
      <ConfirmDialog
        open={dialog === 'clear'}
        onClose={close}
        title={`Clear the messages of “${chat.name}”?`}
        verb="Clear messages"
        error={undefined}
        pending={false}
        onConfirm={() => {
          update((state, now) => clearMessages(state, chat.id, now.at))
          close()
        }}
      >
        <p>Its {count === 1 ? 'message is' : `${count} messages are`} lost. The chat stays.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'delete'}
        onClose={close}
        title={`Delete “${chat.name}”?`}
        verb="Delete chat"
        error={undefined}
        pending={false}
        onConfirm={() => {
          close()
          answers.stop(chat.id)
          update((state, now) => deleteChat(state, chat.id, now))
        }}
      >
        <p>The chat and its messages are stored only in this browser and cannot be recovered.</p>
      </ConfirmDialog>
    </>
  )
}
