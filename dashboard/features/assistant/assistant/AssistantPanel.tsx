import { useQuery } from '@tanstack/react-query'
import { X, SquarePen, ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { assistant as api } from '#contract/assistant/assistant'
import { q, queryClient } from '../../../api/client.ts'
import { setAssistantOpen } from '../../../modules/assistant/assistant.ts'
import {
  activeChat,
  createChat,
  chatsByTime,
  selectChat,
} from '../../../modules/assistant/assistant-state.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { OptionList } from '../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { ago } from '../../../ui/text/time.ts'
import { ChatMenu } from './ChatMenu.tsx'
import { useAssistant, AssistantContext, useAssistantOf } from './use-assistant.ts'
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
