import { useQuery } from '@tanstack/react-query'
import {
  Ellipsis,
  Eraser,
  LockKeyhole,
  PencilLine,
  Trash2,
  X,
  SquarePen,
  ChevronsUpDown,
} from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { assistant as api } from '#contract/assistant/assistant'
import { q, queryClient } from '../../../api/client.ts'
import { setAssistantOpen } from '../../../modules/assistant/assistant.ts'
import {
  activeChat,
  clearMessages,
  createChat,
  chatsByTime,
  deleteChat,
  renameChat,
  selectChat,
  type Chat,
} from '../../../modules/assistant/assistant-state.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem, MenuSeparator } from '../../../ui/floats/MenuItem.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { OptionList } from '../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { ago } from '../../../ui/text/time.ts'
import {
  allowChanges,
  useAllowsChanges,
  useAssistant,
  AssistantContext,
  useAssistantOf,
} from './use-assistant.ts'
import { ChatView } from './ChatView.tsx'
import './assistant.css'

/** What could not be asked is told where the answer would be. */
const whenKnown = () =>
  queryClient.ensureQueryData(q(api.status, {})).then(
    ({ configured }) => configured,
    () => false,
  )

/** The assistant at the right of a project's pages: its chats, and what can be asked. */
export function AssistantPanel({ projectRef }: { projectRef: string }) {
  const assistant = useAssistantOf(projectRef)
  const why = useDenials(useProject(projectRef))(api.ask)
  const { data: status, error, refetch } = useQuery(q(api.status, {}))
  const chat = activeChat(assistant.state)
  return (
    <AssistantContext value={assistant}>
      <aside className="assistant" aria-label="Assistant">
        <header className="assistant-head">
          <ChatSwitcher />
          <NewChatButton />
          {chat && <ChatMenu key={chat.id} chat={chat} />}
          <IconButton
            icon={X}
            label="Close the assistant"
            onClick={() => void setAssistantOpen(projectRef, false)}
          />
        </header>
        {chat && (
          <ChatView
            key={chat.id}
            chat={chat}
            status={status}
            statusError={error}
            onRetryStatus={() => void refetch()}
            whenKnown={whenKnown}
            denial={why}
          />
        )}
      </aside>
    </AssistantContext>
  )
}

function NewChatButton() {
  const { state, update } = useAssistant()
  // Another empty chat beside an empty one would only be noise in the list.
  const isEmpty = activeChat(state)?.messages.length === 0
  return (
    <IconButton
      icon={SquarePen}
      label="New chat"
      disabledReason={isEmpty && 'This chat is new'}
      onClick={() => update((before, now) => createChat(before, now))}
    />
  )
}

/** The chat one is in, and behind it the list of all to search and choose from. */
function ChatSwitcher() {
  const { state, update } = useAssistant()
  // The time at which it was opened; undefined while it is closed.
  const [openedAt, setOpenedAt] = useState<Date>()
  const chat = activeChat(state)
  return (
    <div className="grow assistant-title">
      <Popover
        label="Chats"
        open={openedAt !== undefined}
        onOpenChange={(open) => setOpenedAt(open ? new Date() : undefined)}
        trigger={
          <button
            type="button"
            className="crumb"
            aria-haspopup="listbox"
            aria-label={`Chat: ${chat?.name ?? ''}`}
          >
            <h2 className="ell">{chat?.name}</h2>
            <Icon of={ChevronsUpDown} size="xs" />
          </button>
        }
      >
        <div className="swt assistant-chats">
          <OptionList
            label="Chats"
            search="Find a chat"
            nothing="No chat has this name"
            options={chatsByTime(state).map(({ id, name, updatedAt }) => ({
              value: id,
              label: name,
              end: ago(new Date(updatedAt), openedAt ?? new Date(updatedAt)),
            }))}
            value={chat?.id}
            onSelect={(id) => {
              update((before) => selectChat(before, id))
              setOpenedAt(undefined)
            }}
          />
        </div>
      </Popover>
    </div>
  )
}

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
function ChatMenu({ chat }: { chat: Chat }) {
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
